#pragma once
// Running a model: key/value cache, work space, forward passes. Everything is allocated when the session is made; a decode
// step allocates nothing. One thread at a time.

#include <assay/infer/inference_model.h>

#include <span>

namespace assay::infer {

struct SessionOptions {
    int64_t sequences = 1;
    int64_t capacity = 0;     // positions of each sequence; 0: the model's context
    int64_t maxRows = 512;    // rows of one forward call
    int64_t maxLogits = 1;    // rows of one logits call
    enum class Cache { kAuto, kFp32, kFp16 } cache = Cache::kAuto;  // auto: fp32 for an fp32 model, else fp16
};

struct Row {
    int32_t id = 0;
    int32_t sequence = 0;
};

class Session {
public:
    static Result<std::unique_ptr<Session>> create(ModelPtr model, const SessionOptions& options, ThreadPool& pool);
    ~Session();

    // Appends tokens to their sequences and computes the last hidden states of all rows. Rows of one sequence must be
    // neighbours. kBadUsage when a sequence is full or an id is outside the vocabulary.
    Result<void> forward(std::span<const Row> rows);
    Result<void> prefill(std::span<const int32_t> ids, int32_t sequence);  // forward in pieces of maxRows
    // Logits [count][vocab] of rows first … of the latest forward call; valid until the next call.
    const float* logits(int64_t first, int64_t count);

    int64_t length(int32_t sequence) const;
    void clear(int32_t sequence);                   // forget all
    void truncate(int32_t sequence, int64_t length);  // forget what lies behind
    int64_t rows() const;                           // of the latest forward call
    int64_t cacheBytes() const;
    const InferenceModel& model() const;

private:
    struct State;
    explicit Session(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace assay::infer
