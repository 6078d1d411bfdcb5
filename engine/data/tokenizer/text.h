#pragma once
// Text on its way through normalizers and pre-tokenizers, with the place in the input that each byte came from.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

struct Text {
    std::string bytes;
    bool tracked = false;                // the two vectors below are kept
    std::vector<uint32_t> begin, end;    // per byte: span of the input that it stands for

    static Text of(std::string_view input, uint32_t offset, bool tracked) {
        Text t;
        t.bytes = input;
        t.tracked = tracked;
        if (tracked) {
            t.begin.resize(input.size());
            t.end.resize(input.size());
            for (size_t i = 0; i < input.size(); ++i) {
                t.begin[i] = offset + static_cast<uint32_t>(i);
                t.end[i] = t.begin[i] + 1;
            }
            // Bytes inside one character stand for the whole character.
            for (size_t i = 0; i < input.size();) {
                size_t j = i + 1;
                while (j < input.size() && (static_cast<unsigned char>(input[j]) & 0xC0) == 0x80) ++j;
                for (size_t k = i; k < j; ++k) {
                    t.begin[k] = offset + static_cast<uint32_t>(i);
                    t.end[k] = offset + static_cast<uint32_t>(j);
                }
                i = j;
            }
        }
        return t;
    }
    // An empty text that keeps track like `other`.
    static Text like(const Text& other) {
        Text t;
        t.tracked = other.tracked;
        t.bytes.reserve(other.bytes.size() + 16);
        return t;
    }
    // Appends the bytes [from, to) of `source` unchanged.
    void copy(const Text& source, size_t from, size_t to) {
        bytes.append(source.bytes, from, to - from);
        if (!tracked) return;
        begin.insert(begin.end(), source.begin.begin() + static_cast<long>(from), source.begin.begin() + static_cast<long>(to));
        end.insert(end.end(), source.end.begin() + static_cast<long>(from), source.end.begin() + static_cast<long>(to));
    }
    // Appends `replacement`, which stands for the bytes [from, to) of `source`; an insertion when from == to.
    void put(std::string_view replacement, const Text& source, size_t from, size_t to) {
        bytes.append(replacement);
        if (!tracked) return;
        uint32_t b = 0, e = 0;
        if (from < to) {
            b = source.begin[from];
            e = source.end[to - 1];
        } else if (from < source.begin.size()) {  // goes with the character it is put in front of
            b = source.begin[from];
            e = source.end[from];
        } else if (!source.end.empty()) {
            b = e = source.end.back();
        }
        begin.insert(begin.end(), replacement.size(), b);
        end.insert(end.end(), replacement.size(), e);
    }
};

struct Span {
    uint32_t begin, end;
};

}  // namespace assay::data
