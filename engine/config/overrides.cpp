#include <charconv>

#include "node.h"

namespace assay::config {

void mergeNode(Node& base, Node&& child) {
    if (!base.isMap() || !child.isMap()) {
        base = std::move(child);
        return;
    }
    base.mark = child.mark;
    base.source = child.source;
    for (Entry& entry : child.entries) {
        if (Entry* old = base.find(entry.key)) {
            if (entry.value.type == Node::Type::kNull) {
                base.entries.erase(base.entries.begin() + (old - base.entries.data()));
                continue;
            }
            if (!(old->value.isMap() && entry.value.isMap()) || entry.mark.line) old->mark = entry.mark;
            mergeNode(old->value, std::move(entry.value));
        } else {
            base.entries.push_back(std::move(entry));
        }
    }
}

size_t wholeKeyFrom(std::string_view path) {
    constexpr std::string_view kGrid = "sweep.grid.", kVariants = "sweep.variants.";
    if (path.starts_with(kGrid)) return kGrid.size();
    if (!path.starts_with(kVariants)) return path.size();
    const size_t dot = path.find('.', kVariants.size());
    return dot == std::string_view::npos ? path.size() : dot + 1;
}

bool setPath(Node& root, std::string_view path, Node value) {
    const size_t wholeFrom = wholeKeyFrom(path);
    Node* node = &root;
    for (size_t begin = 0;;) {
        const size_t dot = begin >= wholeFrom ? std::string_view::npos : path.find('.', begin);
        const bool last = dot == std::string_view::npos;
        const std::string_view part = path.substr(begin, last ? path.size() - begin : dot - begin);
        begin = dot + 1;
        if (node->isList()) {
            size_t index = 0;
            auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), index);
            if (code != std::errc() || end != part.data() + part.size() || index >= node->items.size()) return false;
            node = &node->items[index];
        } else {
            if (!node->isMap()) {
                const Source* source = value.source;
                *node = Node{};
                node->type = Node::Type::kMap;
                node->source = source;
            }
            Entry* entry = node->find(part);
            if (last && value.type == Node::Type::kNull) {
                if (entry) node->entries.erase(node->entries.begin() + (entry - node->entries.data()));
                return true;
            }
            if (!entry) {
                Node fresh;
                fresh.source = value.source;
                node->entries.push_back({std::string(part), value.mark, std::move(fresh)});
                entry = &node->entries.back();
            } else if (last) {
                entry->mark = value.mark;
            }
            node = &entry->value;
        }
        if (last) {
            *node = std::move(value);
            return true;
        }
    }
}

void applyOverride(Node& root, const std::string& text, const Source* source, Context& context) {
    const size_t equals = text.find('=');
    auto wrong = [&](const std::string& key, std::string message, std::string hint) {
        context.problem({}, source, key, std::move(message), std::move(hint));
    };
    if (equals == std::string::npos || equals == 0)
        return wrong("", "\"" + text.substr(0, 80) + "\" is not key=value", "for example: train.steps=100");
    const std::string key = text.substr(0, equals), written = text.substr(equals + 1);
    if (key.front() == '.' || key.back() == '.' || key.find("..") != std::string::npos || key.size() > 200)
        return wrong(key.substr(0, 80), "is not a key", "keys are joined by single dots, for example train.optimizer.lr");
    Node value;
    value.source = source;
    const size_t first = written.find_first_not_of(" ");
    if (first == std::string::npos) return wrong(key, "has no value", "write " + key + "=null to go back to the default");
    const std::string trimmed = written.substr(first, written.find_last_not_of(" ") - first + 1);
    if (trimmed != "null" && trimmed != "~" && !readYaml(trimmed, source, context, value)) return;
    if (!setPath(root, key, std::move(value))) wrong(key, "names a list member that does not exist", "list members are counted from 0");
}

}  // namespace assay::config
