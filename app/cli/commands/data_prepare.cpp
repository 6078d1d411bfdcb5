#include <assay/config/config.h>
#include <assay/core/durable.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "command.h"
#include "registry.h"
#include "run/job.h"
#include "text/format.h"
#include "text/table.h"
#include "text/terminal.h"

namespace assay::cli {
namespace fs = std::filesystem;
namespace {

struct Options {
    std::string spec, out;
    std::vector<std::string> set;
};

Result<void> requireNewFolder(const std::string& out) {
    std::error_code error;
    if (!fs::exists(out, error) || (fs::is_directory(out, error) && fs::is_empty(out, error))) return {};
    return fail(ErrorCode::kBadUsage, fmt::format("{} exists and is not an empty folder", out), "choose a new folder for --out");
}

// What commands that were killed while they copied left beside `out`: NAME.partial-<pid>.
void removeDeadCopies(const fs::path& out) {
    std::error_code error;
    const std::string prefix = out.filename().string() + ".partial-";
    std::vector<std::string> dead;
    for (fs::directory_iterator it(out.parent_path(), error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with(prefix)) continue;
        char* rest = nullptr;
        const long pid = std::strtol(name.c_str() + prefix.size(), &rest, 10);
        if (pid > 0 && *rest == '\0' && ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) dead.push_back(it->path().string());
    }
    for (const std::string& path : dead) (void)removeTree(path);
}

// The cache keeps its folder; --out gets a copy that is whole or absent. Two commands may write to one place: each has its own.
Result<void> copyTo(const std::string& from, const std::string& out) {
    ASSAY_TRY_VOID(requireNewFolder(out));
    ASSAY_TRY_VOID(makeFolders(fs::path(out).parent_path().string()));
    removeDeadCopies(out);
    const std::string staged = fmt::format("{}.partial-{}", out, ::getpid());
    ASSAY_TRY_VOID(removeTree(staged));
    std::error_code error;
    uint64_t bytes = 0;  // asked for before, since copying itself tells a full disk as some input/output error
    for (fs::recursive_directory_iterator it(from, error), end; !error && it != end; it.increment(error)) bytes += it->is_regular_file(error) ? it->file_size(error) : 0;
    if (error) return fail(systemError("cannot read", from, error.value()));
    ASSAY_TRY_VOID(requireFreeSpace(fs::path(out).parent_path().string(), bytes));
    fs::copy(from, staged, fs::copy_options::recursive, error);
    auto done = error ? Result<void>(fail(systemError("cannot copy the prepared data to", out, error.value()))) : Result<void>();
    if (done) {
        fs::remove(out, error);  // an empty folder
        done = commitFolder(staged, out);
    }
    if (!done) (void)removeTree(staged);
    return done;
}

std::string forPeople(const Json& r) {
    const auto value = [&](const char* key) { return r.contains(key) ? formatValue(r[key]) : std::string("-"); };
    std::string dropped;
    if (auto reasons = r.find("dropped"); reasons != r.end() && reasons->is_object())
        for (const auto& [reason, count] : reasons->items()) dropped += (dropped.empty() ? "" : ", ") + safeText(reason) + " " + formatValue(count);
    std::string text = keyValues({{"documents", value("documents")},
                      {"tokens", value("tokens")},
                      {"loss tokens", value("loss_tokens")},
                      {"dropped rows", dropped.empty() ? "none" : dropped},
                      {"padding", formatPercent(jsonDoubleOr(r, "padding_fraction", 0))},
                      {"time", formatSeconds(jsonDoubleOr(r, "seconds", 0)) + " (" + value("mb_per_s") + " MB/s)"},
                      {"cache", value("cache")},
                      {"folder", value("path")}});
    if (auto near = r.find("near_duplicates"); near != r.end() && near->is_object() && jsonIntegerOr(*near, "clusters", 0) > 0)
        text += fmt::format("{} clusters of near-duplicates, one document of each is kept\n", jsonIntegerOr(*near, "clusters", 0));
    auto problems = r.find("problems");
    if (problems == r.end() || !problems->is_array() || problems->empty()) return text;
    Table table({{"row", Table::Align::kRight}, {"line", Table::Align::kRight}, {"count", Table::Align::kRight}, {"reason"}, {"hint"}});
    for (const Json& p : *problems) {
        const auto cell = [&](const char* key) { return p.contains(key) ? formatValue(p[key]) : std::string("-"); };
        table.row({cell("row"), cell("line"), cell("count"), cell("reason"), cell("hint")});
    }
    return text + "\n" + table.text(tableWidth());
}

Result<int> prepare(Context& context, const Options& options) {
    if (!options.out.empty() && !context.engineIsLocal())
        return fail(ErrorCode::kUnsupported, "--out copies the prepared folder on this machine, but with --engine it lies on the engine's",
                    "leave --out away: \"path\" of the result says where the folder is there; or prepare with the store's own engine");
    const std::string out = options.out.empty() ? std::string() : outputFolder(options.out);
    if (!out.empty()) ASSAY_TRY_VOID(requireNewFolder(out));  // before the work, not after it
    ASSAY_TRY(const config::Loaded loaded, config::loadSpecFile(options.spec, options.set));
    ASSAY_TRY_VOID(config::requireValid(loaded, options.spec));
    if (!loaded.spec.data) return fail(ErrorCode::kInvalidFile, options.spec + ": there is no data section", "add data: {train: {path: …}}");
    // Only what preparing needs: the same data gives the same cache key whatever else the file says.
    config::Spec spec;
    spec.kind = config::Kind::kPrepare;
    spec.name = loaded.spec.name;
    spec.seed = loaded.spec.seed;
    spec.threads = loaded.spec.threads;
    spec.tags = loaded.spec.tags;
    spec.data = loaded.spec.data;
    spec.model = loaded.spec.model;  // its tokenizer, when the data names none
    ASSAY_TRY(Json result, runJob(context, spec));
    if (!out.empty()) {
        ASSAY_TRY_VOID(copyTo(jsonStringOr(result, "path", ""), out));
        result["path"] = out;
    }
    context.out.result(result, [&] { return forPeople(result); });
    return 0;
}

}  // namespace

void addDataPrepare(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("data prepare", "tokenize and pack a dataset into the cache", [o](Context& c) { return prepare(c, *o); });
    app->add_option("SPEC", o->spec, "experiment file with a data section, at least data: {train: {path: FILE}, tokenizer: bytes}")->required();
    app->add_option("--out", o->out, "put a copy of the prepared folder there");
    repeated(app, "--set", o->set, "KEY=VALUE in place of what the file says, for example data.packing=best_fit");
}

}  // namespace assay::cli
