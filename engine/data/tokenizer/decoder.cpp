#include "tokenizer/decoder.h"

#include <algorithm>
#include <functional>
#include <map>

#include "tokenizer/byte_level.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

void replaceAll(std::string& s, std::string_view what, std::string_view by) {
    if (what.empty()) return;
    for (size_t at = s.find(what); at != s.npos; at = s.find(what, at + by.size())) s.replace(at, what.size(), by);
}

class ByteLevelDecoder : public Decoder {
public:
    void apply(std::vector<std::string>& tokens, bool) const override {
        std::string all;
        for (const std::string& t : tokens) {
            auto raw = fromByteChars(t);
            all += raw ? *raw : t;
        }
        tokens.assign(1, std::move(all));
    }
    bool isByteLevel() const override { return true; }
};

class MetaspaceDecoder : public Decoder {
public:
    MetaspaceDecoder(std::string replacement, bool dropFirst) : replacement_(std::move(replacement)), dropFirst_(dropFirst) {}
    void apply(std::vector<std::string>& tokens, bool) const override {
        for (size_t i = 0; i < tokens.size(); ++i) replaceAll(tokens[i], replacement_, i == 0 && dropFirst_ ? "" : " ");
    }

private:
    std::string replacement_;
    bool dropFirst_;
};

class ReplaceDecoder : public Decoder {
public:
    explicit ReplaceDecoder(Replacer r) : replacer_(std::move(r)) {}
    void apply(std::vector<std::string>& tokens, bool) const override {
        for (std::string& t : tokens) {
            Text text;
            text.bytes = std::move(t);
            replacer_.apply(text);
            t = std::move(text.bytes);
        }
    }

private:
    Replacer replacer_;
};

class ByteFallback : public Decoder {
public:
    void apply(std::vector<std::string>& tokens, bool raw) const override {
        std::vector<std::string> out;
        std::string run;
        auto flush = [&] {
            if (run.empty()) return;
            if (raw || firstInvalidUtf8(run) == run.npos) {
                out.push_back(run);
            } else {
                for (size_t i = 0; i < run.size(); ++i) out.emplace_back("\xEF\xBF\xBD");
            }
            run.clear();
        };
        for (std::string& t : tokens) {
            const int byte = byteToken(t);
            if (byte >= 0) {
                run += static_cast<char>(byte);
            } else {
                flush();
                out.push_back(std::move(t));
            }
        }
        flush();
        tokens = std::move(out);
    }

private:
    static int byteToken(std::string_view t) {
        if (t.size() != 6 || !t.starts_with("<0x") || t[5] != '>') return -1;
        int value = 0;
        for (char c : t.substr(3, 2)) {
            const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
            if (digit < 0) return -1;
            value = value * 16 + digit;
        }
        return value;
    }
};

class Fuse : public Decoder {
public:
    void apply(std::vector<std::string>& tokens, bool) const override {
        std::string all;
        for (const std::string& t : tokens) all += t;
        tokens.assign(1, std::move(all));
    }
};

class StripDecoder : public Decoder {
public:
    StripDecoder(std::string content, int64_t start, int64_t stop) : content_(std::move(content)), start_(start), stop_(stop) {}
    void apply(std::vector<std::string>& tokens, bool) const override {
        for (std::string& t : tokens) {
            size_t from = 0, to = t.size();
            for (int64_t i = 0; i < start_ && std::string_view(t).substr(from, to - from).starts_with(content_); ++i) from += content_.size();
            for (int64_t i = 0; i < stop_ && std::string_view(t).substr(from, to - from).ends_with(content_); ++i) to -= content_.size();
            t = t.substr(from, to - from);
        }
    }

private:
    std::string content_;
    int64_t start_, stop_;
};

// Takes out the blanks that joining words put before punctuation and endings.
void tidyUp(std::string& t) {
    static constexpr std::pair<const char*, const char*> kTidy[] = {
        {" .", "."},     {" ?", "?"},   {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
        {" 'm", "'m"},   {" do not", " don't"},        {" 's", "'s"},   {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [what, by] : kTidy) replaceAll(t, what, by);
}

class WordPieceDecoder : public Decoder {
public:
    WordPieceDecoder(std::string prefix, bool cleanup) : prefix_(std::move(prefix)), cleanup_(cleanup) {}
    void apply(std::vector<std::string>& tokens, bool) const override {
        for (size_t i = 0; i < tokens.size(); ++i) {
            std::string& t = tokens[i];
            if (i > 0) t = t.starts_with(prefix_) ? t.substr(prefix_.size()) : " " + t;
            if (cleanup_) tidyUp(t);
        }
    }

private:
    std::string prefix_;
    bool cleanup_;
};

// Connectionist temporal classification: repeated tokens are one, the padding token stands for nothing.
class Ctc : public Decoder {
public:
    Ctc(std::string pad, std::string delimiter, bool cleanup) : pad_(std::move(pad)), delimiter_(std::move(delimiter)), cleanup_(cleanup) {}
    void apply(std::vector<std::string>& tokens, bool) const override {
        tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
        for (std::string& t : tokens) {
            replaceAll(t, pad_, "");
            if (!cleanup_) continue;
            tidyUp(t);
            replaceAll(t, delimiter_, " ");
        }
        std::erase(tokens, "");
    }

private:
    std::string pad_, delimiter_;
    bool cleanup_;
};

class BpeDecoder : public Decoder {
public:
    explicit BpeDecoder(std::string suffix) : suffix_(std::move(suffix)) {}
    void apply(std::vector<std::string>& tokens, bool) const override {
        for (size_t i = 0; i < tokens.size(); ++i) replaceAll(tokens[i], suffix_, i + 1 == tokens.size() ? "" : " ");
    }

private:
    std::string suffix_;
};

class DecoderSequence : public Decoder {
public:
    explicit DecoderSequence(std::vector<DecoderPtr> parts) : parts_(std::move(parts)) {}
    void apply(std::vector<std::string>& tokens, bool raw) const override {
        for (const auto& part : parts_) part->apply(tokens, raw);
    }

private:
    std::vector<DecoderPtr> parts_;
};

using DecoderMaker = std::function<Result<DecoderPtr>(const Json&)>;
// One line per kind of decoder.
const std::map<std::string, DecoderMaker>& decoderKinds() {
    static const std::map<std::string, DecoderMaker> makers{
        {"ByteLevel", [](const Json&) -> Result<DecoderPtr> { return std::make_shared<ByteLevelDecoder>(); }},
        {"ByteFallback", [](const Json&) -> Result<DecoderPtr> { return std::make_shared<ByteFallback>(); }},
        {"Fuse", [](const Json&) -> Result<DecoderPtr> { return std::make_shared<Fuse>(); }},
        {"BPEDecoder", [](const Json& j) -> Result<DecoderPtr> { return std::make_shared<BpeDecoder>(jsonStringOr(j, "suffix", "</w>")); }},
        {"CTC", [](const Json& j) -> Result<DecoderPtr> {
             return std::make_shared<Ctc>(jsonStringOr(j, "pad_token", "<pad>"), jsonStringOr(j, "word_delimiter_token", "|"), jsonBoolOr(j, "cleanup", true));
         }},
        {"WordPiece", [](const Json& j) -> Result<DecoderPtr> {
             return std::make_shared<WordPieceDecoder>(jsonStringOr(j, "prefix", "##"), jsonBoolOr(j, "cleanup", true));
         }},
        {"Metaspace", [](const Json& j) -> Result<DecoderPtr> {
             const std::string scheme = jsonStringOr(j, "prepend_scheme", jsonBoolOr(j, "add_prefix_space", true) ? "always" : "never");
             return std::make_shared<MetaspaceDecoder>(jsonStringOr(j, "replacement", "▁"), scheme != "never");
         }},
        {"Replace", [](const Json& j) -> Result<DecoderPtr> {
             ASSAY_TRY(Replacer replacer, Replacer::make(j));
             return std::make_shared<ReplaceDecoder>(std::move(replacer));
         }},
        {"Strip", [](const Json& j) -> Result<DecoderPtr> {
             ASSAY_TRY(std::string content, jsonString(j, "content"));
             if (content.empty()) return fail(ErrorCode::kInvalidFile, "tokenizer.json: decoder Strip has no content");
             return std::make_shared<StripDecoder>(std::move(content), jsonIntegerOr(j, "start", 0), jsonIntegerOr(j, "stop", 0));
         }},
        {"Sequence", [](const Json& j) -> Result<DecoderPtr> {
             if (!j.contains("decoders") || !j["decoders"].is_array())
                 return fail(ErrorCode::kInvalidFile, "tokenizer.json: decoder Sequence has no list of decoders");
             std::vector<DecoderPtr> parts;
             for (const Json& item : j["decoders"]) {
                 ASSAY_TRY(DecoderPtr part, makeDecoder(item));
                 if (part) parts.push_back(std::move(part));
             }
             return std::make_shared<DecoderSequence>(std::move(parts));
         }},
    };
    return makers;
}

}  // namespace

Result<DecoderPtr> makeDecoder(const Json& json) {
    if (json.is_null()) return DecoderPtr();
    std::string type = jsonStringOr(json, "type", "");
    if (type.empty()) {  // old files: by the members
        for (const auto& [member, kind] : {std::pair{"suffix", "BPEDecoder"}, {"prefix", "WordPiece"}, {"pad_token", "CTC"}, {"pattern", "Replace"}, {"start", "Strip"}, {"decoders", "Sequence"}})
            if (type.empty() && json.contains(member)) type = kind;
    }
    const auto found = decoderKinds().find(type);
    if (found == decoderKinds().end()) return fail(ErrorCode::kUnsupported, "tokenizer.json: decoder \"" + type + "\" is not known", "use a tokenizer.json of the format's version 1.0");
    return found->second(json);
}

}  // namespace assay::data
