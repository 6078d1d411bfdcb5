#include "command.h"
#include "registry.h"
#include "text/format.h"
#include "text/numbers.h"

namespace assay::cli {
namespace {

struct Options {
    std::string id;
    int64_t maxBytes = int64_t{1} << 20;
};

// The last `maxBytes` of the log, whole lines.
Result<int> log(Context& context, const Options& options) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    ASSAY_TRY(Json run, engine->callAgain("runs.get", {{"run", options.id}}));
    ASSAY_TRY(const Json head, engine->callAgain("runs.log", {{"run", options.id}, {"offset", 0}, {"max_bytes", 1}}));
    const int64_t size = jsonIntegerOr(head, "size", 0), start = std::max<int64_t>(0, size - options.maxBytes);
    constexpr int64_t kPiece = 512 << 10;
    std::string text;
    for (int64_t offset = start; offset < size;) {
        ASSAY_TRY(const Json piece, engine->callAgain("runs.log", {{"run", options.id}, {"offset", offset}, {"max_bytes", kPiece}}));
        const std::string part = jsonStringOr(piece, "text", "");
        // `offset` of the reply is where the next piece starts, when it says so; broken UTF-8 changes the text's length.
        const int64_t next = jsonIntegerOr(piece, "next_offset", offset + static_cast<int64_t>(part.size()));
        text += part;
        if (next <= offset) break;
        offset = next;
    }
    if (start > 0)
        if (const size_t newline = text.find('\n'); newline != std::string::npos) text.erase(0, newline + 1);
    run["text"] = text;
    run["size"] = size;
    run["truncated"] = start > 0;
    context.out.result(run, [&] { return safeText(text, true); });
    return 0;
}

}  // namespace

void addRunsLog(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("runs log", "what a run's worker wrote for people", [o](Context& c) { return log(c, *o); });
    app->add_option("ID", o->id, "run id")->required();
    app->add_option("--max-bytes", o->maxBytes, "only the last so many bytes (default 1 MiB)")->check(wholeNumber(1));
}

}  // namespace assay::cli
