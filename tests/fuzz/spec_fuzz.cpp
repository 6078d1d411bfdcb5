// Fuzz target for the experiment file reader: no input may crash, hang or break the promises below. With libFuzzer
// (clang -fsanitize=fuzzer) the entry point is LLVMFuzzerTestOneInput; otherwise ASSAY_FUZZ_MAIN gives a program that
// runs every file (or every file of a folder) named on its command line once.
#include <assay/config/config.h>
#include <assay/config/spec_text.h>

#include <cstdlib>
#include <string_view>

using namespace assay::config;

static void require(bool truth) {
    if (!truth) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    // An edit by key means what was asked for, or changes nothing.
    SpecText edited{std::string(text)};
    for (const char* key : {"train.steps", "data.train.path", "quantize.schemes"}) {
        const std::string before = edited.text();
        if (edited.set(key, 5)) require(edited.find(key)->value == assay::Json(5));
        else require(edited.text() == before);
    }
    const Loaded loaded = loadSpecText(text, "fuzz.yaml", "/nonexistent");
    for (const Problem& problem : loaded.problems) require(problem.line >= 0 && (problem.line == 0) == (problem.column == 0) && !problem.message.empty());
    if (!loaded.problems.empty()) return 0;
    // What is valid survives both round trips and expands.
    auto spec = specFromJson(loaded.resolved);
    require(spec && *spec == loaded.spec);
    const Loaded again = loadSpecText(jsonToYaml(loaded.resolved), "fuzz.yaml", "/nonexistent");
    require(again.problems.empty() && again.spec == loaded.spec);
    require(!expandSpec(loaded.spec).empty());
    return 0;
}

#ifdef ASSAY_FUZZ_MAIN
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

int main(int argc, char** argv) {
    size_t runs = 0;
    auto one = [&](const std::filesystem::path& path) {
        std::ifstream in(path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
        ++runs;
    };
    for (int i = 1; i < argc; ++i) {
        if (!std::filesystem::is_directory(argv[i])) one(argv[i]);
        else
            for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i]))
                if (entry.is_regular_file()) one(entry.path());
    }
    std::printf("%zu inputs\n", runs);
    return runs ? 0 : 1;
}
#endif
