#include <assay/infer/kinds.h>

#include "kinds/job_parts.h"
#include "kinds/speed.h"

#include <fmt/format.h>

#include <cmath>

namespace assay::infer {

using protocol::Outcome;

namespace {

struct Candidate {
    std::string name;
    std::string path;
    ModelPtr model;
    int64_t fileBytes = 0;
};

// benchmark.schemes quantized in memory; else the model as it is and every set-up of the job.
Result<std::vector<Candidate>> candidates(const config::Spec& spec, const JobModel& source, protocol::WorkerContext& context,
                                          ThreadPool& pool) {
    std::vector<Candidate> out;
    LoadOptions load;
    load.progress = context.progress;
    load.stop = context.stop;
    for (const auto& scheme : spec.benchmark->schemes) {
        if (!scheme.options.empty()) return fail(ErrorCode::kUnsupported, fmt::format("scheme '{}' takes no options", scheme.name));
        load.scheme = scheme.name;
        ASSAY_TRY(auto model, InferenceModel::load(*source.file, load, pool));
        const std::string name = model->scheme() == "fp32" ? setupName(source) : model->scheme();
        out.push_back({name, source.path, model, model->storedBytes()});
    }
    if (!out.empty()) return out;
    load.scheme = "native";
    ASSAY_TRY(auto model, InferenceModel::load(*source.file, load, pool));
    out.push_back({setupName(source), source.path, model, model->storedBytes()});
    for (const auto& setup : context.job.setups) {
        ASSAY_TRY(const auto name, jsonString(setup, "name"));
        ASSAY_TRY(const auto path, jsonString(setup, "path"));
        ASSAY_TRY(const auto file, model::openModel(path));
        ASSAY_TRY(auto quantized, InferenceModel::load(*file, load, pool));
        out.push_back({name, path, quantized, quantized->storedBytes()});
    }
    return out;
}

Json sampleJson(const SpeedSample& sample, bool decodes) {
    return {{"prefill_tokens_per_s", sample.prefillTokensPerS},
            {"decode_tokens_per_s", decodes ? Json(sample.decodeTokensPerS) : Json()},
            {"ttft_ms", sample.ttftMs},
            {"tpot_ms", decodes ? Json(sample.tpotMs) : Json()}};
}

double medianOf(const std::vector<SpeedSample>& samples, double SpeedSample::*field) {
    std::vector<double> values;
    for (const auto& sample : samples) values.push_back(sample.*field);
    return median(std::move(values));
}

Json entryJson(const Candidate& candidate, const Shape& shape, const std::vector<SpeedSample>& samples, int threads, int64_t peak) {
    const bool decodes = shape.decode > 0;
    const SpeedSample middle{medianOf(samples, &SpeedSample::prefillTokensPerS), medianOf(samples, &SpeedSample::decodeTokensPerS),
                             medianOf(samples, &SpeedSample::ttftMs), medianOf(samples, &SpeedSample::tpotMs)};
    Json entry = {{"scheme", candidate.name}, {"batch", shape.batch}, {"prefill", shape.prefill},
                  {"decode", shape.decode},   {"depth", shape.depth}, {"threads", threads}};
    entry.update(sampleJson(middle, decodes));
    entry["weight_bytes"] = candidate.fileBytes;
    entry["resident_weight_bytes"] = candidate.model->residentBytes();
    entry["peak_bytes"] = peak;
    entry["repeats"] = Json::array();
    for (const auto& sample : samples) entry["repeats"].push_back(sampleJson(sample, decodes));
    return entry;
}

void recordSetup(protocol::WorkerContext& context, const Candidate& candidate, const Json& entry,
                 const std::vector<SpeedSample>& samples) {
    Json speed = Json::object();
    for (const char* key : {"prefill_tokens_per_s", "decode_tokens_per_s", "prefill", "decode", "batch", "depth", "threads", "ttft_ms", "tpot_ms"})
        speed[key] = entry[key];
    std::vector<double> rates;
    for (const auto& sample : samples) rates.push_back(sample.decodeTokensPerS);
    const double error = standardError(rates);
    speed["decode_tokens_per_s_se"] = std::isnan(error) ? Json() : Json(error);
    context.events.record("setup", {{"name", candidate.name},
                                    {"scheme", candidate.model->scheme()},
                                    {"path", candidate.path},
                                    {"accuracy", Json::object()},
                                    {"speed", speed},
                                    {"bytes", {{"weights", candidate.model->residentBytes()},
                                               {"file", candidate.fileBytes},
                                               {"peak", entry["peak_bytes"]}}}});
}

Result<std::vector<Shape>> shapesOf(const config::BenchmarkSpec& spec, int64_t context) {
    std::vector<Shape> shapes;
    if (!spec.serve.is_null())
        return fail(ErrorCode::kUnsupported, "benchmark.serve is not there yet", "Leave it away; prefill and decode are measured.");
    for (const int64_t depth : spec.depth)
        for (const int64_t batch : spec.batch)
            for (const int64_t prefill : spec.prefill) {
                if (prefill < 1 || batch < 1 || depth < 0 || spec.decode < 0 || batch > 4096)
                    return fail(ErrorCode::kBadUsage, "benchmark: prompt lengths (prefill) and batch sizes (batch) must be positive, cache depths (depth) and generated tokens (decode) not negative");
                if (depth + prefill + spec.decode > context)
                    return fail(ErrorCode::kBadUsage,
                                fmt::format("benchmark: cache depth (benchmark.depth) of {}, prompt length (benchmark.prefill) of {} and generated tokens (benchmark.decode) of {} "
                                            "are more than the model's context of {}",
                                            depth, prefill, spec.decode, context),
                                "Use smaller numbers.");
                shapes.push_back({prefill, spec.decode, batch, depth});
            }
    if (shapes.empty() || spec.repeats < 1)
        return fail(ErrorCode::kBadUsage, "benchmark: nothing to measure", "Give at least one prompt length (prefill), batch size (batch), cache depth (depth) and repeat (repeats).");
    return shapes;
}

}  // namespace

Result<Outcome> runBenchmark(protocol::WorkerContext& context) {
    ASSAY_TRY(auto spec, specOf(context));
    if (!spec.benchmark) spec.benchmark.emplace();
    MemoryCounter memory;
    phase(context, "loading");
    ASSAY_TRY(const auto source, modelOf(spec));
    ASSAY_TRY(const auto shapes, shapesOf(*spec.benchmark, source.file->config().context));
    ThreadPool pool(threadsOf(spec));
    auto loaded = candidates(spec, source, context, pool);
    if (!loaded && loaded.error().code == ErrorCode::kCancelled) return Outcome::kCancelled;
    if (!loaded) return fail(std::move(loaded).error());
    const auto all = std::move(*loaded);
    int64_t weights = 0;
    for (const auto& candidate : all) weights += candidate.model->residentBytes();

    phase(context, "benchmarking");
    const int64_t repeats = spec.benchmark->repeats;
    ProgressMeter meter(context.progress, "benchmarking", "runs", double(shapes.size() * all.size() * (repeats + 1)));
    double done = 0;
    Json entries = Json::array(), summary = Json::object();
    for (const auto& shape : shapes) {
        std::vector<std::unique_ptr<Session>> sessions;
        std::vector<int64_t> peaks;
        for (const auto& candidate : all) {
            const int64_t before = memory.liveBytes();
            SessionOptions options;
            options.sequences = options.maxLogits = shape.batch;
            options.capacity = shape.depth + shape.prefill + shape.decode;
            options.maxRows = std::max<int64_t>(std::min<int64_t>(512, std::max(shape.prefill, shape.depth)), shape.batch);
            memory.resetPeak();
            ASSAY_TRY(auto session, Session::create(candidate.model, options, pool));
            // What this set-up alone would need: its weights, and the session's caches and work space.
            peaks.push_back(candidate.model->residentBytes() + memory.peakBytes() - before);
            sessions.push_back(std::move(session));
        }
        std::vector<std::vector<SpeedSample>> samples(all.size());
        // Repeat −1 warms every set-up up. Then A/B/A/B: a machine that slows down slows all of them.
        for (int64_t repeat = -1; repeat < repeats; ++repeat)
            for (size_t i = 0; i < all.size(); ++i) {
                if (context.stop.stop_requested()) return Outcome::kCancelled;
                ASSAY_TRY(const auto sample, timeOnce(*sessions[i], shape, spec.seed));
                if (repeat >= 0) samples[i].push_back(sample);
                meter.update(++done);
            }
        for (size_t i = 0; i < all.size(); ++i) {
            entries.push_back(entryJson(all[i], shape, samples[i], pool.threads(), peaks[i]));
            if (&shape != &shapes.front() && !(shape.batch == 1 && shapes.front().batch != 1)) continue;
            recordSetup(context, all[i], entries.back(), samples[i]);
            for (const char* key : {"prefill_tokens_per_s", "decode_tokens_per_s"})
                if (entries.back()[key].is_number()) summary["bench/" + all[i].name + "/" + key] = entries.back()[key];
        }
    }
    meter.finish();
    context.events.record("summary", {{"values", summary}});
    context.events.record("result", {{"data", entries}});
    return Outcome::kDone;
}

}  // namespace assay::infer
