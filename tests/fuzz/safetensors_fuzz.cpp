// Fuzz target for the safetensors reader: no input may crash, hang or break the promises below. With libFuzzer
// (clang -fsanitize=fuzzer) the entry point is LLVMFuzzerTestOneInput; ASSAY_FUZZ_MAIN gives a program that runs the files
// named on its command line once.
#include <assay/model/model_file.h>

#include <cstdlib>

using namespace assay;
using namespace assay::model;

static void require(bool truth) {
    if (!truth) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    auto file = SafetensorsFile::parse(bytes, "fuzz.safetensors");
    if (!file) {
        require(!file.error().message.empty() && (file.error().code == ErrorCode::kInvalidFile || file.error().code == ErrorCode::kUnsupported));
        return 0;
    }
    // What is accepted tiles the data: sizes fit the shapes, views lie inside the input, one after the other, to its end.
    const char* position = nullptr;
    for (const SafetensorsEntry& e : (*file)->entries()) {
        unsigned __int128 expected = static_cast<unsigned __int128>(dtypeBytes(e.type));
        for (int64_t d : e.shape) {
            require(d >= 0);
            expected *= static_cast<unsigned __int128>(d);
        }
        require(expected == e.bytes.size());
        require(e.bytes.data() >= bytes.data() && e.bytes.data() + e.bytes.size() <= bytes.data() + size);
        require(!position || position == e.bytes.data());
        position = e.bytes.data() + e.bytes.size();
        require((*file)->find(e.name) == &e);
    }
    require(!position || position == bytes.data() + size);
    return 0;
}

#ifdef ASSAY_FUZZ_MAIN
#include <fstream>
#include <iterator>

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        std::ifstream in(argv[i], std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    }
}
#endif
