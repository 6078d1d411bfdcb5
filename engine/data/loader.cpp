#include <assay/data/loader.h>

#include <assay/core/clock.h>
#include <assay/core/random.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <thread>

#include "prepare/prepared.h"

namespace assay::data {
namespace {

using FolderPtr = std::shared_ptr<const PreparedFolder>;

// Rows of about the same length stand together, so that little is padded: each stretch of an epoch's permutation is
// sorted by length, and the groups of neighbours that come out are shuffled. Both depend on the position alone.
constexpr int64_t kStretch = 1024, kGroup = 32;

// Which row stands at each position of the endless order of an experiment.
class Order {
public:
    Order(const PreparedFolder& data, uint64_t seed, bool evaluation)
        : data_(data), sequences_(std::max<int64_t>(data.sequences(evaluation), 1)), seed_(seed), evaluation_(evaluation), byLength_(data.padsToLongest()) {}
    int64_t at(int64_t position) {
        if (evaluation_) return position;
        const int64_t epoch = position / sequences_, place = position % sequences_;
        if (epoch != epoch_) {
            permutation_ = Permutation(static_cast<uint64_t>(sequences_), mixBits(seed_, static_cast<uint64_t>(epoch)));
            epoch_ = epoch;
            stretch_ = -1;
        }
        if (!byLength_) return static_cast<int64_t>(permutation_(static_cast<uint64_t>(place)));
        if (place / kStretch != stretch_) sortStretch(place / kStretch);
        return rows_[static_cast<size_t>(place % kStretch)];
    }

private:
    void sortStretch(int64_t stretch) {
        stretch_ = stretch;
        const int64_t first = stretch * kStretch, last = std::min(first + kStretch, sequences_);
        std::vector<std::pair<uint64_t, int64_t>> sorted;  // length, place in the permutation
        for (int64_t p = first; p < last; ++p) {
            const auto row = static_cast<int64_t>(permutation_(static_cast<uint64_t>(p)));
            const PreparedFolder::Row r = data_.row(false, row);
            sorted.emplace_back(r.shard->rowTokens(r.index) << 11 | static_cast<uint64_t>(p - first), row);
        }
        std::sort(sorted.begin(), sorted.end());
        // Whole groups change places; what is left over stays at the end.
        const auto groups = static_cast<uint64_t>((last - first) / kGroup);
        rows_.clear();
        if (groups > 0) {
            const Permutation shuffle(groups, mixBits(mixBits(seed_, static_cast<uint64_t>(epoch_)), static_cast<uint64_t>(stretch)));
            for (uint64_t g = 0; g < groups; ++g)
                for (uint64_t i = 0; i < kGroup; ++i) rows_.push_back(sorted[shuffle(g) * kGroup + i].second);
        }
        for (size_t i = groups * kGroup; i < sorted.size(); ++i) rows_.push_back(sorted[i].second);
    }

    const PreparedFolder& data_;
    int64_t sequences_;
    uint64_t seed_;
    bool evaluation_, byLength_;
    int64_t epoch_ = -1, stretch_ = -1;
    Permutation permutation_{1, 0};
    std::vector<int64_t> rows_;  // of the stretch
};

void fillRow(const PreparedFolder::Row& row, int64_t at, Batch& b) {
    int32_t* ids = b.ids.data() + at * b.columns;
    int32_t* labels = b.labels.data() + at * b.columns;
    int32_t* positions = b.positions.data() + at * b.columns;
    int32_t* segments = b.segments.data() + at * b.columns;
    const Shard& shard = *row.shard;
    const uint64_t token = shard.firstToken(row.index);
    const auto c = static_cast<int64_t>(shard.rowTokens(row.index));
    if (shard.small()) {
        std::copy_n(shard.small() + token, c, ids);
    } else {
        std::copy_n(shard.large() + token, c, ids);
    }
    std::copy_n(ids + 1, c - 1, labels);
    if (shard.masked())
        for (int64_t i = 1; i < c; ++i)
            if (!shard.learned(token + static_cast<uint64_t>(i))) labels[i - 1] = kNotScored;
    const uint64_t first = shard.firstSegment(row.index), last = shard.firstSegment(row.index + 1);
    int64_t begin = 0;
    for (uint64_t s = first; s < last; ++s) {
        const auto n = static_cast<int64_t>(shard.length(s));
        std::iota(positions + begin, positions + begin + n, 0);
        std::fill_n(segments + begin, n, static_cast<int32_t>(s - first));
        labels[begin + n - 1] = shard.tail(s);
        begin += n;
    }
    int64_t labelled = 0;
    for (int64_t i = 0; i < c; ++i) labelled += labels[i] != kNotScored;
    b.labelledTokens += labelled;
    b.realTokens += c;
    b.oneSegmentPerRow &= last - first <= 1;
    std::fill(ids + c, ids + b.columns, 0);
    std::fill(labels + c, labels + b.columns, kNotScored);
    std::fill(positions + c, positions + b.columns, 0);
    std::fill(segments + c, segments + b.columns, -1);
}

class ThreadedLoader : public Loader {
public:
    ThreadedLoader(FolderPtr data, const LoaderOptions& options) : data_(std::move(data)), options_(options), sequences_(data_->sequences(options.evaluation)) {
        const size_t bytes = static_cast<size_t>(options_.microBatch) * static_cast<size_t>(data_->sequenceLength()) * 4 * sizeof(int32_t);
        slots_.resize(std::clamp<size_t>(options_.queueBytes / std::max<size_t>(bytes, 1), 1, 256));
        const auto workers = std::clamp<size_t>(static_cast<size_t>(std::max(options_.workers, 1)), 1, slots_.size());
        for (size_t i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
    }
    ~ThreadedLoader() override {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        freed_.notify_all();
        for (std::thread& t : threads_) t.join();
    }

    Result<void> next(Batch& out) override {
        std::unique_lock lock(mutex_);
        Slot& slot = slots_[static_cast<size_t>(wanted_) % slots_.size()];
        if (!slot.ready) {
            const double from = monotonicSeconds();
            filled_.wait(lock, [&] { return slot.ready; });
            waited_ += monotonicSeconds() - from;
        }
        std::swap(out, slot.batch);  // the caller's old buffers are filled next
        slot.ready = false;
        ++wanted_;
        lock.unlock();
        freed_.notify_all();
        return {};
    }
    double waitSeconds() const override {
        const std::lock_guard lock(mutex_);
        return waited_;
    }

private:
    struct Slot {
        Batch batch;
        bool ready = false;
    };

    void work() {
        Order order(*data_, options_.seed, options_.evaluation);
        for (;;) {
            std::unique_lock lock(mutex_);
            freed_.wait(lock, [&] { return stopping_ || taken_ - wanted_ < static_cast<int64_t>(slots_.size()); });
            if (stopping_) return;
            const int64_t number = taken_++;
            Slot& slot = slots_[static_cast<size_t>(number) % slots_.size()];
            lock.unlock();
            assemble(number, order, slot.batch);  // nobody else touches a slot between taking and filling
            lock.lock();
            slot.ready = true;
            lock.unlock();
            filled_.notify_all();
        }
    }

    void assemble(int64_t number, Order& order, Batch& b) const {
        const int64_t group = options_.microBatch * options_.world;
        const int64_t first = options_.startSequence + number * group + options_.rank;
        int64_t rows = options_.microBatch;
        if (options_.evaluation) {
            const int64_t left = sequences_ - first;
            rows = left <= 0 ? 0 : std::min(rows, (left + options_.world - 1) / options_.world);
        }
        b.rows = rows;
        std::vector<PreparedFolder::Row> wanted(static_cast<size_t>(rows));
        for (int64_t r = 0; r < rows; ++r) wanted[static_cast<size_t>(r)] = data_->row(options_.evaluation, order.at(first + r * options_.world));
        b.columns = data_->sequenceLength();
        if (data_->padsToLongest()) {
            uint64_t longest = 1;
            for (const auto& row : wanted) longest = std::max(longest, row.shard->rowTokens(row.index));
            b.columns = static_cast<int64_t>(longest);
        }
        const auto size = static_cast<size_t>(b.rows * b.columns);
        for (auto* v : {&b.ids, &b.labels, &b.positions, &b.segments}) v->resize(size);
        b.oneSegmentPerRow = true;
        b.realTokens = b.labelledTokens = 0;
        b.firstSequence = options_.evaluation || sequences_ == 0 ? first : first % sequences_;
        for (int64_t r = 0; r < rows; ++r) fillRow(wanted[static_cast<size_t>(r)], r, b);
    }

    const FolderPtr data_;
    const LoaderOptions options_;
    const int64_t sequences_;
    mutable std::mutex mutex_;
    std::condition_variable filled_, freed_;
    std::vector<Slot> slots_;
    int64_t taken_ = 0, wanted_ = 0;  // batches begun by workers, handed out
    double waited_ = 0;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace

Result<std::unique_ptr<Loader>> Loader::create(PreparedPtr data, const LoaderOptions& o) {
    auto folder = std::dynamic_pointer_cast<const PreparedFolder>(data);
    if (!folder) return fail(ErrorCode::kInternal, "the loader needs data opened by PreparedData::open");
    if (o.microBatch < 1 || o.world < 1 || o.rank < 0 || o.rank >= o.world || o.startSequence < 0)
        return fail(ErrorCode::kBadUsage, "loader: micro-batch, rank, world size or start are out of range");
    const int64_t sequences = folder->sequences(o.evaluation);
    if (sequences == 0 && !o.evaluation) return fail(ErrorCode::kInvalidFile, folder->folder() + " holds no training sequences");
    return std::make_unique<ThreadedLoader>(std::move(folder), o);
}

}  // namespace assay::data
