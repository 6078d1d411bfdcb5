#include <assay/infer/accuracy.h>
#include <assay/infer/session.h>

#include "kernels/kernels.h"

#include <algorithm>

namespace assay::infer {
namespace {

constexpr int64_t kChunk = 64;  // rows of logits at a time: 12 MB for a vocabulary of 49,152

struct RowScore {
    double nll = 0, z = 0;
    float kl = 0;
    int32_t best = 0;
};

struct Totals {
    std::vector<WindowSums> windows;
    std::vector<float> kl;
    int64_t sameTop1 = 0;
};

}  // namespace

Result<std::optional<std::vector<Measured>>> measure(std::span<const ModelPtr> models, const Windows& windows, ThreadPool& pool,
                                                     const ProgressSink& progress, const std::stop_token& stop) {
    int64_t longest = 0;
    for (const auto& ids : windows.ids) longest = std::max<int64_t>(longest, ids.size());
    std::vector<std::unique_ptr<Session>> sessions;
    for (const auto& model : models) {
        SessionOptions options;
        options.capacity = options.maxRows = longest;
        options.maxLogits = std::min(kChunk, longest);
        ASSAY_TRY(auto session, Session::create(model, options, pool));
        sessions.push_back(std::move(session));
    }
    std::vector<Totals> totals(models.size());
    ProgressMeter meter(progress ? progress : ProgressSink([](const Progress&) {}), "measuring accuracy", "tokens",
                        double(windows.scoredTokens));
    double done = 0;
    const int64_t vocab = models[0]->config().vocab;
    std::vector<Row> rows;
    std::vector<std::vector<RowScore>> scores(models.size(), std::vector<RowScore>(kChunk));
    std::vector<const float*> logits(models.size());
    for (const auto& ids : windows.ids) {
        if (stop.stop_requested()) return std::nullopt;
        rows.clear();
        for (size_t i = 0; i + 1 < ids.size(); ++i) rows.push_back({ids[i], 0});  // the last id is only a target
        for (auto& session : sessions) {
            session->clear(0);
            ASSAY_TRY_VOID(session->forward(rows));
        }
        for (auto& total : totals) total.windows.emplace_back();
        const int64_t end = int64_t(rows.size());
        for (int64_t first = windows.firstTarget - 1; first < end; first += kChunk) {
            const int64_t count = std::min(kChunk, end - first);
            for (size_t m = 0; m < models.size(); ++m) logits[m] = sessions[m]->logits(first, count);
            pool.parallelFor(count, [&](int64_t i, int) {
                for (size_t m = 0; m < models.size(); ++m) {
                    const float* x = logits[m] + i * vocab;
                    RowScore& score = scores[m][i];
                    score.z = kernels().logSumExp(x, vocab);
                    score.nll = score.z - double(x[ids[first + i + 1]]);
                    if (models.size() < 2) continue;
                    score.best = int32_t(std::max_element(x, x + vocab) - x);
                    if (m > 0) score.kl = float(kernels().klDivergence(logits[0] + i * vocab, x, vocab, scores[0][i].z, score.z));
                }
            });
            for (size_t m = 0; m < models.size(); ++m) {
                auto& window = totals[m].windows.back();
                window.tokens += count;
                for (int64_t i = 0; i < count; ++i) {
                    window.nll += scores[m][i].nll;
                    if (m == 0) continue;
                    window.kl += double(scores[m][i].kl);
                    totals[m].kl.push_back(scores[m][i].kl);
                    totals[m].sameTop1 += scores[m][i].best == scores[0][i].best ? 1 : 0;
                }
            }
            meter.update(done += double(count));
        }
    }
    meter.finish();
    std::vector<Measured> out;
    for (size_t m = 0; m < models.size(); ++m) {
        Measured measured{summarize(totals[m].windows, windows.scoredBytes), std::nullopt};
        if (m > 0) measured.comparison = compare(totals[0].windows, totals[m].windows, totals[m].kl, totals[m].sameTop1);
        out.push_back(std::move(measured));
    }
    return out;
}

}  // namespace assay::infer
