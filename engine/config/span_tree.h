#pragma once
// YAML text → tree of values that know which bytes they were written with. yaml-cpp's events tell where a value begins;
// where it ends is found here.

#include "node.h"

namespace assay::config {

struct SpanEntry;
struct SpanNode {
    Node::Type type = Node::Type::kNull;
    bool flow = false;      // written in brackets, or inside some
    bool opaque = false;    // its end could not be told
    std::string text;       // of scalars
    size_t begin = 0, end = 0;
    std::vector<SpanNode> items;
    std::vector<SpanEntry> entries;

    bool isMap() const { return type == Node::Type::kMap; }
    bool isList() const { return type == Node::Type::kList; }
    const SpanEntry* find(std::string_view key) const;
};
struct SpanEntry {
    std::string key;
    size_t begin = 0, end = 0;  // of the key
    size_t colon = 0;           // after the colon; 0: there is none, as in {key}
    SpanNode value;
    size_t last() const { return std::max(value.end, std::max(colon, end)); }
};

struct SpanTree {
    SpanNode root;
    bool empty = true;                 // no document, or one without content
    std::vector<size_t> lines;         // where each line begins
    std::vector<Problem> problems;
    size_t lineOf(size_t offset) const;    // 0-based
};

SpanTree readSpans(std::string_view text, size_t maxBytes);
Json jsonOf(const SpanNode& node);

}  // namespace assay::config
