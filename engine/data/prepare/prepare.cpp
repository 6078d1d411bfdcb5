#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/process.h>
#include <assay/data/prepare.h>

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "import_ids/prepared_source.h"
#include "prepare/build.h"
#include "prepare/fast_key.h"
#include "prepare/output_folder.h"
#include "prepare/prepared.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view kBuilding = ".building-";

// Folders of builders that died. The name tells process id and start time, so that a living builder is left alone.
void removeDeadBuilds(const std::string& folder) {
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with(kBuilding)) continue;
        char* rest = nullptr;
        ProcessHandle builder;
        builder.pid = static_cast<int>(std::strtol(name.c_str() + kBuilding.size(), &rest, 10));
        if (*rest == '-') builder.startTicks = std::strtoull(rest + 1, nullptr, 10);
        if (!isAlive(builder)) (void)removeTree(it->path().string());
    }
}

std::string stagingName(const std::string& folder) {
    static std::atomic<unsigned> counter{0};
    const auto ticks = processStartTicks(::getpid());
    return folder + "/" + std::string(kBuilding) + std::to_string(::getpid()) + "-" + std::to_string(ticks.value_or(0)) + "-" + std::to_string(counter++);
}

// A folder found under the key, when it is whole. One that is damaged is taken away, so that it is built anew.
Result<std::shared_ptr<const PreparedFolder>> openCached(const std::string& target, const std::string& staging) {
    std::error_code ec;
    if (!fs::exists(target, ec)) return std::shared_ptr<const PreparedFolder>();
    auto opened = PreparedFolder::openFolder(target);
    if (opened) return std::move(*opened);
    fs::rename(target, staging, ec);  // renamed first: no reader ever sees a part of it
    if (ec) return fail(systemError("cannot replace damaged prepared data", target, ec.value()));
    ASSAY_TRY_VOID(removeTree(staging));
    return std::shared_ptr<const PreparedFolder>();
}

Result<void> copyOut(const std::string& from, const std::string& out) {
    std::error_code ec;
    const fs::path target = fs::absolute(out).lexically_normal();
    const fs::path clean = target.has_filename() ? target : target.parent_path();
    if (fs::exists(clean, ec)) {
        const bool empty = fs::is_directory(clean, ec) && fs::is_empty(clean, ec);
        if (!empty && !PreparedFolder::openFolder(clean.string()))
            return fail(ErrorCode::kBadUsage, clean.string() + " exists and is no prepared data", "name a new folder with --out");
    }
    ASSAY_TRY_VOID(makeFolders(clean.parent_path().string()));
    removeDeadBuilds(clean.parent_path().string());
    uint64_t bytes = 0;  // asked for before, since copying itself tells a full disk as some input/output error
    for (fs::directory_iterator it(from, ec), end; !ec && it != end; it.increment(ec)) bytes += it->file_size(ec);
    if (ec) return fail(systemError("cannot read", from, ec.value()));
    ASSAY_TRY_VOID(requireFreeSpace(clean.parent_path().string(), bytes));
    const StagedFolder staged(stagingName(clean.parent_path().string()));
    ASSAY_TRY_VOID(makeFolders(staged.path()));
    for (fs::directory_iterator it(from, ec), end; !ec && it != end; it.increment(ec)) {
        fs::copy_file(it->path(), fs::path(staged.path()) / it->path().filename(), ec);
        if (ec) break;
    }
    if (ec) return fail(systemError("cannot copy prepared data to", clean.string(), ec.value()));
    ASSAY_TRY_VOID(removeTree(clean.string()));
    return commitFolder(staged.path(), clean.string());
}

Result<PrepareReport> report(const PreparedFolder& folder, const PrepareOptions& options, bool hit, double begin) {
    PrepareReport r = reportFromManifest(folder.manifest(), folder.folder());
    r.cacheHit = hit;
    if (!options.out.empty()) {
        ASSAY_TRY_VOID(copyOut(folder.folder(), options.out));
        r.path = fs::absolute(options.out).lexically_normal().string();
    }
    r.seconds = monotonicSeconds() - begin;
    return r;
}

}  // namespace

Result<PrepareReport> prepareDataset(const config::DataSpec& spec, const PrepareOptions& options) {
    const double begin = monotonicSeconds();
    const std::string folder = options.cacheFolder + "/data";
    ASSAY_TRY_VOID(makeFolders(folder));
    ASSAY_TRY(const auto ready, preparedSource(spec, options));
    if (ready) return report(*ready, options, true, begin);
    const std::string fast = fastKey(spec, options);
    if (const std::string known = rememberedKey(folder, fast); !known.empty())
        if (auto opened = PreparedFolder::openFolder(folder + "/" + known)) return report(**opened, options, true, begin);
    ASSAY_TRY(PipelineInputs inputs, openInputs(spec, options));
    const Json pipeline = declaredPipeline(spec, inputs);
    const std::string key = pipelineKey(pipeline), target = folder + "/" + key;

    ASSAY_TRY(auto cached, openCached(target, stagingName(folder)));
    if (cached) {
        rememberKey(folder, fast, key);
        return report(*cached, options, true, begin);
    }
    removeDeadBuilds(folder);
    const StagedFolder staged(stagingName(folder));
    ASSAY_TRY_VOID(makeFolders(staged.path()));
    ASSAY_TRY_VOID(buildPrepared(spec, inputs, options, pipeline, key, staged.path()));
    auto committed = commitFolder(staged.path(), target);
    auto opened = PreparedFolder::openFolder(target);
    if (!committed && !opened) return fail(std::move(committed).error());  // else another builder was faster: the same content
    if (!opened) return fail(std::move(opened).error());
    rememberKey(folder, fast, key);
    return report(**opened, options, false, begin);
}

}  // namespace assay::data
