#pragma once
// Work on a stream with several threads, results in the order of the stream: one thread reads, some work, the caller's
// thread takes the results. At most `ahead` items are on the way, so memory does not grow with the stream.
#include <assay/core/error.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace assay::data {

// read: fills an item, false at the end (one thread). work: item → result (any worker; its number is given, for what
// belongs to a thread). take: results in order (the calling thread). The first error ends it all.
template <class Item, class Out>
Result<void> runOrdered(int threads, const std::function<Result<bool>(Item&)>& read, const std::function<Result<void>(int worker, Item&, Out&)>& work,
                        const std::function<Result<void>(Out&)>& take, const std::stop_token& stop) {
    struct Slot {
        Item item;
        Out out;
        std::optional<Error> error;
        bool done = false;
    };
    const int workers = threads > 0 ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const size_t ahead = static_cast<size_t>(workers) * 2 + 2;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Slot> slots;       // of the stream from `first` on; a deque keeps its elements in place
    size_t first = 0, next = 0, end = 0;  // numbers: to take, to work on, to read
    bool ended = false, abandoned = false;
    std::optional<Error> readError;

    const auto reading = [&] {
        for (;;) {
            Slot slot;
            Result<bool> more = read(slot.item);
            std::unique_lock lock(mutex);
            if (!more || !*more) {
                if (!more) readError = std::move(more).error();
                ended = true;
                changed.notify_all();
                return;
            }
            changed.wait(lock, [&] { return abandoned || end - first < ahead; });
            if (abandoned) return;
            slots.push_back(std::move(slot));
            ++end;
            changed.notify_all();
        }
    };
    const auto working = [&](int worker) {
        std::unique_lock lock(mutex);
        for (;;) {
            changed.wait(lock, [&] { return abandoned || next < end || ended; });
            if (abandoned || (next == end && ended)) return;
            Slot& slot = slots[next++ - first];
            lock.unlock();
            Result<void> result = work(worker, slot.item, slot.out);
            slot.item = Item();
            lock.lock();
            if (!result) slot.error = std::move(result).error();
            slot.done = true;
            changed.notify_all();
        }
    };
    std::vector<std::jthread> pool;
    pool.emplace_back(reading);
    for (int i = 0; i < workers; ++i) pool.emplace_back(working, i);
    const auto abandon = [&] {
        {
            const std::lock_guard lock(mutex);
            abandoned = true;
        }
        changed.notify_all();
        pool.clear();  // joins
    };
    for (;;) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return (first < end && slots.front().done) || (ended && first == end); });
        if (first == end) break;
        Slot slot = std::move(slots.front());
        lock.unlock();
        Result<void> taken;
        if (slot.error) {
            taken = fail(*slot.error);
        } else if (stop.stop_requested()) {
            taken = fail(ErrorCode::kCancelled, "cancelled");
        } else {
            taken = take(slot.out);
        }
        if (!taken) {
            abandon();
            return taken;
        }
        lock.lock();
        slots.pop_front();
        ++first;
        lock.unlock();
        changed.notify_all();
    }
    pool.clear();
    if (readError) return fail(*readError);
    if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    return {};
}

}  // namespace assay::data
