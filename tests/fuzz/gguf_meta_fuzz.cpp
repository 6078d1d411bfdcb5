// The metadata of a GGUF from anywhere, and the tokenizer in it.
#include <cstdint>
#include <string_view>

#include "tokenizer/gguf_metadata.h"
#include "tokenizer/gguf_tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace assay::data;
    const auto metadata = GgufMetadata::parse({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (metadata) (void)tokenizerFromGguf(*metadata, "fuzz");
    return 0;
}
