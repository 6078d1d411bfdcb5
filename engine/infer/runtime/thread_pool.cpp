#include <assay/infer/thread_pool.h>

#include <algorithm>
#include <sched.h>

namespace assay::infer {
namespace {

constexpr uint64_t kOpen = uint64_t{1} << 31, kInside = kOpen - 1;
constexpr int kSpins = 4000;  // about 50 µs: longer than any serial part of a decode step, shorter than a time slice

inline void pause() { __builtin_ia32_pause(); }

}  // namespace

int usableCores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1u, std::thread::hardware_concurrency());
}

ThreadPool::ThreadPool(int threads) {
    if (threads <= 0) threads = usableCores();
    workers_.reserve(threads - 1);
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    for (auto& worker : workers_) worker.join();
}

void ThreadPool::takeParts(int thread) {
    for (;;) {
        const int64_t index = next_.fetch_add(1, std::memory_order_relaxed);
        if (index >= count_) return;
        function_(context_, index, thread);
    }
}

void ThreadPool::run(int64_t count, Function function, void* context) {
    function_ = function;
    context_ = context;
    count_ = count;
    next_.store(0, std::memory_order_relaxed);
    const uint64_t generation = (gate_.load(std::memory_order_relaxed) >> 32) + 1;
    gate_.store(generation << 32 | kOpen);
    if (sleepers_.load() > 0) {
        std::lock_guard lock(mutex_);
        wake_.notify_all();
    }
    takeParts(0);
    gate_.fetch_and(~kOpen);  // nobody joins from here on; those inside finish their part
    for (int spins = 0; (gate_.load(std::memory_order_acquire) & kInside) != 0; ++spins) {
        if (spins < kSpins) pause();
        else sched_yield();
    }
}

void ThreadPool::work(int thread) {
    uint64_t seen = 0;
    int spins = 0;
    const auto fresh = [&](uint64_t gate) { return (gate & kOpen) != 0 && gate >> 32 != seen; };
    while (!stop_.load(std::memory_order_relaxed)) {
        uint64_t gate = gate_.load(std::memory_order_acquire);
        if (fresh(gate)) {
            if (!gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel)) continue;
            seen = gate >> 32;
            takeParts(thread);
            gate_.fetch_sub(1, std::memory_order_release);
            spins = 0;
        } else if (++spins < kSpins) {
            pause();
        } else {
            std::unique_lock lock(mutex_);
            sleepers_.fetch_add(1);
            wake_.wait(lock, [&] { return stop_.load() || fresh(gate_.load()); });
            sleepers_.fetch_sub(1);
            spins = 0;
        }
    }
}

}  // namespace assay::infer
