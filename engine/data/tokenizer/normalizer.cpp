#include "tokenizer/normalizer.h"

#include <utf8proc.h>

#include <cstdlib>
#include <functional>
#include <map>

#include "tokenizer/byte_level.h"
#include "tokenizer/regex.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

bool isAscii(std::string_view s) {
    for (char c : s)
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    return true;
}

// Unicode normalization forms. Text is cut before ASCII characters (which never compose with what stands before them), so
// only stretches with other characters are worked on, and offsets are exact up to such a stretch.
class UnicodeForm : public Normalizer {
public:
    UnicodeForm(int options, bool stripMarks) : options_(options), stripMarks_(stripMarks) {}
    void apply(Text& text) const override {
        const std::string_view s = text.bytes;
        if (isAscii(s)) return;
        Text out = Text::like(text);
        for (size_t i = 0; i < s.size();) {
            size_t j = i + 1;
            while (j < s.size() && static_cast<unsigned char>(s[j]) >= 0x80) ++j;
            stretch(text, i, j, out);
            i = j;
        }
        text = std::move(out);
        if (stripMarks_) stripNonspacing(text);
    }
    static void stripNonspacing(Text& text) {
        Text out = Text::like(text);
        for (size_t i = 0; i < text.bytes.size();) {
            const CodePoint c = codePointAt(text.bytes, i);
            if (!(charClass(c.value) & kMark) || utf8proc_category(static_cast<utf8proc_int32_t>(c.value)) != UTF8PROC_CATEGORY_MN)
                out.copy(text, i, i + c.bytes);
            i += c.bytes;
        }
        text = std::move(out);
    }

private:
    std::string map(std::string_view part) const {
        utf8proc_uint8_t* mapped = nullptr;
        const auto n = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(part.data()), static_cast<utf8proc_ssize_t>(part.size()), &mapped,
                                    static_cast<utf8proc_option_t>(options_));
        std::string out = n < 0 ? std::string(part) : std::string(reinterpret_cast<char*>(mapped), static_cast<size_t>(n));
        std::free(mapped);
        return out;
    }
    void stretch(const Text& text, size_t from, size_t to, Text& out) const {
        const std::string_view part = std::string_view(text.bytes).substr(from, to - from);
        if (part.size() == 1 || firstInvalidUtf8(part) != part.npos) return out.copy(text, from, to);
        const std::string whole = map(part);
        if (whole == part) return out.copy(text, from, to);
        if (!text.tracked) return out.put(whole, text, from, to);
        // For offsets: a character with its marks at a time, where that gives the same.
        struct Cluster {
            size_t end;
            std::string text;
        };
        std::vector<Cluster> clusters;
        std::string joined;
        for (size_t i = from; i < to;) {
            size_t j = i + codePointAt(text.bytes, i).bytes;
            while (j < to) {
                const CodePoint c = codePointAt(text.bytes, j);
                if (utf8proc_get_property(static_cast<utf8proc_int32_t>(c.value))->combining_class == 0) break;
                j += c.bytes;
            }
            clusters.push_back({j, map(std::string_view(text.bytes).substr(i, j - i))});
            joined += clusters.back().text;
            i = j;
        }
        if (joined != whole) return out.put(whole, text, from, to);
        for (const Cluster& c : clusters) {
            out.put(c.text, text, from, c.end);
            from = c.end;
        }
    }
    int options_;
    bool stripMarks_;
};

constexpr int kNfc = UTF8PROC_STABLE | UTF8PROC_COMPOSE, kNfd = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
constexpr int kNfkc = kNfc | UTF8PROC_COMPAT, kNfkd = kNfd | UTF8PROC_COMPAT;

class Lowercase : public Normalizer {
public:
    void apply(Text& text) const override {
        Text out = Text::like(text);
        std::string lower;
        for (size_t i = 0; i < text.bytes.size();) {
            const CodePoint c = codePointAt(text.bytes, i);
            const char32_t mapped = c.valid ? static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c.value))) : c.value;
            if (c.value == 0x130) {  // the one character whose lower case is two (SpecialCasing.txt)
                out.put("i\xCC\x87", text, i, i + c.bytes);
            } else if (!c.valid || mapped == c.value) {
                out.copy(text, i, i + c.bytes);
            } else {
                lower.clear();
                appendUtf8(lower, mapped);
                out.put(lower, text, i, i + c.bytes);
            }
            i += c.bytes;
        }
        text = std::move(out);
    }
};

class StripAccents : public Normalizer {
public:
    void apply(Text& text) const override { UnicodeForm::stripNonspacing(text); }
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
        out.copy(text, from, to);
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

private:
    Replacer replacer_;
};

class ByteLevelNormalizer : public Normalizer {
public:
    void apply(Text& text) const override {
        Text out = Text::like(text);
        for (size_t i = 0; i < text.bytes.size(); ++i) out.put(byteChar(static_cast<unsigned char>(text.bytes[i])), text, i, i + 1);
        text = std::move(out);
    }
};

// The basic tokenizer's clean-up of BERT: control characters out, CJK ideographs between spaces, accents and case.
class BertNormalizer : public Normalizer {
public:
    BertNormalizer(bool clean, bool cjk, bool strip, bool lower) : clean_(clean), cjk_(cjk), strip_(strip), lower_(lower) {}
    void apply(Text& text) const override {
        if (clean_) clean(text);
        if (cjk_) padIdeographs(text);
        if (strip_) UnicodeForm(kNfd, true).apply(text);
        if (lower_) Lowercase().apply(text);
    }

private:
    static void clean(Text& text) {
        Text out = Text::like(text);
        for (size_t i = 0; i < text.bytes.size();) {
            const CodePoint c = codePointAt(text.bytes, i);
            const bool blank = c.value == '\t' || c.value == '\n' || c.value == '\r' || (charClass(c.value) & kSpace);
            const bool control = !(c.value == '\t' || c.value == '\n' || c.value == '\r') && (charClass(c.value) & kOther);
            if (c.value != 0 && c.value != kReplacement && !control) {
                if (blank) {
                    out.put(" ", text, i, i + c.bytes);
                } else {
                    out.copy(text, i, i + c.bytes);
                }
            }
            i += c.bytes;
        }
        text = std::move(out);
    }
    static bool ideograph(char32_t c) {
        return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
               (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
    }
    static void padIdeographs(Text& text) {
        if (isAscii(text.bytes)) return;
        Text out = Text::like(text);
        for (size_t i = 0; i < text.bytes.size();) {
            const CodePoint c = codePointAt(text.bytes, i);
            const bool pad = ideograph(c.value);
            if (pad) out.put(" ", text, i, i + c.bytes);
            out.copy(text, i, i + c.bytes);
            if (pad) out.put(" ", text, i, i + c.bytes);
            i += c.bytes;
        }
        text = std::move(out);
    }
    bool clean_, cjk_, strip_, lower_;
};

class Sequence : public Normalizer {
public:
    explicit Sequence(std::vector<NormalizerPtr> parts) : parts_(std::move(parts)) {}
    void apply(Text& text) const override {
        for (const auto& part : parts_) part->apply(text);
    }

private:
    std::vector<NormalizerPtr> parts_;
};

using Maker = std::function<Result<NormalizerPtr>(const Json&)>;
template <class T, class... A>
Maker always(A... arguments) {
    return [=](const Json&) -> Result<NormalizerPtr> { return std::make_shared<T>(arguments...); };
}

// One line per kind of normalizer.
const std::map<std::string, Maker>& registry() {
    static const std::map<std::string, Maker> makers{
        {"NFC", always<UnicodeForm>(kNfc, false)},
        {"NFD", always<UnicodeForm>(kNfd, false)},
        {"NFKC", always<UnicodeForm>(kNfkc, false)},
        {"NFKD", always<UnicodeForm>(kNfkd, false)},
        {"Lowercase", always<Lowercase>()},
        {"StripAccents", always<StripAccents>()},
        {"ByteLevel", always<ByteLevelNormalizer>()},
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
        {"BertNormalizer", [](const Json& j) -> Result<NormalizerPtr> {
             const bool lower = jsonBoolOr(j, "lowercase", true);
             return std::make_shared<BertNormalizer>(jsonBoolOr(j, "clean_text", true), jsonBoolOr(j, "handle_chinese_chars", true),
                                                     jsonBoolOr(j, "strip_accents", lower), lower);
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
             return std::make_shared<Sequence>(std::move(parts));
         }},
    };
    return makers;
}

}  // namespace

Result<NormalizerPtr> makeNormalizer(const Json& json) {
    if (json.is_null()) return NormalizerPtr();
    const std::string type = jsonStringOr(json, "type", "");
    const auto found = registry().find(type);
    if (found == registry().end())
        return fail(ErrorCode::kUnsupported, "tokenizer.json: normalizer \"" + type + "\" is not supported",
                    "use a tokenizer whose normalizer is one of NFC, NFD, NFKC, NFKD, Lowercase, Strip, StripAccents, Prepend, Replace, BertNormalizer");
    return found->second(json);
}

Result<Replacer> Replacer::make(const Json& json) {
    Replacer r;
    ASSAY_TRY(r.content_, jsonString(json, "content"));
    const Json pattern = json.contains("pattern") ? json["pattern"] : Json();
    if (pattern.contains("String") && pattern["String"].is_string()) {
        r.literal_ = pattern["String"].get<std::string>();
    } else if (pattern.contains("Regex") && pattern["Regex"].is_string()) {
        ASSAY_TRY(r.regex_, Regex::compile(pattern["Regex"].get<std::string>()));
    } else {
        return fail(ErrorCode::kInvalidFile, "tokenizer.json: Replace needs a pattern {\"String\": …} or {\"Regex\": …}");
    }
    return r;
}

void Replacer::apply(Text& text) const {
    const std::string_view s = text.bytes;
    Text out = Text::like(text);
    size_t from = 0, at = 0;
    while (at <= s.size()) {
        size_t b = 0, e = 0;
        if (regex_) {
            if (!regex_->find(s, at, b, e)) break;
            if (e == b) {  // empty matches replace nothing
                at = e + 1;
                continue;
            }
        } else {
            if (literal_.empty()) break;
            b = s.find(literal_, at);
            if (b == s.npos) break;
            e = b + literal_.size();
        }
        out.copy(text, from, b);
        out.put(content_, text, b, e);
        from = at = e;
    }
    if (from == 0) return;
    out.copy(text, from, s.size());
    text = std::move(out);
}

}  // namespace assay::data
