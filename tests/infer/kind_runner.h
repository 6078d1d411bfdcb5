#pragma once
// Runs a worker kind in this process, in a fresh run folder, and reads back what it wrote.
#include <assay/core/durable.h>
#include <assay/core/json.h>
#include <assay/infer/kinds.h>
#include <assay/model/model_file.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace assay::infer::test {

struct TemporaryFolder {
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "assay-infer-XXXXXX").string();
        path = ::mkdtemp(pattern.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
    std::string path;
};

struct KindRun {
    Result<protocol::Outcome> outcome = protocol::Outcome::kDone;
    std::vector<Json> records;
    Json result;                        // of the result record
    std::map<std::string, Json> setups; // by name, merged as the engine does
};

using Kind = Result<protocol::Outcome> (*)(protocol::WorkerContext&);

inline KindRun runKind(Kind kind, const Json& spec, const std::string& folder, Json setups = Json::array(),
                       std::stop_token stop = {}) {
    protocol::WorkerJob job;
    job.runId = "0123456789abc";
    job.runFolder = job.storeFolder = folder;
    job.spec = spec;
    job.setups = std::move(setups);
    KindRun run;
    {
        std::filesystem::create_directories(folder);
        auto events = protocol::EventWriter::open(folder + "/events.rank0.jsonl", job.runId, 0, 1);
        protocol::WorkerContext context{job, **events, stop, [](const Progress&) {}, 0, 1};
        run.outcome = kind(context);
        (void)(*events)->flush();
    }
    const auto text = readFile(folder + "/events.rank0.jsonl");
    for (size_t begin = 0; begin < text->size();) {
        const size_t end = text->find('\n', begin);
        Json record = *parseJson(std::string_view(*text).substr(begin, end - begin), "event");
        if (record["type"] == "result") run.result = record["data"];
        if (record["type"] == "setup") {
            Json& merged = run.setups[record["name"]];
            if (merged.is_null()) merged = Json::object();
            merged.merge_patch(record);
        }
        run.records.push_back(std::move(record));
        begin = end + 1;
    }
    return run;
}

}  // namespace assay::infer::test
