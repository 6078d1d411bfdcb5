#include "assay/protocol/job.h"

#include "assay/core/ids.h"

namespace assay::protocol {

Json jobToJson(const WorkerJob& job) {
    Json out = Json::object();
    out["assay_job"] = 1;
    out["run"] = job.runId;
    out["run_folder"] = job.runFolder;
    out["store_folder"] = job.storeFolder;
    out["attempt"] = job.attempt;
    out["resume"] = job.resume;
    out["spec"] = job.spec;
    out["setups"] = job.setups;
    return out;
}

Result<WorkerJob> jobFromJson(const Json& json) {
    if (!json.is_object()) return fail(ErrorCode::kInvalidFile, "job: not a JSON object");
    ASSAY_TRY(int64_t schema, jsonInteger(json, "assay_job"));
    if (schema != 1)
        return fail(ErrorCode::kVersionMismatch, "job: schema " + std::to_string(schema) + ", this worker reads 1", "install engine and worker of one version");
    WorkerJob job;
    ASSAY_TRY(job.runId, jsonString(json, "run"));
    if (!isRunId(job.runId)) return fail(ErrorCode::kInvalidFile, "job: \"" + job.runId + "\" is not a run id");
    ASSAY_TRY(job.runFolder, jsonString(json, "run_folder"));
    ASSAY_TRY(job.storeFolder, jsonString(json, "store_folder"));
    if (job.runFolder.empty() || job.runFolder[0] != '/' || job.storeFolder.empty() || job.storeFolder[0] != '/')
        return fail(ErrorCode::kInvalidFile, "job: run_folder and store_folder must be absolute paths");
    ASSAY_TRY(int64_t attempt, jsonInteger(json, "attempt"));
    if (attempt < 1 || attempt > 1'000'000) return fail(ErrorCode::kInvalidFile, "job: attempt " + std::to_string(attempt) + " is not in 1..1000000");
    job.attempt = static_cast<int>(attempt);
    ASSAY_TRY(job.resume, jsonBool(json, "resume"));
    auto spec = json.find("spec");
    if (spec == json.end() || !spec->is_object()) return fail(ErrorCode::kInvalidFile, "job: \"spec\" is not an object");
    job.spec = *spec;
    if (auto setups = json.find("setups"); setups != json.end()) {
        if (!setups->is_array()) return fail(ErrorCode::kInvalidFile, "job: \"setups\" is not an array");
        for (const Json& setup : *setups) {
            ASSAY_TRY(auto name, jsonString(setup, "name"));
            ASSAY_TRY(auto path, jsonString(setup, "path"));
        }
        job.setups = *setups;
    }
    return job;
}

}  // namespace assay::protocol
