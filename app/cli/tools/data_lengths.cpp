#include "tools/params.h"
#include "tools/tool.h"

namespace assay::cli {

Result<Json> toolDataLengths(const GlobalOptions& options, const Json& params) {
    ASSAY_TRY(const std::string path, requiredText(params, "path"));
    ASSAY_TRY(const int64_t length, integerWithin(params, "sequence_length", std::nullopt, 2, 1 << 24));
    ASSAY_TRY(const config::OverLength overLength, overLengthOf(params));
    ASSAY_TRY(const data::EncodeChoice choice, encodeChoiceOf(params));
    ASSAY_TRY(const data::DataFilePtr file, dataFile(options, params, path));
    ASSAY_TRY(const data::TokenizerPtr tokenizer, toolTokenizer(options, params));
    ASSAY_TRY(const data::LengthStatistics s, data::measureLengths(*file, *tokenizer, length, overLength, {}, choice));
    return Json{{"rows", s.rows},
                {"rows_used", s.rowsUsed},
                {"sampled", s.sampled},
                {"tokens", s.tokens},
                {"tokens_estimated", s.tokensEstimated},
                {"loss_tokens", s.lossTokens},
                {"shortest", s.shortest},
                {"longest", s.longest},
                {"median", s.median},
                {"edges", s.edges},
                {"counts", s.counts},
                {"over_length_rows", s.overLengthRows},
                {"padding", {{"none", s.paddingNone}, {"concat", s.paddingConcat}, {"best_fit", s.paddingBestFit}}}};
}

}  // namespace assay::cli
