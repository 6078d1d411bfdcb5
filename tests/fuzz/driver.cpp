// Runs a fuzz target without libFuzzer: `PROGRAM SECONDS FOLDER` feeds it every file of FOLDER as it is, then random changes
// of them until the time is over. The seed is printed, and the input at work is kept in FOLDER.current for a look after a crash.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

std::string changed(const std::vector<std::string>& seeds, std::mt19937_64& random) {
    const auto below = [&](size_t n) { return n ? random() % n : 0; };
    std::string bytes = seeds[below(seeds.size())];
    for (size_t changes = 1 + below(8); changes > 0; --changes) {
        const size_t at = below(bytes.size() + 1);
        switch (below(6)) {
            case 0: bytes.insert(at, 1, static_cast<char>(random())); break;
            case 1: bytes.erase(at, 1 + below(16)); break;
            case 2: bytes.resize(at); break;
            case 3: {  // a piece of another seed
                const std::string& other = seeds[below(seeds.size())];
                bytes.insert(at, other.substr(below(other.size() + 1), below(64)));
                break;
            }
            case 4:  // a length field that lies
                for (size_t i = at; i < bytes.size() && i < at + 8; ++i) bytes[i] = below(2) ? '\xff' : '\x7f';
                break;
            default:
                if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        }
    }
    return bytes;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[1]));
    const std::string current = std::string(argv[2]) + ".current";
    std::vector<std::string> seeds{std::string()};
    for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
        std::ifstream in(entry.path(), std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    size_t inputs = 0;
    const auto one = [&](const std::string& bytes) {
        std::ofstream(current, std::ios::binary) << bytes;
        LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
        ++inputs;
    };
    const uint64_t seed = std::random_device()();
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    std::fflush(stdout);
    std::mt19937_64 random(seed);
    for (const std::string& bytes : seeds) one(bytes);
    while (std::chrono::steady_clock::now() < end) one(changed(seeds, random));
    std::filesystem::remove(current);
    std::printf("%zu inputs\n", inputs);
}
