#pragma once
// Text on its way through normalizers and pre-tokenizers, with the place in the input that each byte came from.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

struct Text {
    std::string bytes;
    bool tracked = false;                // what follows is kept
    std::vector<uint32_t> begin, end;    // per byte: span of the input that it stands for
    uint32_t origin = 0, originEnd = 0;  // span of the input that the whole text stands for

    static Text of(std::string_view input, uint32_t offset, bool tracked) {
        Text t;
        t.bytes = input;
        t.tracked = tracked;
        t.origin = offset;
        t.originEnd = offset + static_cast<uint32_t>(input.size());
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
        t.origin = other.origin;
        t.originEnd = other.originEnd;
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

// Writes a piece of a text anew, character by character, and says for each what it stands for, by the rules of the
// reference implementation's alignment: a character that replaces one takes its span, one that is inserted takes the span
// of the character before it, and what is put in at the very start stands for nothing. Without tracking it only appends.
class Rewriter {
public:
    // The piece [from, to) of `in` is written to the end of `out`; call finish() when all is put.
    Rewriter(const Text& in, size_t from, size_t to, Text& out) : in_(in), out_(out), from_(from), at_(from), to_(to), stop_(to) {
        if (!in.tracked || from == to) return;
        origin_ = from == 0 && to == in.bytes.size() ? in.origin : in.begin[from];
        const uint32_t originEnd = from == 0 && to == in.bytes.size() ? in.originEnd : in.end[to - 1];
        if (origin_ == originEnd) {
            stop_ = from;
            return;
        }
        while (at_ < to && in.begin[at_] == in.end[at_]) ++at_;  // what stands for nothing stays in front
        out.copy(in, from, at_);
    }
    // `character` stands for the next character of the piece.
    void replace(std::string_view character) {
        if (!in_.tracked) {
            out_.bytes += character;
            return;
        }
        put(character, at_ < to_ ? at_ : to_ - 1);
        skip();
    }
    void insert(std::string_view character) {
        if (!in_.tracked) {
            out_.bytes += character;
        } else if (at_ > from_) {
            put(character, at_ - 1);
        } else {
            out_.bytes += character;
            out_.begin.insert(out_.begin.end(), character.size(), origin_);
            out_.end.insert(out_.end.end(), character.size(), origin_);
        }
    }
    void skip() {  // the next character of the piece is left out
        if (!in_.tracked || at_ >= to_) return;
        ++at_;
        while (at_ < to_ && (static_cast<unsigned char>(in_.bytes[at_]) & 0xC0) == 0x80) ++at_;
    }
    // The bytes [i, j) of the piece, whole characters, as they are.
    void keep(size_t i, size_t j) {
        if (!in_.tracked) {
            out_.bytes.append(in_.bytes, i, j - i);
        } else if (at_ == i) {
            out_.copy(in_, i, j);
            at_ = j;
        } else {
            while (i < j) {
                size_t k = i + 1;
                while (k < j && (static_cast<unsigned char>(in_.bytes[k]) & 0xC0) == 0x80) ++k;
                replace(std::string_view(in_.bytes).substr(i, k - i));
                i = k;
            }
        }
    }
    // change > 0: inserted; 0: replaces one character; -n: replaces one and the n after it are left out.
    void apply(std::string_view character, int change) {
        if (change > 0) return insert(character);
        replace(character);
        for (; change < 0; ++change) skip();
    }
    void finish() {
        if (in_.tracked) out_.copy(in_, stop_, to_);
    }

private:
    void put(std::string_view character, size_t like) {
        out_.bytes += character;
        out_.begin.insert(out_.begin.end(), character.size(), in_.begin[like]);
        out_.end.insert(out_.end.end(), character.size(), in_.end[like]);
    }
    const Text& in_;
    Text& out_;
    size_t from_, at_, to_, stop_;
    uint32_t origin_ = 0;
};

}  // namespace assay::data
