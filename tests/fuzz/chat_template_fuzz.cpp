// A chat template from anywhere, and messages behind a NUL: must render within its limits or be refused, and what is
// rendered must be covered by stretches without gaps; ids and mask have the same length.
#include <assay/data/chat.h>

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace assay::data;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const size_t nul = text.find('\0');
    auto compiled = ChatTemplate::compile(text.substr(0, nul));
    if (!compiled) return 0;
    assay::Json messages = assay::Json::array({assay::Json{{"role", "user"}, {"content", "Hi <|im_end|>\n wörld"}}, assay::Json{{"role", "assistant"}, {"content", " yes "}}});
    if (nul != std::string::npos)
        if (auto given = assay::parseJson(std::string_view(text).substr(nul + 1), "messages"); given) messages = *given;
    ChatEncodeOptions options;
    options.render.limits = {.outputBytes = size_t{1} << 20, .memoryBytes = size_t{16} << 20, .steps = 300'000, .depth = 50};
    options.render.now = 0;
    const auto rendered = (*compiled)->render(messages.is_object() ? messages : assay::Json{{"messages", messages}}, options.render);
    if (rendered) {
        uint32_t end = 0;
        for (const ChatSpan& s : rendered->spans) {
            if (s.begin != end || s.end <= s.begin) std::abort();
            end = s.end;
        }
        if (end != rendered->text.size()) std::abort();
    }
    static const TokenizerPtr tokenizer = *loadTokenizer("bytes");
    const auto encoded = encodeChat(*tokenizer, **compiled, messages, options);
    if (encoded && encoded->ids.size() != encoded->lossMask.size()) std::abort();
    return 0;
}
