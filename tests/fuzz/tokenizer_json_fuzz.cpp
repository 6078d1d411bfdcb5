// A tokenizer.json from anywhere must load or be refused, and what loads must encode and decode any bytes.
#include <cstdint>
#include <string>

#include "tokenizer/hf_tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace assay::data;
    const std::string text(reinterpret_cast<const char*>(data), size);
    auto tokenizer = tokenizerFromJson(text, "fuzz");
    if (!tokenizer) return 0;
    Encoding encoding;
    const std::string sample = "Hello  wörld 12 <|endoftext|>\n\xFF▁x e\u0301 한国 a\u3000b";
    if (!tryEncode(**tokenizer, sample, {.addSpecial = true, .parseSpecial = true, .offsets = true}, encoding)) return 0;
    const std::string_view second = "second text";
    (void)(*tokenizer)->encodeDetailed(sample, {true, true, true, Truncation{.maxLength = 7, .stride = 2}, Padding{.multipleOf = 4}}, &second);
    (*tokenizer)->decode(encoding.ids);
    StreamDecoder stream(*tokenizer);
    for (const int32_t id : encoding.ids) stream.push(id);
    stream.finish();
    return 0;
}
