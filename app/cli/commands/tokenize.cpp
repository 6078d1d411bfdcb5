#include <assay/core/durable.h>
#include <assay/core/paths.h>
#include <assay/data/tokenizer.h>
#include <fmt/format.h>

#include <limits>

#include "command.h"
#include "documents.h"
#include "registry.h"
#include "text/format.h"

namespace assay::cli {
namespace {

struct Options {
    std::string tokenizer, text, file;
    bool lines = false, addSpecial = false, parseSpecial = false, offsets = false;
    CLI::Option* textOption = nullptr;
};

std::string forPeople(const Json& result) {
    std::string text;
    for (const Json& id : result["ids"]) text += (text.empty() ? "" : " ") + std::to_string(id.get<int32_t>());
    return text + "\n";
}

Result<int> tokenize(Context& context, const Options& options) {
    const bool haveText = options.textOption->count() > 0, haveFile = !options.file.empty();
    if (haveText == haveFile) return fail(ErrorCode::kBadUsage, "give exactly one of --text and --file", "see assay tokenize --help");
    if (options.lines && !haveFile) return fail(ErrorCode::kBadUsage, "--lines goes with --file", "see assay tokenize --help");
    ASSAY_TRY(const std::string path, resolveAsset(options.tokenizer));
    ASSAY_TRY(const data::TokenizerPtr tokenizer, data::loadTokenizer(path));
    const data::EncodeOptions how{options.addSpecial, options.parseSpecial, options.offsets};
    std::string input = options.text;
    if (haveFile) {
        ASSAY_TRY(const std::string file, resolveAsset(options.file));
        ASSAY_TRY(input, readFile(file));
    }
    if (input.size() > std::numeric_limits<uint32_t>::max())
        return fail(ErrorCode::kUnsupported, fmt::format("{} is over 4 GiB", options.file), "prepare data of that size with assay data prepare");
    if (!options.lines) {
        ASSAY_TRY(const Json result, tokenizeDocument(*tokenizer, input, how));
        context.out.result(result, [&] { return forPeople(result); });
        return 0;
    }
    // A line ends with \n or \r\n; the last one may go without.
    std::string_view rest = input;
    std::string text;
    while (!rest.empty()) {
        const size_t newline = rest.find('\n');
        std::string_view line = rest.substr(0, newline);
        rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        ASSAY_TRY(const Json result, tokenizeDocument(*tokenizer, line, how));
        text += context.out.json() ? dumpJson(result) + "\n" : forPeople(result);
        if (text.size() > 1 << 20) {
            context.out.text(text);
            text.clear();
        }
    }
    context.out.text(text);
    return 0;
}

}  // namespace

Result<Json> tokenizeDocument(const data::Tokenizer& tokenizer, std::string_view text, const data::EncodeOptions& how) {
    data::Encoding encoding;
    ASSAY_TRY_VOID(data::tryEncode(tokenizer, text, how, encoding));
    Json result = {{"ids", encoding.ids}};
    if (how.offsets) {
        Json offsets = Json::array(), tokens = Json::array();
        for (const auto& [begin, end] : encoding.offsets) offsets.push_back({begin, end});
        for (int32_t id : encoding.ids) tokens.push_back(tokenizer.tokenText(id));
        result["offsets"] = std::move(offsets);
        result["tokens"] = std::move(tokens);
    }
    return result;
}

void addTokenize(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("tokenize", "text to token ids", [o](Context& c) { return tokenize(c, *o); });
    app->add_option("--tokenizer", o->tokenizer, "folder, tokenizer.json, SentencePiece .model, .tiktoken, tekken.json, vocab.txt, vocab.json, .gguf, asset:NAME/FILE or bytes")->required();
    o->textOption = app->add_option("--text", o->text, "the text itself");
    app->add_option("--file", o->file, "a file, taken as one document with its bytes unchanged");
    app->add_flag("--lines", o->lines, "each line of --file by itself, one JSON document per line");
    app->add_flag("--add-special", o->addSpecial, "add what the tokenizer adds around a text (BOS, CLS, SEP)");
    app->add_flag("--parse-special", o->parseSpecial, "names of control tokens inside the text become those tokens");
    app->add_flag("--offsets", o->offsets, "byte offsets and token texts too");
}

}  // namespace assay::cli
