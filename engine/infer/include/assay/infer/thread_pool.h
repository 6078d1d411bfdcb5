#pragma once
// A few threads that spin between the many short parallel sections of a decode step (150 of them in 7 ms for a model of
// 30 layers) and sleep when nothing comes. The caller works too and never waits for a thread that has not taken a part,
// so a busy machine slows the pool down but does not stall it.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace assay::infer {

class ThreadPool {
public:
    explicit ThreadPool(int threads);  // 0: the cores this process may use
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const { return static_cast<int>(workers_.size()) + 1; }
    // Calls f(index, thread) for every index in [0, count), in any order; `thread` < threads(). One caller at a time; f must
    // not start another section and must not throw.
    template <class F>
    void parallelFor(int64_t count, F&& f) {
        if (count <= 1 || workers_.empty()) {
            for (int64_t i = 0; i < count; ++i) f(i, 0);
            return;
        }
        using Plain = std::remove_reference_t<F>;
        run(count, [](void* context, int64_t index, int thread) { (*static_cast<Plain*>(context))(index, thread); },
            const_cast<void*>(static_cast<const void*>(&f)));
    }

private:
    using Function = void (*)(void*, int64_t, int);
    void run(int64_t count, Function function, void* context);
    void work(int thread);
    void takeParts(int thread);

    // generation (high 32 bits) | open (bit 31) | threads inside (low bits)
    alignas(64) std::atomic<uint64_t> gate_{0};
    alignas(64) std::atomic<int64_t> next_{0};
    Function function_ = nullptr;
    void* context_ = nullptr;
    int64_t count_ = 0;
    alignas(64) std::atomic<int> sleepers_{0};
    std::atomic<bool> stop_{false};
    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<std::thread> workers_;
};

int usableCores();  // sched_getaffinity

}  // namespace assay::infer
