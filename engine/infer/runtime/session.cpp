#include <assay/infer/session.h>

#include "kernels/kernels.h"
#include "runtime/attention.h"
#include "runtime/experts.h"
#include "runtime/matmul.h"
#include "runtime/rope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace assay::infer {
namespace {

// Work on single rows is too short to share.
template <class F>
void forRows(ThreadPool& pool, int64_t rows, F&& f) {
    if (rows <= 8) {
        for (int64_t r = 0; r < rows; ++r) f(r, 0);
    } else {
        pool.parallelFor(rows, f);
    }
}

void geluExact(float* x, int64_t n) {
    for (int64_t i = 0; i < n; ++i) x[i] *= 0.5f * (1.0f + std::erf(x[i] * 0.70710678f));
}

}  // namespace

struct Session::State {
    ModelPtr model;
    ThreadPool& pool;
    SessionOptions options;
    KvCache cache;
    RopeTable rope;
    // Work space, one row each: hidden state, its norm, q|k|v, attention output, gate, up, layer output.
    Buffer hidden, normed, mixed, attended, gate, up, out, quantized, scores, headInput, logits;
    int64_t queryColumns = 0, keyColumns = 0, rows = 0;
    std::vector<Segment> segments;
    std::vector<int64_t> positions;  // of each row
    ExpertRows routed;

    State(ModelPtr m, ThreadPool& p, const SessionOptions& o) : model(std::move(m)), pool(p), options(o) {}
    Result<void> prepare();
    Result<void> place(std::span<const Row> input);
    void embed(std::span<const Row> input);
    void normalize(const Norm& norm, const float* in, float* to, int64_t count);
    void attention(const LayerWeights& layer, int64_t index);
    void mlp(const LayerWeights& layer);
    void experts(const LayerWeights& layer);
    void project(const Linear& linear, const float* in, int64_t columns, int64_t stride);
    void apply(Activations x, std::span<const Product> products) {
        quantizeFor(pool, x, products, quantized.as<char>());
        multiply(pool, x, products);
    }
};

Result<void> Session::State::prepare() {
    const auto& c = model->config();
    if (options.capacity <= 0) options.capacity = c.context;
    if (options.capacity > c.context)
        return fail(ErrorCode::kBadUsage,
                    fmt::format("{} positions are more than the model's context of {}", options.capacity, c.context),
                    "Use a shorter prompt, window, depth or max_tokens.");
    const int64_t n = options.maxRows = std::min(options.maxRows, options.sequences * options.capacity);
    queryColumns = c.heads * c.headDim;
    keyColumns = c.kvHeads * c.headDim;
    if (model->rms()) {
        ASSAY_TRY(rope, makeRopeTable(c, options.capacity));
    }
    const bool half = options.cache == SessionOptions::Cache::kFp16 ||
                      (options.cache == SessionOptions::Cache::kAuto && model->scheme() != "fp32");
    ASSAY_TRY(cache, KvCache::create(c, options.sequences, options.capacity, half));
    const auto floats = [](Buffer& buffer, int64_t count) -> Result<void> {
        ASSAY_TRY(buffer, Buffer::allocate(count * 4));
        return {};
    };
    ASSAY_TRY_VOID(floats(hidden, n * c.hidden));
    ASSAY_TRY_VOID(floats(normed, n * c.hidden));
    ASSAY_TRY_VOID(floats(mixed, n * (queryColumns + 2 * keyColumns)));
    ASSAY_TRY_VOID(floats(attended, n * queryColumns));
    const int64_t choices = c.experts > 0 ? n * c.expertsPerToken : n;  // rows that go through an MLP
    ASSAY_TRY_VOID(floats(gate, choices * c.ffn));
    if (model->rms()) ASSAY_TRY_VOID(floats(up, choices * c.ffn));
    if (c.experts > 0) ASSAY_TRY_VOID(routed.prepare(c, n));
    ASSAY_TRY_VOID(floats(out, n * c.hidden));
    ASSAY_TRY_VOID(floats(scores, pool.threads() * attentionScratch(c, options.capacity)));
    ASSAY_TRY_VOID(floats(headInput, options.maxLogits * c.hidden));
    ASSAY_TRY_VOID(floats(logits, options.maxLogits * c.vocab));
    const int64_t widest = std::max({c.hidden, c.ffn, queryColumns});
    ASSAY_TRY(quantized, Buffer::allocate(quantizedBytes(std::max(n, options.maxLogits), widest)));
    segments.reserve(n);
    positions.reserve(n);
    return {};
}

Result<void> Session::State::place(std::span<const Row> input) {
    const auto& c = model->config();
    if (int64_t(input.size()) > options.maxRows || input.empty())
        return fail(ErrorCode::kInternal, fmt::format("{} rows for a session of {}", input.size(), options.maxRows));
    segments.clear();
    positions.clear();
    for (int64_t i = 0; i < int64_t(input.size()); ++i) {
        if (input[i].id < 0 || input[i].id >= c.vocab)
            return fail(ErrorCode::kBadUsage, fmt::format("token id {} is outside the model's vocabulary of {}", input[i].id, c.vocab),
                        "The tokenizer does not belong to this model.");
        if (segments.empty() || segments.back().sequence != input[i].sequence)
            segments.push_back({input[i].sequence, i, 0, cache.length(input[i].sequence)});
        auto& segment = segments.back();
        positions.push_back(segment.start + segment.count++);
        if (positions.back() >= options.capacity)
            return fail(ErrorCode::kBadUsage, fmt::format("the sequence is full at {} positions", options.capacity),
                        "Use a shorter prompt or fewer new tokens; the model's context is the limit.");
    }
    rows = int64_t(input.size());
    return {};
}

void Session::State::embed(std::span<const Row> input) {
    const int64_t width = model->config().hidden;
    forRows(pool, rows, [&](int64_t r, int) {
        float* to = hidden.as<float>() + r * width;
        model->embedding().readRow(input[r].id, to);
        if (model->positions().bytes() > 0) kernels().add(to, model->positions().as<float>() + positions[r] * width, width);
    });
}

void Session::State::normalize(const Norm& norm, const float* in, float* to, int64_t count) {
    const int64_t width = model->config().hidden;
    const float epsilon = float(model->config().normEps);
    forRows(pool, count, [&](int64_t r, int) {
        if (model->rms()) kernels().rmsNorm(in + r * width, norm.weight.as<float>(), width, epsilon, to + r * width);
        else kernels().layerNorm(in + r * width, norm.weight.as<float>(), norm.biasData(), width, epsilon, to + r * width);
    });
}

// hidden += linear(in)
void Session::State::project(const Linear& linear, const float* in, int64_t columns, int64_t stride) {
    const int64_t width = model->config().hidden;
    const Product product{linear.weight.get(), linear.biasData(), out.as<float>(), width};
    apply({in, rows, columns, stride}, {&product, 1});
    forRows(pool, rows, [&](int64_t r, int) { kernels().add(hidden.as<float>() + r * width, out.as<float>() + r * width, width); });
}

void Session::State::attention(const LayerWeights& layer, int64_t index) {
    const auto& c = model->config();
    const int64_t stride = queryColumns + 2 * keyColumns;
    float* q = mixed.as<float>();
    normalize(layer.attentionNorm, hidden.as<float>(), normed.as<float>(), rows);
    Product products[3];
    int64_t column = 0;
    size_t count = 0;
    for (const auto& part : layer.input) {
        products[count++] = {part.weight.get(), part.biasData(), q + column, stride};
        column += part.weight->rows();
    }
    apply({normed.as<float>(), rows, c.hidden, c.hidden}, {products, count});
    const auto store = [&](int64_t r, const Segment& segment) {
        float* row = q + r * stride;
        if (layer.queryNorm.weight.bytes() > 0) {
            const float epsilon = float(c.normEps);
            for (int64_t h = 0; h < c.heads + c.kvHeads; ++h) {
                float* head = row + h * c.headDim;
                kernels().rmsNorm(head, (h < c.heads ? layer.queryNorm : layer.keyNorm).weight.as<float>(), c.headDim, epsilon, head);
            }
        }
        if (model->rms()) {
            const float* cosines = rope.cosines.data() + positions[r] * rope.half;
            const float* sines = rope.sines.data() + positions[r] * rope.half;
            for (int64_t h = 0; h < c.heads + c.kvHeads; ++h) kernels().rotate(row + h * c.headDim, cosines, sines, rope.half);
        }
        cache.write(index, segment.sequence, positions[r], row + queryColumns, row + queryColumns + keyColumns);
    };
    for (const auto& segment : segments)
        forRows(pool, segment.count, [&](int64_t r, int) { store(segment.first + r, segment); });
    attend(pool, cache, index, c, segments, q, stride, attended.as<float>(), scores.as<float>());
    project(layer.output, attended.as<float>(), queryColumns, queryColumns);
}

// hidden += Σ share · expert(normed) over the experts of each row.
void Session::State::experts(const LayerWeights& layer) {
    const auto& c = model->config();
    routed.route(pool, layer.router.as<float>(), normed.as<float>(), rows);
    for (size_t e = 0; e < layer.experts.size(); ++e) {
        const int64_t first = routed.first(e), count = routed.first(e + 1) - first;
        if (count == 0) continue;
        const Expert& expert = layer.experts[e];
        float *in = routed.rows() + first * c.hidden, *inner = gate.as<float>() + first * c.ffn, *other = up.as<float>() + first * c.ffn;
        const Product products[2] = {{expert.gate.weight.get(), nullptr, inner, c.ffn}, {expert.up.weight.get(), nullptr, other, c.ffn}};
        apply({in, count, c.hidden, c.hidden}, products);
        forRows(pool, count, [&](int64_t r, int) { kernels().siluMultiply(inner + r * c.ffn, other + r * c.ffn, c.ffn, inner + r * c.ffn); });
        const Product down{expert.down.weight.get(), nullptr, in, c.hidden};
        apply({inner, count, c.ffn, c.ffn}, {&down, 1});
    }
    routed.mix(pool, hidden.as<float>(), rows);
}

void Session::State::mlp(const LayerWeights& layer) {
    const auto& c = model->config();
    normalize(layer.mlpNorm, hidden.as<float>(), normed.as<float>(), rows);
    if (!layer.experts.empty()) return experts(layer);
    float* first = gate.as<float>();
    Product products[2] = {{layer.up[0].weight.get(), layer.up[0].biasData(), first, c.ffn}, {}};
    if (layer.up.size() == 2) products[1] = {layer.up[1].weight.get(), layer.up[1].biasData(), up.as<float>(), c.ffn};
    apply({normed.as<float>(), rows, c.hidden, c.hidden}, {products, layer.up.size()});
    const bool gated = layer.up.size() == 2, exact = c.activation == "gelu";
    forRows(pool, rows, [&](int64_t r, int) {
        float* row = first + r * c.ffn;
        if (gated) kernels().siluMultiply(row, up.as<float>() + r * c.ffn, c.ffn, row);
        else if (exact) geluExact(row, c.ffn);
        else kernels().geluTanh(row, c.ffn);
    });
    project(layer.down, first, c.ffn, c.ffn);
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(ModelPtr model, const SessionOptions& options, ThreadPool& pool) {
    auto state = std::make_unique<State>(std::move(model), pool, options);
    ASSAY_TRY_VOID(state->prepare());
    return std::unique_ptr<Session>(new Session(std::move(state)));
}

Result<void> Session::forward(std::span<const Row> rows) {
    auto& s = *state_;
    ASSAY_TRY_VOID(s.place(rows));
    s.embed(rows);
    for (int64_t i = 0; i < s.model->config().layers; ++i) {
        s.attention(s.model->layers()[i], i);
        s.mlp(s.model->layers()[i]);
    }
    for (const auto& segment : s.segments) s.cache.setLength(segment.sequence, segment.start + segment.count);
    return {};
}

Result<void> Session::prefill(std::span<const int32_t> ids, int32_t sequence) {
    std::vector<Row> rows;
    rows.reserve(std::min<int64_t>(ids.size(), state_->options.maxRows));
    for (size_t begin = 0; begin < ids.size(); begin += rows.size()) {
        rows.clear();
        for (size_t i = begin; i < ids.size() && int64_t(rows.size()) < state_->options.maxRows; ++i) rows.push_back({ids[i], sequence});
        ASSAY_TRY_VOID(forward(rows));
    }
    return {};
}

const float* Session::logits(int64_t first, int64_t count) {
    auto& s = *state_;
    const auto& c = s.model->config();
    ASSAY_CHECK(first >= 0 && count > 0 && count <= s.options.maxLogits && first + count <= s.rows, "logits outside the last forward call");
    s.normalize(s.model->finalNorm(), s.hidden.as<float>() + first * c.hidden, s.headInput.as<float>(), count);
    const Product product{&s.model->head(), nullptr, s.logits.as<float>(), c.vocab};
    s.apply({s.headInput.as<float>(), count, c.hidden, c.hidden}, {&product, 1});
    return s.logits.as<float>();
}

int64_t Session::length(int32_t sequence) const { return state_->cache.length(sequence); }
void Session::clear(int32_t sequence) { state_->cache.setLength(sequence, 0); }
void Session::truncate(int32_t sequence, int64_t length) {
    state_->cache.setLength(sequence, std::min(length, state_->cache.length(sequence)));
}
int64_t Session::rows() const { return state_->rows; }
int64_t Session::cacheBytes() const { return state_->cache.bytes(); }
const InferenceModel& Session::model() const { return *state_->model; }

}  // namespace assay::infer
