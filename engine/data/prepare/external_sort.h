#pragma once
// Sorting any number of small values in a stated amount of memory: runs that fit are sorted and written, then merged (Knuth,
// The Art of Computer Programming 3, 5.4.1). What was merged is given back to the disk as it goes.
#include <algorithm>
#include <functional>
#include <type_traits>

#include "prepare/run_file.h"

namespace assay::data {

constexpr size_t kSortBytes = size_t{24} << 20;  // of one sort: its run while values are added, all windows while they are merged

template <class T>
class ExternalSort {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    explicit ExternalSort(std::string folder, size_t bytes = kSortBytes) : file_(std::move(folder)), most_(std::max<size_t>(bytes / sizeof(T), 2)) {}

    Result<void> add(const T& value) {
        if (run_.size() == most_) ASSAY_TRY_VOID(closeRun());
        if (run_.size() == run_.capacity()) run_.reserve(std::min(most_, std::max<size_t>(run_.capacity() * 2, 1024)));
        run_.push_back(value);
        return {};
    }

    // Calls take(value) → Result<void> for all of them in ascending order. Once.
    template <class Take>
    Result<void> finish(Take&& take) {
        if (runs_.empty()) {
            std::sort(run_.begin(), run_.end());
            for (const T& value : run_) ASSAY_TRY_VOID(take(value));
            run_ = {};
            return {};
        }
        if (!run_.empty()) ASSAY_TRY_VOID(closeRun());
        run_ = {};
        const size_t window = std::clamp<size_t>(most_ / runs_.size(), std::max<size_t>(4096 / sizeof(T), 1), size_t{1} << 16);
        for (Run& run : runs_) ASSAY_TRY_VOID(fill(run, window));
        const auto later = [](const Run* a, const Run* b) { return *b->next < *a->next; };
        std::vector<Run*> heap;
        for (Run& run : runs_) heap.push_back(&run);
        std::make_heap(heap.begin(), heap.end(), later);
        while (!heap.empty()) {
            std::pop_heap(heap.begin(), heap.end(), later);
            Run& run = *heap.back();
            ASSAY_TRY_VOID(take(*run.next));
            if (++run.next == run.window.data() + run.window.size()) ASSAY_TRY_VOID(fill(run, window));
            if (run.window.empty()) heap.pop_back();
            else std::push_heap(heap.begin(), heap.end(), later);
        }
        runs_.clear();
        return {};
    }
    size_t runs() const { return runs_.size(); }

private:
    struct Run {
        uint64_t begin = 0, end = 0;  // bytes of the file that are not in the window yet
        std::vector<T> window;
        const T* next = nullptr;
    };
    Result<void> closeRun() {
        std::sort(run_.begin(), run_.end());
        const uint64_t begin = file_.size();
        ASSAY_TRY_VOID(file_.append(run_.data(), run_.size() * sizeof(T)));
        runs_.push_back({begin, file_.size(), {}, nullptr});
        run_.clear();
        return {};
    }
    Result<void> fill(Run& run, size_t window) {
        const uint64_t n = std::min<uint64_t>(window * sizeof(T), run.end - run.begin);
        run.window.resize(static_cast<size_t>(n / sizeof(T)));
        ASSAY_TRY_VOID(file_.read(run.begin, run.window.data(), static_cast<size_t>(n)));
        file_.discard(run.begin, run.begin + n);
        run.begin += n;
        run.next = run.window.data();
        return {};
    }

    RunFile file_;
    size_t most_;
    std::vector<T> run_;
    std::vector<Run> runs_;
};

}  // namespace assay::data
