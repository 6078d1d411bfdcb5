#pragma once
// `loop` inside {% for %}.
#include "chat/value.h"

namespace assay::data::jinja {

class Runtime;
struct ForNode;
struct Frame;

struct Loop {
    Runtime* runtime = nullptr;
    Value iterable;                // as given; has a length or not
    bool sized = false;
    Iterator* iterator = nullptr;
    Value current, before, after, changed;
    bool hasAfter = false, ended = false, hasChanged = false;
    int64_t index0 = -1, known = -1;
    int64_t depth0 = 0;
    const ForNode* node = nullptr;  // of a recursive loop
    Frame* frame = nullptr;         // in which it stands

    bool next();                    // to the next item
    bool peek();                    // whether there is one after this
    int64_t length();
};

}  // namespace assay::data::jinja
