#include <assay/core/paths.h>
#include <assay/data/tokenizer.h>
#include <fmt/format.h>

#include <charconv>

#include "command.h"
#include "registry.h"
#include "text/format.h"

namespace assay::cli {
namespace {

struct Options {
    std::string tokenizer, ids;
    bool skipSpecial = false;
};

Result<std::vector<int32_t>> parseIds(std::string_view text, int64_t vocabSize) {
    std::vector<int32_t> ids;
    while (!text.empty()) {
        const size_t comma = text.find(',');
        std::string_view word = text.substr(0, comma);
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
        while (word.starts_with(' ')) word.remove_prefix(1);
        while (word.ends_with(' ')) word.remove_suffix(1);
        int32_t id = -1;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
        if (error != std::errc() || end != word.data() + word.size())
            return fail(ErrorCode::kBadUsage, fmt::format("'{}' is not a token id", word), "give whole numbers with commas between: --ids 1,2,3");
        if (id < 0 || id >= vocabSize)
            return fail(ErrorCode::kBadUsage, fmt::format("token id {} is not in the vocabulary (0 to {})", id, vocabSize - 1));
        ids.push_back(id);
    }
    return ids;
}

Result<int> detokenize(Context& context, const Options& options) {
    ASSAY_TRY(const std::string path, resolveAsset(options.tokenizer));
    ASSAY_TRY(const data::TokenizerPtr tokenizer, data::loadTokenizer(path));
    ASSAY_TRY(const std::vector<int32_t> ids, parseIds(options.ids, tokenizer->vocabSize()));
    const std::string text = tokenizer->decode(ids, options.skipSpecial);
    context.out.result({{"text", text}}, text);
    return 0;
}

}  // namespace

void addDetokenize(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("detokenize", "token ids to text", [o](Context& c) { return detokenize(c, *o); });
    app->add_option("--tokenizer", o->tokenizer, "folder, tokenizer.json, SentencePiece .model, .tiktoken, tekken.json, vocab.txt, vocab.json, .gguf, asset:NAME/FILE or bytes")->required();
    app->add_option("--ids", o->ids, "ids with commas between")->required();
    app->add_flag("--skip-special", o->skipSpecial, "leave control tokens out of the text");
}

}  // namespace assay::cli
