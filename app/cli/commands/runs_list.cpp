#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "command.h"
#include "registry.h"
#include "text/format.h"
#include "text/numbers.h"
#include "text/table.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

struct Options {
    std::string where, sort, columns;
    int64_t limit = 0;
    bool all = true;
};

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> out;
    std::stringstream stream(text);
    for (std::string word; std::getline(stream, word, ',');)
        if (!word.empty()) out.push_back(word);
    return out;
}

// A column is a key of the row, a metric of its summary or a setting of its spec.
Json cellOf(const Json& row, const std::string& key) {
    if (auto found = row.find(key); found != row.end()) return *found;
    if (auto summary = row.find("summary"); summary != row.end() && summary->is_object())
        if (auto found = summary->find(key); found != summary->end()) return *found;
    if (auto values = row.find("values"); values != row.end() && values->is_object())
        if (auto found = values->find(key); found != values->end()) return *found;
    return nullptr;
}

std::string forPeople(const Json& runs, const Options& options) {
    if (runs.empty()) return "no runs\n";
    const std::vector<std::string> keys = options.columns.empty()
        ? std::vector<std::string>{"id", "name", "kind", "status", "created_at", "running_seconds", "reason"}
        : words(options.columns);
    std::vector<Table::Column> columns;
    for (const std::string& key : keys) {
        const bool numbers = std::any_of(runs.begin(), runs.end(), [&](const Json& r) { return cellOf(r, key).is_number(); });
        columns.push_back({key == "running_seconds" ? "time" : safeText(key), numbers ? Table::Align::kRight : Table::Align::kLeft});
    }
    Table table(columns);
    for (const Json& row : runs) {
        std::vector<std::string> cells;
        for (const std::string& key : keys) {
            const Json cell = cellOf(row, key);
            std::string text = key == "running_seconds" && cell.is_number() ? formatSeconds(cell.get<double>()) : formatValue(cell);
            if (key == "created_at" && text.size() > 19 && text[10] == 'T') text = text.substr(0, 10) + " " + text.substr(11, 8);
            if (key == "id" && row.contains("parent") && !row["parent"].is_null()) text = "  " + text;
            cells.push_back(std::move(text));
        }
        table.row(std::move(cells));
    }
    return table.text(tableWidth());
}

Result<int> list(Context& context, const Options& options) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    // A page at a time: one message is at most 4 MiB.
    constexpr int64_t kPage = 500;
    Json runs = Json::array();
    int64_t total = 0;
    // What is a key of every row needs no look-up.
    std::vector<std::string> columns = words(options.columns);
    std::erase_if(columns, [](const std::string& key) { return key == "summary" || key == "progress" || key == "error" || key == "resumed_from_step"; });
    for (;;) {
        Json params = {{"offset", runs.size()}, {"limit", options.limit > 0 ? std::min<int64_t>(kPage, options.limit - static_cast<int64_t>(runs.size())) : kPage}};
        if (!options.where.empty()) params["where"] = options.where;
        if (!options.sort.empty()) params["sort"] = options.sort;
        if (!options.all) params["parents_only"] = true;
        if (!columns.empty()) params["columns"] = columns;
        ASSAY_TRY(const Json page, engine->callAgain("runs.list", std::move(params)));
        total = jsonIntegerOr(page, "total", 0);
        if (auto warnings = page.find("warnings"); runs.empty() && warnings != page.end() && warnings->is_array())
            for (const Json& warning : *warnings)
                if (warning.is_string()) context.note("warning: " + warning.get<std::string>());
        auto rows = page.find("runs");
        if (rows == page.end() || !rows->is_array() || rows->empty()) break;
        for (const Json& row : *rows) runs.push_back(row);
        const int64_t have = static_cast<int64_t>(runs.size());
        if (have >= total || (options.limit > 0 && have >= options.limit)) break;
    }
    context.out.result({{"runs", runs}, {"total", total}}, [&] { return forPeople(runs, options); });
    return 0;
}

}  // namespace

void addRunsList(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("runs list", "the runs of the store, newest first", [o](Context& c) { return list(c, *o); });
    app->add_option("--where", o->where, "only those, e.g. \"status = done and eval/loss < 3\"");
    app->add_option("--sort", o->sort, "a column or metric; -KEY for descending");
    app->add_option("--columns", o->columns, "columns and metrics to show, with commas between");
    app->add_option("--limit", o->limit, "at most so many")->check(wholeNumber(1));
    app->add_flag_callback("--parents-only", [o] { o->all = false; }, "without stages and sweep members");
}

}  // namespace assay::cli
