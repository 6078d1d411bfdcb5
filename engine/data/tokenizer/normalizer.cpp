#include "tokenizer/normalizer.h"

#include <assay/data/encoding.h>

#include <algorithm>
#include <functional>
#include <map>

#include "tokenizer/byte_level.h"
#include "tokenizer/precompiled.h"
#include "tokenizer/regex.h"
#include "tokenizer/unicode.h"
#include "tokenizer/unicode_forms.h"

namespace assay::data {
namespace {

// Rules that make a text this much longer do harm: a few in a row would fill any memory.
constexpr size_t kMostGrown = size_t{64} << 20, kMostGrowth = 16;

size_t mostBytes(size_t bytes, size_t growth) { return std::max(kMostGrown, growth * bytes); }
[[noreturn]] void growsTooMuch(size_t from) {
    throw EncodeError(Error(ErrorCode::kUnsupported, "the tokenizer's replacements make a text of " + std::to_string(from) + " bytes more than " + std::to_string(mostBytes(from, kMostGrowth)) + " bytes long",
                            "use the tokenizer.json that belongs to the model"));
}

bool isAscii(std::string_view s) {
    for (char c : s)
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    return true;
}

// Writes a text anew character by character.
template <class Write>
void eachCharacter(Text& text, Write write) {
    Text out = Text::like(text);
    Rewriter writer(text, 0, text.bytes.size(), out);
    for (size_t i = 0; i < text.bytes.size();) {
        const CodePoint c = codePointAt(text.bytes, i);
        write(c, i, writer);
        i += c.bytes;
    }
    writer.finish();
    text = std::move(out);
}
// Leaves out the characters for which `drop` holds.
template <class Drop>
void leaveOut(Text& text, Drop drop) {
    eachCharacter(text, [&](const CodePoint& c, size_t i, Rewriter& out) {
        if (c.valid && drop(c.value)) {
            out.skip();
        } else {
            out.keep(i, i + c.bytes);
        }
    });
}

class FormNormalizer : public Normalizer {
public:
    explicit FormNormalizer(UnicodeForm form) : form_(form) {}
    void apply(Text& text) const override { applyForm(text, form_); }

private:
    UnicodeForm form_;
};

class Lowercase : public Normalizer {
public:
    void apply(Text& text) const override {
        std::string lower;
        eachCharacter(text, [&](const CodePoint& c, size_t i, Rewriter& out) {
            if (c.value == 0x130) {  // the one character whose lower case is two (SpecialCasing.txt)
                out.replace("i");
                out.insert("\xCC\x87");
                return;
            }
            const char32_t mapped = c.valid ? lowerCase(c.value) : c.value;
            if (mapped == c.value) return out.keep(i, i + c.bytes);
            lower.clear();
            appendUtf8(lower, mapped);
            out.replace(lower);
        });
    }
};

class StripAccents : public Normalizer {
public:
    void apply(Text& text) const override {
        if (!isAscii(text.bytes)) leaveOut(text, [](char32_t c) { return (oldClass(c) & kOldCombining) != 0; });
    }
};

// The clean-up of T5's training text: control characters out, odd blanks to spaces.
class Nmt : public Normalizer {
public:
    void apply(Text& text) const override {
        eachCharacter(text, [](const CodePoint& c, size_t i, Rewriter& out) {
            const char32_t v = c.value;
            if (c.valid && ((v >= 1 && v <= 8) || v == 0xB || (v >= 0xE && v <= 0x1F) || v == 0x7F || v == 0x8F || v == 0x9F)) return out.skip();
            const bool blank = v == 9 || v == 0xA || v == 0xC || v == 0xD || v == 0x1680 || (v >= 0x200B && v <= 0x200F) || v == 0x2028 ||
                               v == 0x2029 || v == 0x2581 || v == 0xFEFF || v == 0xFFFD;
            if (c.valid && blank) return out.replace(" ");
            out.keep(i, i + c.bytes);
        });
    }
};

class Strip : public Normalizer {
public:
    Strip(bool left, bool right) : left_(left), right_(right) {}
    void apply(Text& text) const override {
        size_t from = 0, to = text.bytes.size();
        while (left_ && from < to) {
            const CodePoint c = codePointAt(text.bytes, from);
            if (!(charClass(c.value) & kSpace)) break;
            from += c.bytes;
        }
        while (right_ && to > from) {
            const CodePoint c = codePointBefore(text.bytes, to);
            if (!(charClass(c.value) & kSpace)) break;
            to -= c.bytes;
        }
        if (from == 0 && to == text.bytes.size()) return;
        Text out = Text::like(text);
        Rewriter writer(text, 0, text.bytes.size(), out);
        for (size_t i = 0; i < from; i += codePointAt(text.bytes, i).bytes) writer.skip();
        writer.keep(from, to);
        writer.finish();
        text = std::move(out);
    }

private:
    bool left_, right_;
};

class Prepend : public Normalizer {
public:
    explicit Prepend(std::string what) : what_(std::move(what)) {}
    void apply(Text& text) const override {
        if (text.bytes.empty()) return;
        Text out = Text::like(text);
        out.put(what_, text, 0, 0);
        out.copy(text, 0, text.bytes.size());
        text = std::move(out);
    }

private:
    std::string what_;
};

class ReplaceNormalizer : public Normalizer {
public:
    explicit ReplaceNormalizer(Replacer r) : replacer_(std::move(r)) {}
    void apply(Text& text) const override { replacer_.apply(text); }
    bool insertsNothings() const override { return replacer_.matchesEmpty(); }

private:
    Replacer replacer_;
};

class ByteLevelNormalizer : public Normalizer {
public:
    void apply(Text& text) const override {
        eachCharacter(text, [&](const CodePoint& c, size_t i, Rewriter& out) {
            out.replace(byteChar(static_cast<unsigned char>(text.bytes[i])));
            for (size_t k = 1; k < c.bytes; ++k) out.insert(byteChar(static_cast<unsigned char>(text.bytes[i + k])));
        });
    }
};

// The basic tokenizer's clean-up of BERT: control characters out, CJK ideographs between spaces, accents and case.
class BertNormalizer : public Normalizer {
public:
    BertNormalizer(bool clean, bool cjk, bool strip, bool lower) : clean_(clean), cjk_(cjk), strip_(strip), lower_(lower) {}
    void apply(Text& text) const override {
        if (clean_) clean(text);
        if (cjk_) padIdeographs(text);
        if (strip_) {
            applyForm(text, {});
            if (!isAscii(text.bytes)) leaveOut(text, [](char32_t c) { return (oldClass(c) & kOldNonspacing) != 0; });
        }
        if (lower_) Lowercase().apply(text);
    }

private:
    static void clean(Text& text) {
        eachCharacter(text, [](const CodePoint& c, size_t i, Rewriter& out) {
            const char32_t v = c.value;
            const bool line = v == '\t' || v == '\n' || v == '\r';
            if (v == 0 || v == kReplacement || (!line && (oldClass(v) & kOldOther))) return out.skip();
            if (charClass(v) & kSpace) return out.replace(" ");
            out.keep(i, i + c.bytes);
        });
    }
    static bool ideograph(char32_t c) {
        return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
               (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
    }
    static void padIdeographs(Text& text) {
        if (isAscii(text.bytes)) return;
        eachCharacter(text, [&](const CodePoint& c, size_t i, Rewriter& out) {
            if (!ideograph(c.value)) return out.keep(i, i + c.bytes);
            out.replace(" ");
            out.insert(std::string_view(text.bytes).substr(i, c.bytes));
            out.insert(" ");
        });
    }
    bool clean_, cjk_, strip_, lower_;
};

class NormalizerSequence : public Normalizer {
public:
    explicit NormalizerSequence(std::vector<NormalizerPtr> parts) : parts_(std::move(parts)) {}
    void apply(Text& text) const override {
        const size_t bytes = text.bytes.size();
        for (const auto& part : parts_) {
            part->apply(text);
            if (text.bytes.size() > mostBytes(bytes, kMostGrowth)) growsTooMuch(bytes);
        }
    }
    bool insertsNothings() const override {
        return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->insertsNothings(); });
    }

private:
    std::vector<NormalizerPtr> parts_;
};

using NormalizerMaker = std::function<Result<NormalizerPtr>(const Json&)>;
template <class T, class... A>
NormalizerMaker always(A... arguments) {
    return [=](const Json&) -> Result<NormalizerPtr> { return std::make_shared<T>(arguments...); };
}
Result<NormalizerPtr> bert(const Json& j) {
    const bool lower = jsonBoolOr(j, "lowercase", true);
    return std::make_shared<BertNormalizer>(jsonBoolOr(j, "clean_text", true), jsonBoolOr(j, "handle_chinese_chars", true),
                                            jsonBoolOr(j, "strip_accents", lower), lower);
}

// One line per kind of normalizer.
const std::map<std::string, NormalizerMaker>& normalizerKinds() {
    static const std::map<std::string, NormalizerMaker> makers{
        {"NFC", always<FormNormalizer>(UnicodeForm{false, true})},
        {"NFD", always<FormNormalizer>(UnicodeForm{false, false})},
        {"NFKC", always<FormNormalizer>(UnicodeForm{true, true})},
        {"NFKD", always<FormNormalizer>(UnicodeForm{true, false})},
        {"Lowercase", always<Lowercase>()},
        {"StripAccents", always<StripAccents>()},
        {"Nmt", always<Nmt>()},
        {"ByteLevel", always<ByteLevelNormalizer>()},
        {"BertNormalizer", bert},
        {"Bert", bert},
        {"Precompiled", [](const Json& j) -> Result<NormalizerPtr> {
             ASSAY_TRY(const std::string map, jsonString(j, "precompiled_charsmap"));
             return makePrecompiled(map);
         }},
        {"Strip", [](const Json& j) -> Result<NormalizerPtr> {
             return std::make_shared<Strip>(jsonBoolOr(j, "strip_left", true), jsonBoolOr(j, "strip_right", true));
         }},
        {"Prepend", [](const Json& j) -> Result<NormalizerPtr> {
             ASSAY_TRY(std::string what, jsonString(j, "prepend"));
             return std::make_shared<Prepend>(std::move(what));
         }},
        {"Replace", [](const Json& j) -> Result<NormalizerPtr> {
             ASSAY_TRY(Replacer replacer, Replacer::make(j));
             return std::make_shared<ReplaceNormalizer>(std::move(replacer));
         }},
        {"Sequence", [](const Json& j) -> Result<NormalizerPtr> {
             if (!j.contains("normalizers") || !j["normalizers"].is_array())
                 return fail(ErrorCode::kInvalidFile, "tokenizer.json: normalizer Sequence has no list of normalizers");
             std::vector<NormalizerPtr> parts;
             for (const Json& item : j["normalizers"]) {
                 ASSAY_TRY(NormalizerPtr part, makeNormalizer(item));
                 if (part) parts.push_back(std::move(part));
             }
             if (parts.empty()) return NormalizerPtr();
             return std::make_shared<NormalizerSequence>(std::move(parts));
         }},
    };
    return makers;
}

}  // namespace

Result<NormalizerPtr> makeNormalizer(const Json& json) {
    if (json.is_null()) return NormalizerPtr();
    std::string type = jsonStringOr(json, "type", "");
    if (type.empty()) {  // old files: by the members
        for (const auto& [member, kind] : {std::pair{"precompiled_charsmap", "Precompiled"}, {"handle_chinese_chars", "BertNormalizer"}, {"strip_left", "Strip"}, {"prepend", "Prepend"}, {"pattern", "Replace"}, {"normalizers", "Sequence"}})
            if (type.empty() && json.contains(member)) type = kind;
    }
    const auto found = normalizerKinds().find(type);
    if (found == normalizerKinds().end())
        return fail(ErrorCode::kUnsupported, "tokenizer.json: normalizer \"" + type + "\" is not known", "use a tokenizer.json of the format's version 1.0");
    return found->second(json);
}

Result<Replacer> Replacer::make(const Json& json) {
    Replacer r;
    ASSAY_TRY(r.content_, jsonString(json, "content"));
    const Json pattern = json.contains("pattern") ? json["pattern"] : Json();
    if (pattern.contains("String") && pattern["String"].is_string()) {
        r.literal_ = pattern["String"].get<std::string>();
        if (r.literal_.empty()) {  // found between any two characters
            ASSAY_TRY(r.regex_, Regex::compile(""));
        }
    } else if (pattern.contains("Regex") && pattern["Regex"].is_string()) {
        ASSAY_TRY(r.regex_, Regex::compile(pattern["Regex"].get<std::string>()));
    } else {
        return fail(ErrorCode::kInvalidFile, "tokenizer.json: Replace needs a pattern {\"String\": …} or {\"Regex\": …}");
    }
    return r;
}

bool Replacer::matchesEmpty() const { return regex_ && regex_->matchesEmpty(); }

void Replacer::apply(Text& text) const {
    const std::string_view s = text.bytes;
    if (s.empty() || (!regex_ && (literal_.empty() || s.find(literal_) == s.npos))) return;
    Text out = Text::like(text);
    size_t from = 0;
    const size_t most = mostBytes(s.size(), kMostGrowth);
    const auto replace = [&](size_t b, size_t e) {
        out.copy(text, from, b);
        if (out.bytes.size() + content_.size() > most) growsTooMuch(s.size());
        out.bytes += content_;
        if (out.tracked) {  // stands for the last character of the match; at the very start for nothing
            out.begin.insert(out.begin.end(), content_.size(), e > 0 ? text.begin[e - 1] : text.origin);
            out.end.insert(out.end.end(), content_.size(), e > 0 ? text.end[e - 1] : text.origin);
        }
        from = e;
    };
    if (regex_) {
        regex_->eachMatch(s, replace);
    } else {
        for (size_t b = s.find(literal_); b != s.npos; b = s.find(literal_, b + literal_.size())) replace(b, b + literal_.size());
    }
    out.copy(text, from, s.size());
    text = std::move(out);
}

}  // namespace assay::data
