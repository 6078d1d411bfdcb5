#pragma once
// Dataset → tokenized, packed, content-keyed folder on disk; and what is wrong with a dataset, row by row.

#include <assay/config/spec.h>
#include <assay/core/progress.h>
#include <assay/data/tokenizer.h>

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace assay::data {

struct PrepareReport {  // CONTRACT.md, `assay data prepare`
    int64_t documents = 0, tokens = 0, lossTokens = 0;
    std::map<std::string, int64_t> dropped;  // reason → rows
    double paddingFraction = 0;
    double seconds = 0, mbPerS = 0;
    bool cacheHit = false;
    std::string path;                        // prepared folder
    int64_t evalDocuments = 0, evalTokens = 0, evalBytes = 0;
    int64_t tokensIn = 0;                    // of the documents that are trained on: tokens + what tokensLost lists
    Json tokensLost = Json::object();        // reason → tokens: over_length, truncated, no_loss
    Json problems = Json::array();           // {"file","reason","row","line","count","dropped","hint"}: first row of each reason
    Json nearDuplicates;                     // {"similarity","clusters","largest":[{"source","row","left_out"}]}; null: not looked for
    Json mixture;                            // per source {"weight","documents","tokens","epoch_tokens","epochs"}; null: every document once
    std::optional<double> bigramNll;         // interpolated Kneser-Ney bigram on the held-out tokens, nats per scored token
};
Json reportToJson(const PrepareReport& report);

struct PrepareOptions {
    std::string cacheFolder;                 // the store's cache; the prepared folder is cacheFolder/data/<key>
    std::string out;                         // --out DIR: a copy goes there; empty: none
    std::string modelTokenizer;              // tokenizer path of the model, for TokenizerSpec::kModel
    int threads = 0;
    ProgressSink progress;
    std::stop_token stop;
    uint64_t seed = 0;
};
Result<PrepareReport> prepareDataset(const config::DataSpec& spec, const PrepareOptions& options);

// {"format","rows","usable","columns","problems":[{"row","line","reason","count","hint"}]}
Result<Json> inspectFiles(const std::vector<std::string>& paths);

// A prepared folder, opened. Sequences are the units of training: a row of at most sequenceLength tokens.
class PreparedData {
public:
    static Result<std::shared_ptr<const PreparedData>> open(const std::string& folder);  // verifies checksums of shards
    virtual ~PreparedData() = default;
    virtual const Json& manifest() const = 0;
    virtual const std::string& folder() const = 0;
    virtual std::string tokenizerPath() const = 0;   // tokenizer.json inside the folder, or "bytes"
    virtual int64_t vocabSize() const = 0;
    virtual int64_t sequenceLength() const = 0;
    virtual int64_t sequences(bool evaluation) const = 0;
    virtual int64_t tokens(bool evaluation) const = 0;
    // The held-out documents as text, joined as they were (for perplexity by windows); empty path when there is none.
    virtual std::string evalTextPath() const = 0;
};
using PreparedPtr = std::shared_ptr<const PreparedData>;

}  // namespace assay::data
