#pragma once
// Builds GGUF bytes field by field, right or wrong.
#include "model_helpers.h"

namespace assay::model {

inline std::string ggufText(std::string_view text) {
    std::string out;
    append<uint64_t>(out, text.size());
    return out.append(text);
}

struct GgufBuilder {
    std::string magic = "GGUF";
    uint32_t version = 3;
    uint64_t tensorCount = 0, keyCount = 0;
    std::string keys, tensors, data;
    size_t alignment = 32;

    template <class T>
    GgufBuilder& key(std::string_view name, uint32_t kind, T value) {
        ++keyCount;
        keys += ggufText(name);
        append<uint32_t>(keys, kind);
        append(keys, value);
        return *this;
    }
    GgufBuilder& text(std::string_view name, std::string_view value) {
        ++keyCount;
        keys += ggufText(name);
        append<uint32_t>(keys, 8);
        keys += ggufText(value);
        return *this;
    }
    GgufBuilder& raw(std::string_view name, uint32_t kind, std::string_view bytes) {
        ++keyCount;
        keys += ggufText(name);
        append<uint32_t>(keys, kind);
        keys += bytes;
        return *this;
    }
    GgufBuilder& u32(std::string_view name, uint32_t value) { return key(name, 4, value); }
    GgufBuilder& f32(std::string_view name, float value) { return key(name, 6, value); }
    GgufBuilder& tensor(std::string_view name, std::vector<uint64_t> dims, uint32_t type, uint64_t offset) {
        ++tensorCount;
        tensors += ggufText(name);
        append<uint32_t>(tensors, static_cast<uint32_t>(dims.size()));
        for (uint64_t d : dims) append(tensors, d);
        append(tensors, type);
        append(tensors, offset);
        return *this;
    }
    std::string bytes() const {
        std::string out = magic;
        append(out, version);
        append(out, tensorCount);
        append(out, keyCount);
        out += keys + tensors;
        while (out.size() % alignment) out += '\0';
        return out + data;
    }
};

}  // namespace assay::model
