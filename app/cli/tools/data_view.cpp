#include <assay/config/config.h>

#include "tools/params.h"
#include "tools/tool.h"

namespace assay::cli {
namespace {

constexpr size_t kMaxTokens = 16'000, kMaxText = 256 << 10;  // what an answer has room for

Result<config::Packing> packingOf(const Json& params) {
    ASSAY_TRY(const std::string text, optionalText(params, "packing", config::packingName(config::Packing::kConcat)));
    for (const auto packing : {config::Packing::kNone, config::Packing::kConcat, config::Packing::kBestFit})
        if (text == config::packingName(packing)) return packing;
    return fail(ErrorCode::kBadUsage, "\"packing\" must be none, concat or best_fit");
}

}  // namespace

Result<Json> toolDataView(const GlobalOptions& options, const Json& params) {
    ASSAY_TRY(const std::string path, requiredText(params, "path"));
    data::ViewOptions how;
    ASSAY_TRY(how.row, integerWithin(params, "row", 1, 1, int64_t{1} << 52));
    ASSAY_TRY(how.sequenceLength, integerWithin(params, "sequence_length", std::nullopt, 2, 1 << 24));
    ASSAY_TRY(how.overLength, overLengthOf(params));
    ASSAY_TRY(how.packing, packingOf(params));
    ASSAY_TRY(how.choice, encodeChoiceOf(params));
    ASSAY_TRY(const data::DataFilePtr file, dataFile(options, params, path));
    ASSAY_TRY(const data::TokenizerPtr tokenizer, toolTokenizer(options, params));
    ASSAY_TRY(const data::SequenceView view, data::viewSequence(*file, *tokenizer, how));
    Json tokens = Json::array(), documents = Json::array();
    for (size_t i = 0; i < std::min(view.tokens.size(), kMaxTokens); ++i) {
        const data::ViewToken& t = view.tokens[i];
        tokens.push_back({{"id", t.id}, {"text", t.text}, {"loss", t.loss}, {"special", t.special}, {"border", t.border}});
    }
    for (size_t i = 0; i < std::min(view.parts.size(), kMaxTokens); ++i) documents.push_back({{"line", view.parts[i].line}, {"from", view.parts[i].from}, {"to", view.parts[i].to}});
    return Json{{"row", view.row},
                {"rows", view.rows},
                {"sampled", view.sampled},
                {"text", view.text.substr(0, kMaxText)},
                {"tokens", std::move(tokens)},
                {"total", view.tokens.size()},
                {"loss_total", view.lossTotal},
                {"documents", std::move(documents)}};
}

}  // namespace assay::cli
