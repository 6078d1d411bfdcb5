#define PCRE2_CODE_UNIT_WIDTH 8
#include "tokenizer/regex.h"

#include <assay/data/encoding.h>
#include <pcre2.h>

namespace assay::data {
namespace {

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
    regex->pattern_ = pattern;
    uint32_t empty = 0;
    pcre2_pattern_info(code, PCRE2_INFO_MATCHEMPTY, &empty);
    regex->matchesEmpty_ = empty != 0;
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
    if (rc == PCRE2_ERROR_NOMATCH) return false;
    if (rc < 0) {
        PCRE2_UCHAR message[160];
        pcre2_get_error_message(rc, message, sizeof message);
        throw EncodeError(Error(ErrorCode::kUnsupported, "the tokenizer's pattern " + pattern_.substr(0, 200) + " cannot be matched: " + reinterpret_cast<const char*>(message) + " at byte " +
                                                             std::to_string(from) + " of a text of " + std::to_string(text.size()) + " bytes",
                                "use a tokenizer whose pattern does not go back over the text again and again"));
    }
    const PCRE2_SIZE* span = pcre2_get_ovector_pointer(scratch.data);
    begin = span[0];
    end = span[1];
    return end >= begin;
}

void Regex::eachMatch(std::string_view text, const std::function<void(size_t begin, size_t end)>& each) const {
    size_t at = 0, b = 0, e = 0, last = std::string_view::npos;
    while (at <= text.size() && find(text, at, b, e)) {
        if (b == e && e == last) {
            do ++at;
            while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
            continue;
        }
        each(b, e);
        at = last = e;
    }
}

}  // namespace assay::data
