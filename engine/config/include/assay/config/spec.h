#pragma once
// The experiment file as typed values (CONTRACT.md, "Experiment file"). Defaults are the defaults of the file. Values are
// plain data: copy freely, compare with ==, any thread. Parsing, validation, overrides, sweeps and diffs: config.h.

#include <assay/core/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::config {

enum class Kind { kPrepare, kTrain, kEvaluate, kQuantize, kBenchmark, kGenerate, kVerify, kClaim, kPipeline };
enum class Document { kLine, kParagraph, kFile };
enum class LossOn { kAll, kAssistant, kCompletion };
enum class OverLength { kSplit, kTruncate, kDrop, kError };
enum class Packing { kNone, kConcat, kBestFit };
enum class Deduplicate { kNone, kExact, kNear };
enum class Contamination { kRemove, kKeep };
enum class Tristate { kAuto, kYes, kNo };
enum class NonFinite { kStop, kSkip, kRollback };
enum class PerplexityMode { kFull, kHalf };

struct SplitRule {  // "last 5%" | "hash 5%": the share that belongs to the evaluation set
    enum class Kind { kNone, kLast, kHash } kind = Kind::kNone;
    double percent = 0;
    bool operator==(const SplitRule&) const = default;
};

struct DataSource {
    std::string path;             // absolute, or asset: / blob: reference
    std::string format = "auto";  // auto | text | jsonl | csv | parquet | arrow | hf
    std::vector<std::pair<std::string, std::string>> columns;  // role → column name, e.g. text → body
    SplitRule split;
    double weight = 1;            // in a mixture
    std::optional<LossOn> lossOn; // held-out data: which tokens its loss counts; absent: those that are learned
    bool operator==(const DataSource&) const = default;
};

struct TokenizerSpec {
    enum class Kind { kPath, kBytes, kTrainBpe, kTrainWordPiece, kModel } kind = Kind::kModel;  // kModel: the model's own
    std::string path;
    int64_t vocab = 0;
    bool operator==(const TokenizerSpec&) const = default;
};

struct DataSpec {
    std::vector<DataSource> train;  // one, or a weighted mixture
    std::optional<DataSource> eval;
    Document document = Document::kLine;
    Deduplicate deduplicate = Deduplicate::kNone;
    double similarity = 0.8;        // near: Jaccard similarity of word shingles from which on documents count as one
    int64_t minChars = 0, maxChars = 0;  // documents that are shorter or longer are left out; 0: no limit
    std::vector<std::string> languages;  // codes; documents of other languages are left out; empty: all stay
    Contamination contamination = Contamination::kRemove;  // training documents that equal one of a separate evaluation file
    TokenizerSpec tokenizer;
    std::string chatTemplate = "auto";
    LossOn lossOn = LossOn::kAll;
    int64_t sequenceLength = 256;
    OverLength overLength = OverLength::kSplit;
    Packing packing = Packing::kConcat;
    int64_t workers = 2;
    Tristate pinMemory = Tristate::kAuto;
    bool operator==(const DataSpec&) const = default;
};

struct ModelDescription {  // model: from: {family: …}
    std::string family;    // registry name: gpt2, llama, …
    int64_t layers = 0, hidden = 0, heads = 0, kvHeads = 0, ffn = 0, context = 0;  // 0: family default
    int64_t vocab = 0;     // 0: auto, the tokenizer's size
    bool tieEmbeddings = true;
    double dropout = 0;
    int64_t experts = 0, expertsPerToken = 0;  // mixtral; 0: family default
    double routerAuxLoss = 0.001;              // mixtral: weight of the load-balance loss
    bool operator==(const ModelDescription&) const = default;
};

struct ModelSpec {
    std::string from;  // path, asset:, run: reference; empty when described
    std::optional<ModelDescription> description;
    bool operator==(const ModelSpec&) const = default;
};

struct OptimizerSpec {
    std::string name = "adamw";
    double lr = 1e-3;
    double beta1 = 0.9, beta2 = 0.95, eps = 1e-8, weightDecay = 0.1;
    double momentum = 0.9;   // sgd only
    bool nesterov = false;   // sgd only
    bool operator==(const OptimizerSpec&) const = default;
};
struct ScheduleSpec {
    std::string name = "cosine";  // constant | linear | cosine | wsd
    int64_t warmup = 0;           // steps
    double minLr = 0;
    bool operator==(const ScheduleSpec&) const = default;
};
struct PrecisionSpec {
    enum class Kind { kFp32, kAmpBf16, kAmpFp16, kBf16 } kind = Kind::kFp32;
    double scalerInit = 65536, scalerGrowth = 2, scalerBackoff = 0.5;
    int64_t scalerInterval = 2000;
    bool stochastic = false;      // bf16 weights: rounded at random instead of from an fp32 master copy
    bool operator==(const PrecisionSpec&) const = default;
};
struct CheckpointingSpec {
    enum class Kind { kNone, kFull, kSelective, kEvery, kOffload } kind = Kind::kNone;
    int64_t every = 0;
    bool operator==(const CheckpointingSpec&) const = default;
};
struct EmaSpec {
    double decay = 0.999;
    bool operator==(const EmaSpec&) const = default;
};
struct EarlyStop {
    std::string metric = "eval/loss";
    int64_t patience = 3;
    bool operator==(const EarlyStop&) const = default;
};
struct SampleSpec {  // texts that the model writes during training, always taking the likeliest token
    int64_t every = 100;  // steps
    std::vector<std::string> prompts;
    int64_t maxTokens = 64;
    bool operator==(const SampleSpec&) const = default;
};
struct CheckpointSpec {
    int64_t every = 0;  // steps; 0: at the end only
    int64_t keep = 2;
    bool background = true;
    bool operator==(const CheckpointSpec&) const = default;
};
struct ParallelSpec {
    int64_t data = 1, zero = 0, tensor = 1, pipeline = 1, expert = 1, context = 1;
    bool sequence = false;
    std::string schedule = "1f1b";
    bool operator==(const ParallelSpec&) const = default;
};
inline constexpr int64_t kSkipLimit = 10;
inline constexpr double kRollbackFactor = 0.5;
struct TrainSpec {
    std::optional<int64_t> steps;   // exactly one of steps and epochs
    std::optional<double> epochs;
    int64_t globalBatch = 8;        // sequences per optimizer step over all ranks
    int64_t microBatch = 0;         // 0: globalBatch
    OptimizerSpec optimizer;
    ScheduleSpec schedule;
    double clipNorm = 1.0;          // 0: off
    PrecisionSpec precision;
    CheckpointingSpec activationCheckpointing;
    NonFinite onNonFinite = NonFinite::kStop;
    int64_t skipLimit = kSkipLimit;            // {skip: k}: steps left out in a row before the run stops
    double rollbackFactor = kRollbackFactor;   // {rollback: f}: what the rate is multiplied by at each return
    std::optional<EmaSpec> ema;     // running average of the weights; evaluated and saved beside them
    std::optional<EarlyStop> earlyStop;
    CheckpointSpec checkpoint;
    int64_t evalEvery = 0;          // steps; 0: at the end only
    std::optional<SampleSpec> sample;
    ParallelSpec parallel;
    Json launcher = "local";
    bool operator==(const TrainSpec&) const = default;
};

struct SchemeSpec {
    std::string name;  // fp32 | fp16 | int8 | int4-g32 | …; what set-ups are called
    Json options = Json::object();
    bool operator==(const SchemeSpec&) const = default;
};
struct QuantizeSpec {
    std::vector<SchemeSpec> schemes;
    std::vector<std::string> keep;  // names or regular expressions (PCRE2) kept in high precision
    std::optional<double> keepAuto;
    std::string calibration;        // text file; may be empty
    std::string out;                // folder for `assay quantize --out`; empty: the run's artifacts/
    std::vector<std::string> kvCache;
    bool operator==(const QuantizeSpec&) const = default;
};

struct BenchmarkSpec {
    std::vector<int64_t> prefill{128};
    int64_t decode = 64;
    std::vector<int64_t> batch{1};
    std::vector<int64_t> depth{0};
    int64_t repeats = 5;
    std::vector<SchemeSpec> schemes;  // empty: the model as it is and every set-up of inputs.setups
    Json serve;                       // null when absent
    bool operator==(const BenchmarkSpec&) const = default;
};

struct PerplexitySpec {
    std::string path;  // empty: the held-out documents of the prepared data
    int64_t window = 512;
    PerplexityMode mode = PerplexityMode::kFull;
    int64_t maxTokens = 0;  // keep the first N ids; 0: all
    bool operator==(const PerplexitySpec&) const = default;
};
struct AccuracySpec {
    std::optional<PerplexitySpec> perplexity;
    bool klDivergence = false;
    std::string base;    // MODEL to compare with (evaluate); empty: none
    bool native = false; // evaluate with the scheme's own kernels instead of weights dequantized to fp32
    Json tasks;
    Json classification;
    bool operator==(const AccuracySpec&) const = default;
};

struct GenerateSpec {  // kind: generate, made by `assay generate`
    std::string prompt;
    bool parseSpecial = false, chat = false, ignoreEos = false;
    int64_t maxTokens = 64;
    double temperature = 0;
    int64_t top = 0;
    bool operator==(const GenerateSpec&) const = default;
};

// kind: verify, made by `assay runs verify-resume`: beside it stand the sections of the train run that is done again in part.
struct VerifySpec {
    std::string run;    // run: reference; the folder of the train run when the worker starts
    int64_t steps = 0;  // 0: up to the next checkpoint
    bool operator==(const VerifySpec&) const = default;
};

struct CostSpec {
    std::string hardware = "auto";
    std::optional<double> usdPerHour;
    std::optional<double> usdPerKwh;
    bool operator==(const CostSpec&) const = default;
};

struct InputsSpec {  // results of sibling runs; filled in by the pipeline, run: references or absolute paths
    std::string prepared;  // data folder made by a prepare run
    std::string model;     // model folder of a train run
    std::string setups;    // run that made quantized set-ups
    bool operator==(const InputsSpec&) const = default;
};

struct Spec {
    std::string name;
    Kind kind = Kind::kPipeline;
    std::vector<Kind> stages;  // pipeline only
    uint64_t seed = 1234;
    std::vector<uint64_t> seeds;  // more than one: one run each
    int64_t threads = 0;          // CPU threads per rank; 0: auto (physical cores visible to the process)
    std::string device = "auto";  // auto | cpu | cuda
    std::vector<std::string> tags;
    std::optional<DataSpec> data;
    std::optional<ModelSpec> model;
    Json method = "full";
    std::optional<TrainSpec> train;
    std::optional<QuantizeSpec> quantize;
    std::optional<BenchmarkSpec> benchmark;
    std::optional<AccuracySpec> accuracy;
    std::optional<GenerateSpec> generate;
    std::optional<VerifySpec> verify;
    CostSpec cost;
    InputsSpec inputs;
    Json sweep;  // {"grid": {key: [values]}} or {"variants": {name: {key: value}}}; null when absent
    bool operator==(const Spec&) const = default;
};

}  // namespace assay::config
