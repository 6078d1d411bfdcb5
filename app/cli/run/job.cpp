#include "run/job.h"

#include <assay/client/blobs.h>
#include <assay/config/config.h>
#include <assay/core/ids.h>
#include <assay/core/paths.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "run/follow.h"
#include "text/progress_view.h"

namespace assay::cli {
namespace fs = std::filesystem;

std::string currentFolder() {
    std::error_code ignored;
    return fs::current_path(ignored).string();
}

std::string outputFolder(const std::string& path) {
    std::string folder = absolutePath(currentFolder(), path);
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();  // what is written beside it must not lie in it
    return folder;
}

Result<std::string> modelArgument(Context& context, const std::string& text) {
    if (text.empty()) return fail(ErrorCode::kBadUsage, "the model is empty", "give a folder, a .gguf file, asset:NAME/FILE or run:ID");
    const std::string model = absolutePath(currentFolder(), text);
    if (!context.engineIsLocal() || model.starts_with("run:") || model.starts_with("blob:")) return model;
    if (model.starts_with("asset:")) {
        ASSAY_TRY_VOID(resolveAsset(model));
        return model;
    }
    std::error_code error;
    if (!fs::exists(model, error))
        return fail(ErrorCode::kNotFound, "no such model: " + model, "give a folder, a .gguf file, asset:NAME/FILE or run:ID");
    return model;
}

Result<std::string> uploadArgument(Context& context, const std::string& path) {
    if (path.starts_with("blob:")) return path;
    ASSAY_TRY(const std::string file, resolveAsset(path));
    // Said here, where the file still has its name: the engine knows it by its hash.
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) == 0) return fail(ErrorCode::kInvalidFile, path + " is empty", "name a file with text in it");
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    ProgressView view(terminalOf(STDERR_FILENO), context.options.quiet);
    return client::uploadFile(*engine, file, [&](const Progress& p) {
        view.draw({stageOf("upload", p)});
    });
}

Error namedAsGiven(Error error, const std::string& reference, const std::string& path) {
    if (!reference.starts_with("blob:") || reference == path || reference.size() < 69) return error;
    const std::string hash = reference.substr(5);
    const auto rename = [&](std::string& text) {
        for (size_t at = 0; (at = text.find(hash, at)) != text.npos;) {
            // To the left: "blob:", or the folders of the store it lies in.
            size_t begin = at;
            if (at >= 5 && text.compare(at - 5, 5, "blob:") == 0) begin = at - 5;
            else if (at >= 6 && text.compare(at - 6, 6, "blobs/") == 0)
                while (begin > 0 && std::string_view(" \t\n\"'(<").find(text[begin - 1]) == std::string_view::npos) --begin;
            text.replace(begin, at + hash.size() - begin, path);
            at = begin + path.size();
        }
    };
    rename(error.message);
    rename(error.hint);
    for (std::string& where : error.context) rename(where);
    return error;
}

Result<Submitted> submitSpec(Context& context, const Json& spec, const std::string& yaml) {
    // JSON carries UTF-8 only; a prompt or path that is something else would arrive as another one.
    if (auto carried = parseJson(dumpJson(spec), "spec"); !carried || *carried != spec)
        return fail(ErrorCode::kBadUsage, "a text or path of the command is not UTF-8", "give UTF-8 text; rename files whose names are not UTF-8");
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    Json params = {{"spec", spec}, {"idempotency_key", randomHex(16)}};
    if (!yaml.empty()) params["yaml"] = yaml;
    ASSAY_TRY(const Json reply, engine->callAgain("runs.submit", std::move(params)));
    Submitted submitted;
    ASSAY_TRY(submitted.run, jsonString(reply, "run"));
    if (auto children = reply.find("children"); children != reply.end() && children->is_array()) submitted.children = *children;
    return submitted;
}

Result<Json> runJob(Context& context, const config::Spec& spec) {
    ASSAY_TRY(const Submitted submitted, submitSpec(context, config::specToJson(spec)));
    ASSAY_TRY(const Followed followed, followRun(context, submitted.run));
    const Json& run = followed.run;
    if (followed.detached)
        return fail(ErrorCode::kCancelled, fmt::format("run {} was left while it was stopping", submitted.run), "see assay runs show " + submitted.run);
    if (jsonStringOr(run, "status", "") != "done") {
        Error error = errorOfRun(run);
        // A run's own trouble with engines or versions is not this command's: exit 1, not 4.
        if (exitCodeOf(error.code) == 4) error.code = ErrorCode::kInternal;
        return fail(std::move(error).with("run " + submitted.run));
    }
    auto result = run.find("result");
    if (result == run.end() || result->is_null())
        return fail(ErrorCode::kInternal, fmt::format("run {} ended without a result", submitted.run), "see assay runs log " + submitted.run);
    return *result;
}

}  // namespace assay::cli
