#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "assay/config/schema.h"
#include "assay/core/durable.h"
#include "node.h"

namespace assay::config {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxExtends = 8;

void extend(Node& root, const fs::path& file, const Source* source, std::vector<std::string> chain, Context& context) {
    Entry* entry = root.find("extends");
    if (!entry) return;
    const Entry written = std::move(*entry);
    root.entries.erase(root.entries.begin() + (entry - root.entries.data()));
    auto wrong = [&](std::string message, std::string hint) {
        context.problem(written.value.mark.line ? written.value.mark : written.mark, source, "extends", std::move(message), std::move(hint));
    };
    if (!written.value.isScalar() || written.value.text.empty()) return wrong("must be the path of an experiment file", "for example: extends: ../baselines/x.yaml");
    if (source->name.empty()) context.extendsMark = written.mark;
    std::error_code ec;
    fs::path base = written.value.text;
    if (base.is_relative()) base = fs::path(source->folder) / base;
    const fs::path canonical = fs::weakly_canonical(base, ec);
    const std::string path = ec ? base.lexically_normal().string() : canonical.string();
    if (chain.empty() && !file.empty()) chain.push_back(fs::weakly_canonical(file, ec).string());
    for (const std::string& seen : chain)
        if (seen == path) return wrong("the files extend each other in a circle: " + written.value.text, "remove one of the extends lines");
    if (chain.size() >= kMaxExtends) return wrong(fmt::format("more than {} files extend one another", kMaxExtends), "join some of them");
    auto text = readFile(path, kMaxBytes);
    if (!text) return wrong(text.error().message, text.error().hint.empty() ? "the path is relative to this file" : text.error().hint);
    const Source* baseSource = context.addSource(written.value.text, fs::path(path).parent_path().string());
    Node parent;
    if (!readYaml(*text, baseSource, context, parent)) return;
    if (!parent.isMap()) return wrong(written.value.text + " is not an experiment file", "it must hold `key: value` lines");
    chain.push_back(path);
    extend(parent, path, baseSource, std::move(chain), context);
    mergeNode(parent, std::move(root));
    root = std::move(parent);
}

}  // namespace

void resolveExtends(Node& root, const std::string& path, const Source* source, Context& context) {
    if (root.isMap()) extend(root, path, source, {}, context);
}

static Loaded load(std::string_view yaml, const std::string& fileName, const std::string& folder, const std::string& path,
                   const std::vector<std::string>& overrides) {
    Loaded loaded;
    Context context;
    std::error_code ec;
    const std::string base = fs::absolute(folder.empty() ? "." : folder, ec).lexically_normal().string();
    const Source* source = context.addSource("", base);
    Node root;
    if (readYaml(yaml, source, context, root)) {
        if (!root.isMap()) {
            context.problem(root.mark, source, "", "an experiment file is a map of settings", "begin with `assay: 1`, one `key: value` a line");
        } else {
            resolveExtends(root, path, source, context);
            for (const std::string& text : overrides) applyOverride(root, text, context.addSource("override " + text.substr(0, 80), base), context);
            loaded.spec = parseSpec(root, context);
            if (loaded.spec.name.empty() && !root.find("name")) {
                loaded.spec.name = fs::path(fileName).stem().string();
                if (loaded.spec.name.empty()) loaded.spec.name = "experiment";
            }
            // What depends on several keys is judged only when each of them reads well: no follow-up noise.
            if (context.clean()) checkSpec(loaded.spec, context);
            if (loaded.spec.kind == Kind::kPipeline) loaded.spec.stages = stagesOf(loaded.spec);
        }
    }
    loaded.resolved = specToJson(loaded.spec);
    loaded.problems = context.sorted();
    for (Problem& problem : loaded.problems)
        if (problem.hint.empty() && !problem.key.empty()) problem.hint = keyHint(problem.key);
    return loaded;
}

Loaded loadSpecText(std::string_view yaml, const std::string& fileName, const std::string& folder, const std::vector<std::string>& overrides) {
    return load(yaml, fileName, folder, "", overrides);
}

Result<Loaded> loadSpecFile(const std::string& path, const std::vector<std::string>& overrides) {
    auto text = readFile(path, kMaxBytes);
    if (!text && text.error().code == ErrorCode::kInvalidFile && text.error().hint.empty())
        text.error().hint = "an experiment file holds settings; keep data in files of its own and name their paths";
    if (!text) return fail(std::move(text).error().with("reading the experiment file"));
    return load(*text, path, fs::path(path).parent_path().string(), path, overrides);
}

static std::string placed(const Problem& p, const std::string& fileName) {
    std::string text = fileName;
    if (p.line > 0) text += fmt::format(":{}:{}", p.line, p.column);
    if (!p.key.empty()) text += ": " + p.key;
    return text + ": " + p.message;
}

Result<void> requireValid(const Loaded& loaded, const std::string& fileName) {
    constexpr size_t kMostListed = 20;
    const std::vector<Problem>& problems = loaded.problems;
    if (problems.empty()) return {};
    // A key that is missing is often one that is there under a misspelt name: say what is written wrongly first.
    auto first = std::find_if(problems.begin(), problems.end(), [](const Problem& p) { return !p.message.starts_with("is missing"); });
    if (first == problems.end()) first = problems.begin();
    Error error(ErrorCode::kInvalidFile, placed(*first, fileName), first->hint);
    for (auto p = problems.begin(); p != problems.end() && error.context.size() < kMostListed; ++p)
        if (p != first) error.context.push_back("also " + placed(*p, fileName));
    if (problems.size() > kMostListed + 1) error.context.push_back(fmt::format("and {} more", problems.size() - 1 - kMostListed));
    return fail(std::move(error));
}

Result<Spec> specFromJson(const Json& json) {
    Context context;
    const Source* source = context.addSource("", "");
    Spec spec = parseSpec(nodeFromJson(json, source), context);
    if (context.clean()) checkSpec(spec, context);
    if (context.clean()) return spec;
    const Problem p = context.sorted()[0];
    return fail(ErrorCode::kInvalidFile, "experiment: " + (p.key.empty() ? "" : p.key + ": ") + p.message, p.hint);
}

}  // namespace assay::config
