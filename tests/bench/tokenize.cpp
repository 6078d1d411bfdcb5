// Encodes texts as it is told on standard input, for tokenize.py, which measures the peer in turn. Replies are single lines.
//   load PATH             -> ok | error …
//   export PATH           -> writes the loaded tokenizer as a tokenizer.json
//   text PATH             documents, each a u32 length and its bytes -> ok
//   encode 1|2 [OUT]      threads -> "WALL_S CPU_S IDS ALLOCATIONS"; OUT: for each document a u32 count and its int32 ids
//   train VOCAB OUT       a BPE vocabulary from the text -> "WALL_S CPU_S"
#include <assay/data/tokenizer.h>

#include "tokenizer/bpe_trainer.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <new>
#include <sstream>
#include <thread>

using namespace assay;

namespace {
std::atomic<long> allocations{0};

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string readFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string_view> documentsOf(const std::string& bytes) {
    std::vector<std::string_view> out;
    for (size_t at = 0; at + 4 <= bytes.size();) {
        uint32_t n;
        std::memcpy(&n, bytes.data() + at, 4);
        out.emplace_back(bytes.data() + at + 4, n);
        at += 4 + size_t{n};
    }
    return out;
}

// What one thread does: it takes 128 documents at a time from a counter that all share.
struct Work {
    const data::Tokenizer* tokenizer = nullptr;
    const std::vector<std::string_view>* documents = nullptr;
    std::atomic<size_t> next{0};
    std::atomic<long> total{0};
    void run() {
        constexpr size_t kTake = 128;
        data::Encoding out;
        long ids = 0;
        for (size_t from; (from = next.fetch_add(kTake)) < documents->size();)
            for (size_t d = from; d < std::min(from + kTake, documents->size()); ++d) {
                out.ids.clear();
                tokenizer->encode((*documents)[d], {}, out);
                ids += static_cast<long>(out.ids.size());
            }
        total += ids;
    }
};

// A second thread that lives on, as in a long job: its word cache is warm.
class Second {
public:
    explicit Second(Work& work) : work_(work) {}
    ~Second() {
        stop_ = true;
        start_.arrive_and_wait();
    }
    long both() {
        start_.arrive_and_wait();
        work_.run();
        done_.arrive_and_wait();
        return work_.total;
    }

private:
    Work& work_;
    bool stop_ = false;
    std::barrier<> start_{2}, done_{2};
    std::jthread thread_{[this] {
        for (;;) {
            start_.arrive_and_wait();
            if (stop_) return;
            work_.run();
            done_.arrive_and_wait();
        }
    }};
};

void writeIds(const data::Tokenizer& tokenizer, const std::vector<std::string_view>& documents, const std::string& path) {
    std::ofstream out(path, std::ios::binary);
    for (const std::string_view document : documents) {
        const std::vector<int32_t> ids = tokenizer.encode(document);
        const auto n = static_cast<uint32_t>(ids.size());
        out.write(reinterpret_cast<const char*>(&n), 4);
        out.write(reinterpret_cast<const char*>(ids.data()), static_cast<std::streamsize>(4 * ids.size()));
    }
}
}  // namespace

void* operator new(size_t n) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* p = std::malloc(n ? n : 1)) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }

int main() {
    data::TokenizerPtr tokenizer;
    Work work;
    Second second(work);
    std::string bytes;
    std::vector<std::string_view> documents;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command, argument;
        words >> command;
        if (command == "load") {
            words >> argument;
            auto loaded = data::loadTokenizer(argument);
            if (loaded) tokenizer = *loaded;
            std::cout << (loaded ? std::string("ok") : "error " + loaded.error().text()) << std::endl;
        } else if (command == "export") {
            words >> argument;
            auto json = tokenizer->toTokenizerJson();
            if (json) std::ofstream(argument, std::ios::binary) << *json;
            std::cout << (json ? std::string("ok") : "error " + json.error().text()) << std::endl;
        } else if (command == "text") {
            words >> argument;
            bytes = readFile(argument);
            documents = documentsOf(bytes);
            std::cout << "ok" << std::endl;
        } else if (command == "encode" || command == "train") {
            long number = 1, ids = 0;
            words >> number;
            const auto start = std::chrono::steady_clock::now();
            const double cpu = cpuSeconds();
            const long before = allocations;
            if (command == "encode") {
                work.tokenizer = tokenizer.get();
                work.documents = &documents;
                work.next = 0;
                work.total = 0;
                if (number > 1) {
                    ids = second.both();
                } else {
                    work.run();
                    ids = work.total;
                }
            } else {
                auto trained = data::trainBpe(documents, number);
                if (!trained) {
                    std::cout << "error " << trained.error().text() << std::endl;
                    continue;
                }
                if (words >> argument) std::ofstream(argument, std::ios::binary) << *trained;
            }
            const double used = cpuSeconds() - cpu;
            const long made = allocations - before;
            std::printf("%.6f %.6f %ld %ld\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), used, ids, made);
            std::fflush(stdout);
            if (command == "encode" && words >> argument) writeIds(*tokenizer, documents, argument);
        }
    }
}
