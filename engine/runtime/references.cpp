// run: and blob: references of a spec → absolute paths, when a worker is about to start.
#include "runtime_state.h"

#include "assay/core/ids.h"

#include <sys/stat.h>

#include <filesystem>

namespace assay::runtime {
namespace {

constexpr int kMaxHops = 16;

bool exists(const std::string& path) {
    struct stat st {};
    return ::stat(path.c_str(), &st) == 0;
}

// A name that is one path component and nothing else.
bool isPlainName(const std::string& name) {
    return !name.empty() && name.size() <= 128 && name != "." && name != ".." && name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

class References {
public:
    References(store::Store& store, store::Reader& reader) : store_(store), reader_(reader) {}

    Result<Json> walk(const Json& value, const std::string& path) {
        if (value.is_object()) {
            Json out = Json::object();
            for (const auto& [key, item] : value.items()) {
                ASSAY_TRY(out[key], walk(item, path.empty() ? key : path + "." + key));
            }
            return out;
        }
        if (value.is_array()) {
            Json out = Json::array();
            for (const Json& item : value) {
                ASSAY_TRY(Json done, walk(item, path));
                out.push_back(std::move(done));
            }
            return out;
        }
        if (!value.is_string()) return value;
        const auto& text = value.get_ref<const std::string&>();
        // Free text may begin with anything.
        if (path == "name" || path == "tags" || path == "generate.prompt" || path == "train.sample.prompts") return value;
        Result<std::string> resolved = text;
        if (text.starts_with("blob:")) resolved = store_.blobPath(text.substr(5));
        if (text.starts_with("run:")) resolved = path == "inputs.prepared" || path == "inputs.setups" ? folderOf(text) : path == "verify.run" ? trainFolderOf(text) : modelOf(text, 0);
        if (!resolved) return fail(std::move(resolved).error().with(path + ": " + text));
        return Json(*resolved);
    }

    Result<Json> setupsFor(const Json& spec) {
        Json out = Json::array();
        auto inputs = spec.find("inputs");
        if (inputs == spec.end() || !inputs->is_object()) return out;
        const std::string reference = jsonStringOr(*inputs, "setups", "");
        if (!reference.starts_with("run:")) return out;
        ASSAY_TRY(auto id, idOf(reference.substr(4)));
        ASSAY_TRY(RunRow root, reader_.run(id, false));
        ASSAY_TRY(auto maker, descendant(root, "quantize"));
        const std::string folder = store_.runFolder(maker ? maker->id : id);
        std::vector<std::string> names;
        auto add = [&](const Json& document) -> Result<void> {
            const std::string name = jsonStringOr(document, "name", ""), path = jsonStringOr(document, "path", "");
            if (name.empty() || path.empty() || std::find(names.begin(), names.end(), name) != names.end()) return {};
            const std::string absolute = absoluteIn(folder, path);
            // The model that was quantized is a set-up too, but not one to load from here.
            if (!absolute.starts_with(folder + "/")) return {};
            if (!exists(absolute)) return fail(ErrorCode::kNotFound, "set-up " + name + " of run " + id + " is gone: " + absolute);
            names.push_back(name);
            out.push_back({{"name", name}, {"path", absolute}});
            return {};
        };
        ASSAY_TRY(Json setups, reader_.setups(maker ? maker->id : id));
        for (const Json& setup : setups) ASSAY_TRY_VOID(add(setup));
        ASSAY_TRY(Json artifacts, reader_.artifacts(maker ? maker->id : id));
        for (const Json& artifact : artifacts)
            if (jsonStringOr(artifact, "kind", "") == "setup") ASSAY_TRY_VOID(add(artifact));
        return out;
    }

private:
    static std::string absoluteIn(const std::string& folder, const std::string& path) {
        return std::filesystem::path(path.starts_with('/') ? path : folder + "/" + path).lexically_normal().string();
    }
    Result<std::string> idOf(const std::string& text) { return reader_.resolveRun(text.substr(0, text.find('/'))); }
    Result<std::string> folderOf(const std::string& text) {
        ASSAY_TRY(auto id, idOf(text.substr(4)));
        ASSAY_TRY(RunRow root, reader_.run(id, false));
        return store_.runFolder(id);
    }
    Result<std::string> trainFolderOf(const std::string& text) {
        ASSAY_TRY(auto id, idOf(text.substr(4)));
        ASSAY_TRY(RunRow root, reader_.run(id, false));
        ASSAY_TRY(auto train, descendant(root, "train"));
        if (!train) return fail(ErrorCode::kBadUsage, "run " + id + " (" + root.kind + ") trains nothing", "name a run with a train stage");
        return store_.runFolder(train->id);
    }
    // The run itself or the first one below it that has this kind.
    Result<std::optional<RunRow>> descendant(const RunRow& root, std::string_view kind) {
        if (root.kind == kind) return std::optional<RunRow>(root);
        std::vector<RunRow> open{root};
        for (size_t at = 0; at < open.size() && at < 10'000; ++at) {
            ASSAY_TRY(auto children, reader_.children(open[at].id));
            for (RunRow& child : children) {
                if (child.kind == kind) return std::optional<RunRow>(child);
                open.push_back(child);
            }
        }
        return std::optional<RunRow>();
    }
    Result<std::string> modelOf(const std::string& text, int hops) {
        if (hops > kMaxHops) return fail(ErrorCode::kInvalidFile, "references lead around in a circle");
        const std::string rest = text.substr(4);
        const size_t slash = rest.find('/');
        ASSAY_TRY(auto id, idOf(rest));
        ASSAY_TRY(RunRow row, reader_.run(id, true));
        if (slash != std::string::npos) return setupOf(row, rest.substr(slash + 1), hops);
        ASSAY_TRY(auto train, descendant(row, "train"));
        if (train) {
            const std::string folder = store_.runFolder(train->id);
            ASSAY_TRY(Json artifacts, reader_.artifacts(train->id));
            for (const Json& artifact : artifacts) {
                if (jsonStringOr(artifact, "kind", "") != "model") continue;
                const std::string path = absoluteIn(folder, jsonStringOr(artifact, "path", ""));
                if (path.starts_with(folder + "/") && exists(path)) return path;
            }
            const std::string path = folder + "/artifacts/model";
            if (exists(path)) return path;
            return fail(ErrorCode::kNotFound, "run " + train->id + " has not made a model (it is " + std::string(store::statusName(train->status)) + ")", "wait until it is done, or resume it");
        }
        // A run that trains nothing stands for the model that it was about.
        for (std::string_view section : {"inputs", "model"}) {
            if (!row.spec || !row.spec->is_object() || !row.spec->contains(section)) continue;
            const Json& object = (*row.spec)[std::string(section)];
            const std::string model = object.is_object() ? jsonStringOr(object, section == "inputs" ? "model" : "from", "") : "";
            if (model.starts_with("run:")) return modelOf(model, hops + 1);
            if (!model.empty()) return model;
        }
        return fail(ErrorCode::kNotFound, "run " + id + " (" + row.kind + ") has no model");
    }
    Result<std::string> setupOf(const RunRow& row, const std::string& name, int hops) {
        if (!isPlainName(name)) return fail(ErrorCode::kBadUsage, "\"" + name.substr(0, 100) + "\" is not the name of a set-up");
        ASSAY_TRY(auto maker, descendant(row, "quantize"));
        if (maker) {
            const std::string folder = store_.runFolder(maker->id);
            ASSAY_TRY(Json setups, reader_.setups(maker->id));
            for (const Json& setup : setups) {
                const std::string path = jsonStringOr(setup, "path", "");
                if (jsonStringOr(setup, "name", "") != name || path.empty()) continue;
                const std::string absolute = absoluteIn(folder, path);
                if (absolute.starts_with(folder + "/") && exists(absolute)) return absolute;
            }
            const std::string path = folder + "/artifacts/" + name;
            if (exists(path)) return path;
        }
        if (name == "fp32") return modelOf("run:" + row.id, hops + 1);
        return fail(ErrorCode::kNotFound, "run " + row.id + " has no set-up \"" + name + "\"", "`assay runs show " + row.id + "` lists its set-ups");
    }

    store::Store& store_;
    store::Reader& reader_;
};

}  // namespace

Result<Resolved> resolveReferences(store::Store& store, const Json& spec) {
    Resolved out;
    ASSAY_TRY_VOID(store.read([&](store::Reader& reader) -> Result<void> {
        References references(store, reader);
        ASSAY_TRY(out.spec, references.walk(spec, ""));
        ASSAY_TRY(out.setups, references.setupsFor(spec));
        return {};
    }));
    return out;
}

}  // namespace assay::runtime
