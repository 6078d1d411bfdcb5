#include <algorithm>

#include "section.h"

namespace assay::config {
namespace {

void parseSplit(const Node& node, const std::string& key, SplitRule& out, Context& context) {
    std::string written;
    if (!readText(node, key, context, written)) return;
    auto wrong = [&] {
        context.problem(node.mark, node.source, key, "must be \"last N%\" or \"hash N%\", not " + describe(node), "for example: last 5%");
    };
    const size_t space = written.find(' ');
    if (space == std::string::npos || !written.ends_with('%')) return wrong();
    const std::string_view rule = std::string_view(written).substr(0, space);
    const std::string_view share = std::string_view(written).substr(space + 1, written.size() - space - 2);
    const Plain plain = classifyPlain(share);
    if ((rule != "last" && rule != "hash") || (plain != Plain::kInteger && plain != Plain::kFloat)) return wrong();
    auto percent = parseNumber(share);
    if (!percent || !(*percent > 0 && *percent < 100)) {
        context.problem(node.mark, node.source, key, "the share must be greater than 0% and less than 100%");
        return;
    }
    out = {rule == "last" ? SplitRule::Kind::kLast : SplitRule::Kind::kHash, *percent};
}

// `train`: the one training source when an evaluation set is read, whose file it may take a share of; null otherwise.
void parseSource(const Node& node, const std::string& key, DataSource& out, bool evaluation, const DataSource* train, Context& context) {
    if (node.isScalar()) {
        readPath(node, key, context, out.path);
        return;
    }
    Section section(node, key, context);
    if (!section.path("path", out.path)) {
        if (!section.has("path") && train && section.has("split")) {
            out.path = train->path;
        } else if (!section.has("path")) {
            section.missing("path", "is missing", "name the file or folder");
        }
    }
    section.word("format", out.format, kFormats);
    if (const Node* columns = section.take("columns")) {
        if (!columns->isMap()) {
            context.problem(columns->mark, columns->source, section.at("columns"), "must be a map of role: column, not " + describe(*columns),
                            "for example: columns: {text: body}");
        } else {
            for (const Entry& entry : columns->entries) {
                std::string column;
                if (readText(entry.value, section.at("columns") + "." + entry.key, context, column)) out.columns.emplace_back(entry.key, column);
            }
        }
    }
    if (train && out.path == train->path) {  // the same file is read the same way
        if (!section.has("format")) out.format = train->format;
        if (!section.has("columns")) out.columns = train->columns;
    }
    if (evaluation) {
        if (const Node* split = section.take("split")) parseSplit(*split, section.at("split"), out.split, context);
        if (LossOn counted{}; section.choice("loss_on", counted, kLossOn)) out.lossOn = counted;
    } else {
        section.number("weight", out.weight, {.low = 0, .openLow = true});
    }
}

void parseLanguages(Section& rules, DataSpec& out, Context& context) {
    const Node* node = rules.take("languages");
    if (!node) return;
    if (node->isList() && node->items.empty()) return;  // all stay
    const auto read = [&](const Node& item, const std::string& key) {
        std::string code;
        if (readWord(item, key, context, code, kLanguages) && std::find(out.languages.begin(), out.languages.end(), code) == out.languages.end()) out.languages.push_back(code);
    };
    if (!node->isList()) return read(*node, rules.at("languages"));
    for (size_t i = 0; i < node->items.size(); ++i) read(node->items[i], rules.at("languages") + "." + std::to_string(i));
}

void parseTokenizer(const Node& node, const std::string& key, TokenizerSpec& out, Context& context) {
    if (node.isScalar() && node.text == "bytes") {
        out.kind = TokenizerSpec::Kind::kBytes;
        return;
    }
    if (node.isScalar()) {
        if (readPath(node, key, context, out.path)) out.kind = TokenizerSpec::Kind::kPath;
        return;
    }
    Section section(node, key, context);
    std::string method;
    if (section.word("train", method, {"bpe", "wordpiece"}))
        out.kind = method == "bpe" ? TokenizerSpec::Kind::kTrainBpe : TokenizerSpec::Kind::kTrainWordPiece;
    else if (!section.has("train"))
        section.missing("train", "is missing", "write {train: bpe, vocab: 4096}, a path, or bytes");
    // 256 byte symbols and one special token are the least a byte-level vocabulary can hold.
    if (!section.integer("vocab", out.vocab, {257, 1'048'576}) && !section.has("vocab"))
        section.missing("vocab", "is missing", "give the vocabulary size, for example 4096");
}

}  // namespace

void parseData(const Node& node, DataSpec& out, Context& context) {
    Section section(node, "data", context);
    if (const Node* train = section.take("train")) {
        if (train->isList()) {
            for (size_t i = 0; i < train->items.size(); ++i) {
                out.train.emplace_back();
                parseSource(train->items[i], section.at("train") + "." + std::to_string(i), out.train.back(), false, nullptr, context);
            }
            if (train->items.empty()) context.problem(train->mark, train->source, "data.train", "the list is empty", "name at least one file");
        } else {
            out.train.emplace_back();
            parseSource(*train, section.at("train"), out.train.back(), false, nullptr, context);
        }
    }
    if (const Node* eval = section.take("eval")) {
        out.eval.emplace();
        parseSource(*eval, section.at("eval"), *out.eval, true, out.train.size() == 1 ? &out.train[0] : nullptr, context);
    }
    section.choice("document", out.document, kDocuments);
    if (const Node* clean = section.take("clean")) {
        Section rules(*clean, "data.clean", context);
        rules.choice("deduplicate", out.deduplicate, kDeduplicate);
        rules.number("similarity", out.similarity, {.low = 0.1, .high = 1});
        rules.integer("min_chars", out.minChars, {0, int64_t{1} << 40});
        rules.integer("max_chars", out.maxChars, {0, int64_t{1} << 40});
        if (out.maxChars > 0 && out.maxChars < out.minChars) {
            const Entry* most = clean->find("max_chars");
            context.problem(most->value.mark, most->value.source, "data.clean.max_chars", "is less than min_chars, so no document would be left", "raise it, or set 0 for no limit");
        }
        parseLanguages(rules, out, context);
        rules.choice("contamination", out.contamination, kContamination);
    }
    if (const Node* tokenizer = section.take("tokenizer")) parseTokenizer(*tokenizer, "data.tokenizer", out.tokenizer, context);
    section.text("template", out.chatTemplate);
    section.choice("loss_on", out.lossOn, kLossOn);
    section.integer("sequence_length", out.sequenceLength, {2, 1 << 24});
    section.choice("over_length", out.overLength, kOverLength);
    section.choice("packing", out.packing, kPackings);
    section.integer("workers", out.workers, {0, 256});
    if (const Node* pin = section.take("pin_memory")) {
        std::string word;
        if (readWord(*pin, "data.pin_memory", context, word, {"auto", "true", "false"}))
            out.pinMemory = word == "auto" ? Tristate::kAuto : word == "true" ? Tristate::kYes : Tristate::kNo;
    }
}

}  // namespace assay::config
