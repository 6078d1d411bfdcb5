#include "schema_table.h"

namespace assay::config {

using enum KeyType;
static const KeyInfo kMeasureRows[] = {
    {"quantize", kGroup, L("Quantize"), "", "", "", "", false, L("Makes smaller copies of the model."), "", "{schemes: [fp16, int8, int4-g32]}"},
    {"quantize.schemes", kSchemes, L("Schemes"), "", "", "fp16, int8, int4-g32", "", false, L("Number formats of the weights; each makes one set-up.")},
    {"quantize.keep", kTexts, L("Keep in high precision"), "", "[]", "lm_head, embed_tokens", "", true, L("Layers by name or regular expression, or {auto: share of the weights}.")},
    {"quantize.keep.auto", kNumber, L("Share to keep"), "", "", "0.001 – 0.01", "", true, L("Share of the weights that stays in high precision, chosen by its effect.")},
    {"quantize.calibration", kPath, L("Calibration text"), "", "", "", "", true, L("Text that some schemes look at to choose their scales.")},
    {"quantize.out", kPath, L("Output folder"), "", "", "", "", true, L("Where the models are written; absent: with the run.")},
    {"quantize.kv_cache", kTexts, L("Key-value cache"), "", "[]", "fp16, int8", "fp32|fp16|bf16|int8|int4", true, L("Formats of the cache to measure.")},

    {"benchmark", kGroup, L("Benchmark"), "", "", "", "", false, L("Measures speed and memory of generation."), "", "{prefill: [128], decode: 64, batch: [1], repeats: 5}"},
    {"benchmark.prefill", kIntegers, L("Prompt lengths"), L("tokens"), "[128]", "64 – 2,048", "", false, L("Tokens of the prompt; each length is measured.")},
    {"benchmark.decode", kInteger, L("Generated"), L("tokens"), "64", "32 – 256", "", false, L("Tokens that are generated after the prompt.")},
    {"benchmark.batch", kIntegers, L("Batch sizes"), L("sequences"), "[1]", "1 – 32", "", false, L("Sequences that are generated together.")},
    {"benchmark.depth", kIntegers, L("Cache depths"), L("tokens"), "[0]", "0 – 4,096", "", true, L("Tokens that are in the cache already.")},
    {"benchmark.repeats", kInteger, L("Repeats"), "", "5", "3 – 10", "", true, L("Measurements of which the median counts.")},
    {"benchmark.schemes", kSchemes, L("Schemes measured"), "", "[]", "", "", true, L("Absent: the model as it is and every quantized one.")},
    {"benchmark.serve", kGroup, L("Load test"), "", "", "", "", true, L("Serves requests that arrive over time."), "", "{requests: 100, arrivals: {poisson: 4}}"},
    {"benchmark.serve.requests", kInteger, L("Requests"), "", "100", "100 – 1,000", "", true, L("How many requests are sent.")},
    {"benchmark.serve.arrivals", kMap, L("Arrivals"), L("requests/s"), "", "{poisson: 4}", "", true, L("How requests arrive: poisson, constant, gamma, closed or trace.")},
    {"benchmark.serve.lengths", kMap, L("Lengths"), L("tokens"), "", "{prompt: 128, output: 64}", "", true, L("Tokens of prompt and answer, or a file of them.")},
    {"benchmark.serve.slo", kMap, L("Latency targets"), L("ms"), "", "{ttft_ms: 2000, tpot_ms: 200}", "", true, L("What a request must keep to count as served well.")},
    {"benchmark.serve.batching", kChoice, L("Batching"), "", "continuous", "", "continuous|static", true, L("Whether requests join a batch that runs.")},
    {"benchmark.serve.page", kInteger, L("Page"), L("tokens"), "16", "8 – 64", "", true, L("Tokens of one page of the cache.")},

    {"accuracy", kGroup, L("Accuracy"), "", "", "", "", false, L("Measures how good the model is."), "", "{perplexity: {window: 256}}"},
    {"accuracy.perplexity", kGroup, L("Perplexity"), "", "", "", "", false, L("How well the model predicts a text."), "", "{window: 256}"},
    {"accuracy.perplexity.path", kPath, L("Text"), "", "", "", "", false, L("Text to predict; absent: the held-out documents of the data.")},
    {"accuracy.perplexity.window", kInteger, L("Window"), L("tokens"), "512", "128 – 2,048", "", false, L("Tokens the model sees at once; at most its context.")},
    {"accuracy.perplexity.mode", kChoice, L("Scored tokens"), "", "full", "", "full|half", true, L("All tokens of a window, or its second half with the first as context.")},
    {"accuracy.perplexity.max_tokens", kInteger, L("At most"), L("tokens"), "0", "4,096 – 1,000,000", "", true, L("Only the first tokens of the text; 0 takes all.")},
    {"accuracy.kl_divergence", kBoolean, L("Divergence from the base"), "", "false", "", "", false, L("How far the probabilities of a quantized model are from those of its base.")},
    {"accuracy.base", kModel, L("Base model"), "", "", "", "", true, L("Model to compare with.")},
    {"accuracy.native", kBoolean, L("Native kernels"), "", "false", "", "", true, L("Evaluates with the scheme's own arithmetic instead of weights brought back to fp32.")},
    {"accuracy.tasks", kTexts, L("Tasks"), "", "", "", "", true, L("Files with multiple-choice questions.")},
    {"accuracy.classification", kGroup, L("Classification"), "", "", "", "", true, L("Accuracy on labelled texts."), "", "{path: \"\"}"},
    {"accuracy.classification.path", kPath, L("Labelled texts"), "", "", "", "", true, L("File with texts and labels.")},
    {"accuracy.classification.label", kText, L("Label column"), "", "label", "", "", true, L("Column with the label.")},

    {"generate", kGroup, L("Generate"), "", "", "", "", true, L("Writes a sample."), "", "{prompt: Once upon a time}"},
    {"generate.prompt", kText, L("Prompt"), "", "", "", "", false, L("Text to go on from.")},
    {"generate.parse_special", kBoolean, L("Read special tokens"), "", "false", "", "", true, L("Names of special tokens in the prompt are read as such.")},
    {"generate.chat", kBoolean, L("As a chat"), "", "false", "", "", false, L("Wraps the prompt in the chat template.")},
    {"generate.ignore_eos", kBoolean, L("Go past the end"), "", "false", "", "", true, L("Goes on when the model would stop.")},
    {"generate.max_tokens", kInteger, L("At most"), L("tokens"), "64", "16 – 512", "", false, L("Longest text to write.")},
    {"generate.temperature", kNumber, L("Temperature"), "", "0", "0 – 1", "", false, L("0 always takes the likeliest token.")},
    {"generate.top", kInteger, L("Top logits"), "", "0", "0 – 20", "", true, L("How many logits of the last prompt position are kept.")},

    {"verify", kGroup, L("Verify resuming"), "", "", "", "", true, L("Does some steps of a train run again from a checkpoint and compares them bit by bit."), "", "{run: \"\"}"},
    {"verify.run", kText, L("Train run"), "", "", "", "", false, L("The run whose steps are done again.")},
    {"verify.steps", kInteger, L("Steps to do again"), L("steps"), "0", "1 – 100", "", true, L("0 goes on to the next checkpoint.")},

    {"cost", kGroup, L("Cost"), "", "", "", "", true, L("What the machine costs.")},
    {"cost.hardware", kText, L("Hardware"), "", "auto", "", "", true, L("Machine of the catalogue to plan for; auto is this one.")},
    {"cost.price", kGroup, L("Price"), "", "", "", "", true, L("Price of the machine.")},
    {"cost.price.usd_per_hour", kNumber, L("Price of an hour"), "USD", "", "0.05 – 4", "", true, L("What an hour of this machine costs; absent: the catalogue's price.")},
    {"cost.electricity", kGroup, L("Electricity"), "", "", "", "", true, L("Price of electricity.")},
    {"cost.electricity.usd_per_kwh", kNumber, L("Price of a kWh"), "USD", "", "0.10 – 0.40", "", true, L("What a kilowatt-hour costs.")},

    {"inputs", kGroup, L("Inputs"), "", "", "", "", true, L("Results of earlier runs that are used instead of made again."), "", "{}"},
    {"inputs.prepared", kPath, L("Prepared data"), "", "", "", "", true, L("Folder or run with prepared data.")},
    {"inputs.model", kModel, L("Trained model"), "", "", "", "", true, L("Model of an earlier run.")},
    {"inputs.setups", kText, L("Quantized set-ups"), "", "", "", "", true, L("Run that made quantized models.")},

    {"sweep", kGroup, L("Sweep"), "", "", "", "", true, L("Runs several variants of the experiment.")},
    {"sweep.grid", kMap, L("Grid"), "", "", "{train.optimizer.lr: [1e-3, 3e-4]}", "", true, L("Keys with the values to try; every combination becomes a run.")},
    {"sweep.variants", kMap, L("Variants"), "", "", "{adamw: {}, lion: {train.optimizer.name: lion}}", "", true, L("Names with the keys that each sets otherwise; the first is the baseline that the others are compared with.")},
};

std::span<const KeyInfo> measureRows() { return kMeasureRows; }

}  // namespace assay::config
