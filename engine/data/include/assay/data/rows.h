#pragma once
// A data file row by row: what people look at before they train on it. Nothing is changed on disk but a small index of row
// offsets in a cache folder, so that the millionth page of a large file does not read all before it.

#include <assay/config/spec.h>
#include <assay/core/json.h>
#include <assay/data/tokenizer.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace assay::data {

constexpr int64_t kSampleAboveBytes = int64_t{64} << 20;     // larger files are measured on a sample
constexpr int64_t kSampleBytes = int64_t{16} << 20;

struct DataRow {
    int64_t row = 0, line = 0;   // from 1; line 0: the format has no lines (Arrow, Parquet)
    bool usable = false;
    std::string reason, hint;    // why it is not used, or what is odd about it; empty: nothing
    bool odd = false;            // usable with a reason
    std::vector<std::pair<std::string, std::string>> cells;  // column → text, in the order of the row
    std::string text;            // what training would read; of conversations the messages, one a line
    std::string shape;           // text, prompt_completion, alpaca, messages, preference, kto, classification; none
};

struct RowProblemCount {
    std::string reason, hint;
    int64_t row = 0, line = 0, count = 0;  // the first one
    std::vector<int64_t> lines;            // of the first few
};

class DataFile {
public:
    // `source.columns` empty: the mapping is guessed. `cacheFolder` empty: no index is kept.
    static Result<std::shared_ptr<const DataFile>> open(const config::DataSource& source, config::Document document, const std::string& cacheFolder);
    virtual ~DataFile() = default;

    virtual const std::string& path() const = 0;
    virtual const std::string& format() const = 0;                // text, jsonl, json, csv, parquet, arrow, hf
    virtual int64_t bytes() const = 0;                            // of the file as it lies there
    virtual int64_t rows() const = 0;
    virtual const std::vector<std::string>& columns() const = 0;  // of the header, or of the first rows
    // Role → column; empty for text files. What prepareDataset needs as `columns` is source().columns.
    virtual const std::vector<std::pair<std::string, std::string>>& mapping() const = 0;
    virtual const std::string& mappingReason() const = 0;         // "a column named verse"; empty: given, or nothing to map
    virtual const std::string& shape() const = 0;                 // of most rows
    virtual const std::vector<std::pair<std::string, int64_t>>& shapes() const = 0;  // of the first rows, when the columns show it
    // How it is read: separator, encoding, split …
    virtual const std::vector<std::pair<std::string, std::string>>& details() const = 0;
    virtual const config::DataSource& source() const = 0;         // with the mapping in it where the reader's own rule would not do

    using Visit = std::function<bool(const DataRow&)>;            // false: enough
    // Rows from `first` (from 1) on. Without cells unless asked for.
    virtual Result<void> visit(int64_t first, bool cells, const Visit& visit, const std::stop_token& stop = {}) const = 0;
    // The same for rows in which a cell or the text contains `filter`.
    virtual Result<void> visitMatching(const std::string& filter, const Visit& visit, const std::stop_token& stop = {}) const = 0;
};
using DataFilePtr = std::shared_ptr<const DataFile>;

// {"format","rows","usable","columns","problems"} as inspectFiles gives it, and "bytes", "shape", "shapes", "mapping",
// "mapping_reason", "details", "sample".
// Reads row by row: memory does not grow with the file.
Result<Json> inspectRows(const std::vector<DataFilePtr>& files, const std::stop_token& stop = {});

// How conversations become text and what of it is learned, as data.template and data.loss_on say.
struct EncodeChoice {
    std::string chatTemplate = "auto";
    config::LossOn lossOn = config::LossOn::kAll;
};

struct LengthStatistics {
    int64_t rows = 0, rowsUsed = 0, tokens = 0, lossTokens = 0;  // tokens and lengths: of the rows used
    bool sampled = false;
    int64_t tokensEstimated = 0;                                 // of the whole file
    int64_t shortest = 0, longest = 0, overLengthRows = 0;
    double median = 0;
    std::vector<int64_t> edges, counts;                          // counts[i]: rows with edges[i] <= tokens < edges[i + 1]
    double paddingNone = 0, paddingConcat = 0, paddingBestFit = 0;
};
// Lengths as prepareDataset makes them (with BOS and EOS where the tokenizer has them). A file above kSampleAboveBytes is
// measured on evenly spaced blocks of rows.
Result<LengthStatistics> measureLengths(const DataFile& file, const Tokenizer& tokenizer, int64_t sequenceLength, config::OverLength overLength,
                                        const std::stop_token& stop = {}, const EncodeChoice& choice = {});

// A training sequence of the file, as prepareDataset packs it.
struct ViewToken {
    int32_t id = 0, label = -100;  // label: what the position predicts; -100: nothing
    std::string text;
    bool loss = false;             // some position predicts this token, here or at the end of an earlier sequence
    bool special = false, border = false;  // border: a document, or a stretch that does not follow the one before, begins here
};
struct SequenceView {
    int64_t row = 0, rows = 0;     // the sequence and how many there are, from 1
    bool sampled = false;          // the file was too large: sequences are those of its first rows
    std::string text;
    std::vector<ViewToken> tokens;
    int64_t lossTotal = 0;         // tokens that carry loss
    struct Part {
        int64_t line = 0, from = 0, to = 0;  // where its document begins in the file; tokens [from, to)
    };
    std::vector<Part> parts;
};
struct ViewOptions {
    int64_t row = 1, sequenceLength = 256;
    config::OverLength overLength = config::OverLength::kSplit;
    config::Packing packing = config::Packing::kConcat;
    EncodeChoice choice = {};
};
Result<SequenceView> viewSequence(const DataFile& file, const Tokenizer& tokenizer, const ViewOptions& options, const std::stop_token& stop = {});

// What the token is written as in a view; special: it is a control token, not text.
bool isSpecialToken(const Tokenizer& tokenizer, int32_t id);

}  // namespace assay::data
