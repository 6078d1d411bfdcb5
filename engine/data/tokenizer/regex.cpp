#define PCRE2_CODE_UNIT_WIDTH 8
#include "tokenizer/regex.h"

#include <pcre2.h>

namespace assay::data {
namespace {

constexpr std::string_view kSpaces = R"(\x09-\x0d\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
constexpr std::string_view kWords = R"(\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{24b6}-\x{24e9}\x{1f130}-\x{1f149}\x{1f150}-\x{1f169}\x{1f170}-\x{1f189})";
constexpr size_t kMaxPattern = 64 << 10;

// Match data, JIT stack and limits of one thread.
struct Scratch {
    pcre2_match_context* context = pcre2_match_context_create(nullptr);
    pcre2_jit_stack* stack = pcre2_jit_stack_create(32 << 10, 8 << 20, nullptr);
    pcre2_match_data* data = pcre2_match_data_create(16, nullptr);
    Scratch() {
        pcre2_jit_stack_assign(context, nullptr, stack);
        pcre2_set_match_limit(context, 20'000'000);
        pcre2_set_heap_limit(context, 256 << 10);  // KiB
    }
    ~Scratch() {
        pcre2_match_data_free(data);
        pcre2_jit_stack_free(stack);
        pcre2_match_context_free(context);
    }
};

}  // namespace

Result<std::string> translatePattern(std::string_view p) {
    std::string out;
    int depth = 0;  // nesting of character classes
    for (size_t i = 0; i < p.size(); ++i) {
        const char c = p[i];
        if (c == '\\' && i + 1 < p.size()) {
            const char e = p[++i];
            const bool in = depth > 0;
            switch (e) {
                case 's': out += in ? std::string(kSpaces) : "[" + std::string(kSpaces) + "]"; break;
                case 'S': out += in ? R"(\S\x{180e})" : "[^" + std::string(kSpaces) + "]"; break;
                case 'w': out += in ? std::string(kWords) : "[" + std::string(kWords) + "]"; break;
                case 'W':
                    if (in) return fail(ErrorCode::kUnsupported, "\\W inside a character class of a tokenizer pattern");
                    out += "[^" + std::string(kWords) + "]";
                    break;
                case 'h': out += in ? "0-9A-Fa-f" : "[0-9A-Fa-f]"; break;
                case 'H':
                    if (in) return fail(ErrorCode::kUnsupported, "\\H inside a character class of a tokenizer pattern");
                    out += "[^0-9A-Fa-f]";
                    break;
                case 'b':
                case 'B':
                    if (in) {
                        out += "\\b";
                    } else {  // word boundaries by the same word class
                        const std::string w = "[" + std::string(kWords) + "]";
                        const std::string at = "(?:(?<=" + w + ")(?!" + w + ")|(?<!" + w + ")(?=" + w + "))";
                        out += e == 'b' ? at : "(?!" + at + ")";
                    }
                    break;
                case 'C':
                case 'K':
                case 'G':
                case 'g':
                case 'k': return fail(ErrorCode::kUnsupported, std::string("\\") + e + " in a tokenizer pattern");
                default: out += {c, e};
            }
            continue;
        }
        if (c == '[') {
            if (depth > 0 && i + 1 < p.size() && p[i + 1] == ':') {  // POSIX class
                const size_t close = p.find(":]", i + 2);
                if (close != p.npos) {
                    out += p.substr(i, close + 2 - i);
                    i = close + 1;
                    continue;
                }
            }
            if (depth > 0) return fail(ErrorCode::kUnsupported, "a character class inside a character class of a tokenizer pattern");
            ++depth;
            out += c;
            if (i + 1 < p.size() && p[i + 1] == '^') out += p[++i];
            if (i + 1 < p.size() && p[i + 1] == ']') out += "\\]", ++i;
            continue;
        }
        if (c == ']' && depth > 0) --depth;
        if (c == '&' && depth > 0 && i + 1 < p.size() && p[i + 1] == '&')
            return fail(ErrorCode::kUnsupported, "class intersection (&&) in a tokenizer pattern");
        out += c;
    }
    return out;
}

Result<std::shared_ptr<const Regex>> Regex::compile(const std::string& pattern) {
    if (pattern.size() > kMaxPattern) return fail(ErrorCode::kInvalidFile, "tokenizer pattern is longer than 64 KiB");
    ASSAY_TRY(const std::string translated, translatePattern(pattern));
    pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    int number = 0;
    PCRE2_SIZE at = 0;
    pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(),
                                     PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &number, &at,
                                     context);
    pcre2_compile_context_free(context);
    if (!code) {
        PCRE2_UCHAR message[160];
        pcre2_get_error_message(number, message, sizeof message);
        return fail(ErrorCode::kInvalidFile, "tokenizer pattern " + pattern + ": " + reinterpret_cast<const char*>(message));
    }
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // where it fails the interpreter is used
    std::shared_ptr<Regex> regex(new Regex);
    regex->code_ = code;
    return std::shared_ptr<const Regex>(std::move(regex));
}

Regex::~Regex() {
    if (code_) pcre2_code_free(static_cast<pcre2_code*>(code_));
}

bool Regex::find(std::string_view text, size_t from, size_t& begin, size_t& end) const {
    thread_local Scratch scratch;
    const auto* code = static_cast<const pcre2_code*>(code_);
    const auto subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    int rc = pcre2_match(code, subject, text.size(), from, 0, scratch.data, scratch.context);
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
        rc = pcre2_match(code, subject, text.size(), from, PCRE2_NO_JIT, scratch.data, scratch.context);
    if (rc < 0) return false;
    const PCRE2_SIZE* span = pcre2_get_ovector_pointer(scratch.data);
    begin = span[0];
    end = span[1];
    return end >= begin;
}

}  // namespace assay::data
