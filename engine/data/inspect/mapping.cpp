#include "inspect/mapping.h"

#include <algorithm>
#include <string_view>

namespace assay::data {
namespace {

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return text;
}

}  // namespace

Mapping guessMapping(const std::vector<ColumnSample>& columns, bool csv) {
    const auto has = [&](std::string_view name) { return std::any_of(columns.begin(), columns.end(), [&](const ColumnSample& c) { return c.name == name; }); };
    const auto named = [](std::string_view column) { return "a column named " + std::string(column); };
    // The readers' own rule comes first (import/): what they take unasked is what the mapping must say.
    for (const char* name : {"text", "content"})
        if (has(name)) return {{{"text", name}}, true, named(name)};
    if (!csv && has("prompt") && has("completion")) return {{{"prompt", "prompt"}, {"completion", "completion"}}, true, "columns named prompt and completion"};
    for (const char* name : {"messages", "conversations"})
        if (!csv && has(name)) return {{{"messages", name}}, true, named(name)};
    if (csv && columns.size() == 1) return {{{"text", columns[0].name}}, true, "the only column"};

    static constexpr std::pair<const char*, const char*> kPairs[] = {{"prompt", "completion"}, {"prompt", "response"}, {"instruction", "output"}, {"instruction", "response"}, {"question", "answer"}};
    for (const auto& [prompt, completion] : kPairs)
        if (has(prompt) && has(completion)) return {{{"prompt", prompt}, {"completion", completion}}, false, std::string("columns named ") + prompt + " and " + completion};
    std::vector<const ColumnSample*> texts;
    for (const ColumnSample& c : columns)
        if (c.texts > 0) texts.push_back(&c);
    for (const char* name : {"text", "content", "body", "verse", "document", "passage", "paragraph", "sentence", "article", "story", "abstract", "review", "comment", "description", "message"})
        for (const ColumnSample* c : texts)
            if (lower(c->name) == name) return {{{"text", c->name}}, false, named(c->name)};
    if (texts.size() == 1) return {{{"text", texts[0]->name}}, false, columns.size() == 1 ? "the only column" : "the only column with text"};
    const auto mean = [](const ColumnSample* c) { return static_cast<double>(c->bytes) / static_cast<double>(c->texts); };
    const auto longest = std::max_element(texts.begin(), texts.end(), [&](const auto* a, const auto* b) { return mean(a) < mean(b); });
    if (longest != texts.end()) return {{{"text", (*longest)->name}}, false, "the column with the longest texts"};
    return {};
}

}  // namespace assay::data
