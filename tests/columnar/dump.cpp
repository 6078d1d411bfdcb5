// What the readers of engine/data make of a data file, for columnar_oracle_test.py.
//   columnar_dump PATH [FORMAT [COLUMN…]]  each row as {"column": [kind, text]} or {"fault": reason}, then {"rows": counted,
//                                          "stated": by the reader, "format", "details"}; an error: {"error"} and exit code 1
//   columnar_dump --damage PATH FOLDER N   reads PATH cut at N places and with N bits turned over, each a new file in FOLDER:
//                                          {"cut_refused", "flipped_refused", "tried"}; a file that was cut must be refused
//   columnar_dump --prepare PATH CACHE TOKENIZER LENGTH PACKING LOSS_ON   the last fifth is held out, unless PATH is
//                                          prepared data; {"path"} of the folder, "cache"
#include <assay/core/durable.h>
#include <assay/core/json.h>
#include <assay/data/prepare.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>

#include "import/row_reader.h"

namespace {
using namespace assay;

int print(const Json& json) {
    std::printf("%s\n", dumpJson(json).c_str());
    return 0;
}

template <class OnBatch>
Result<Json> readAll(const data::RowRequest& request, OnBatch&& onBatch) {
    ASSAY_TRY(auto reader, data::openRows(request));
    data::RowBatch batch;
    int64_t rows = 0;
    for (;;) {
        ASSAY_TRY(const bool more, reader->next(batch));
        if (!more) break;
        if (batch.empty() || batch.row(0).number != rows + 1) return fail(ErrorCode::kInternal, "rows are misnumbered");
        rows += static_cast<int64_t>(batch.size());
        onBatch(batch);
    }
    return Json{{"rows", rows}, {"stated", reader->rowCount()}, {"format", reader->format()}, {"details", reader->details()}};
}

void printRows(const data::RowBatch& batch) {
    for (size_t r = 0; r < batch.size(); ++r) {
        Json row = Json::object();
        if (const auto* fault = batch.fault(r)) row["fault"] = fault->reason;
        for (size_t c = 0; c < batch.columns().size() && !batch.fault(r); ++c) {
            const data::Cell cell = batch.cell(r, c);
            row[batch.columns()[c]] = Json::array({static_cast<int>(cell.kind), std::string(cell.text)});
        }
        print(row);
    }
}

int damage(const std::string& path, const std::string& folder, size_t count) {
    auto bytes = readFile(path);
    if (!bytes) return 2;
    const std::string broken = folder + "/broken" + path.substr(path.rfind('.'));
    size_t cut = 0, flipped = 0, tried = 0;
    std::mt19937_64 random(1);
    const auto refused = [&](std::string_view content) {
        std::remove(broken.c_str());
        std::ofstream(broken, std::ios::binary) << content;
        data::RowRequest request;
        request.path = broken;
        size_t seen = 0;
        ++tried;
        const auto result = readAll(request, [&](const data::RowBatch& batch) {
            for (size_t r = 0; r < batch.size(); ++r)
                for (size_t c = 0; c < batch.row(r).cells; ++c)
                    for (const char byte : batch.cell(r, c).text) seen += static_cast<unsigned char>(byte);  // every byte can be read
        });
        return !result || seen == SIZE_MAX;
    };
    for (size_t i = 0; i < count; ++i) {
        cut += refused(std::string_view(*bytes).substr(0, 1 + i * (bytes->size() - 1) / count));
        std::string other = *bytes;
        other[random() % other.size()] ^= static_cast<char>(1 << random() % 8);
        flipped += refused(other);
    }
    return print(Json{{"cut_refused", cut}, {"flipped_refused", flipped}, {"tried", tried}});
}

int prepare(char** arguments) {
    config::DataSpec spec;
    config::DataSource source;
    source.path = arguments[0];
    spec.train.push_back(source);
    source.split = {config::SplitRule::Kind::kLast, 20};
    if (!readFile(source.path + "/manifest.json")) spec.eval = source;  // prepared data has a part of its own
    spec.tokenizer.kind = std::strcmp(arguments[2], "bytes") == 0 ? config::TokenizerSpec::Kind::kBytes : config::TokenizerSpec::Kind::kPath;
    spec.tokenizer.path = arguments[2];
    spec.sequenceLength = std::strtol(arguments[3], nullptr, 10);
    const std::string packing = arguments[4], lossOn = arguments[5];
    spec.packing = packing == "none" ? config::Packing::kNone : packing == "concat" ? config::Packing::kConcat : config::Packing::kBestFit;
    spec.lossOn = lossOn == "all" ? config::LossOn::kAll : config::LossOn::kCompletion;
    data::PrepareOptions options;
    options.cacheFolder = arguments[1];
    const auto report = data::prepareDataset(spec, options);
    if (report) return print(Json{{"path", report->path}, {"cache", report->cacheHit ? "hit" : "miss"}});
    print(Json{{"error", errorToJson(report.error())}});
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 8 && std::strcmp(argv[1], "--prepare") == 0) return prepare(argv + 2);
    if (argc == 5 && std::strcmp(argv[1], "--damage") == 0) return damage(argv[2], argv[3], std::strtoul(argv[4], nullptr, 10));
    if (argc < 2) return 2;
    data::RowRequest request;
    request.path = argv[1];
    if (argc > 2) request.format = argv[2];
    for (int i = 3; i < argc; ++i) request.project.emplace_back(argv[i]);
    request.batchRows = 7;  // borders of batches must not show
    const auto summary = readAll(request, printRows);
    if (summary) return print(*summary);
    print(Json{{"error", errorToJson(summary.error())}});
    return 1;
}
