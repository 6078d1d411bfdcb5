// Fuzz target for the GGUF reader and its dequantization: no input may crash, hang or break the promises below. With
// libFuzzer (clang -fsanitize=fuzzer) the entry point is LLVMFuzzerTestOneInput; ASSAY_FUZZ_MAIN gives a program that runs
// the files named on its command line once.
#include <assay/model/gguf.h>

#include <cstdlib>

using namespace assay;
using namespace assay::model;

static void require(bool truth) {
    if (!truth) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    auto file = GgufFile::parse(bytes, "fuzz.gguf");
    if (!file) {
        require(!file.error().message.empty() && (file.error().code == ErrorCode::kInvalidFile || file.error().code == ErrorCode::kUnsupported));
        return 0;
    }
    for (const GgufTensor& t : (*file)->tensors()) {
        int64_t elements = 1;
        for (int64_t d : t.shape) {
            require(d > 0 && d <= INT64_MAX / elements);
            elements *= d;
        }
        const BlockSize block = blockSizeOf(t.type);
        require(t.bytes.size() == static_cast<uint64_t>(elements / block.elements * block.bytes));
        require(t.bytes.data() >= bytes.data() && t.bytes.data() + t.bytes.size() <= bytes.data() + size);
        require((*file)->find(t.name) == &t);
        // Blocks fill the memory of a tensor at most eight times over, so this is bounded by the input.
        std::vector<float> values(static_cast<size_t>(elements));
        (void)toF32(t.type, t.bytes.data(), elements, values.data());
    }
    for (const Family& family : families())
        if (family.fromGguf)
            if (auto config = family.fromGguf(**file)) (void)family.validate(*config);
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
