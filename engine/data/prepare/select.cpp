#include "prepare/select.h"

#include <assay/core/hash.h>

#include <cmath>
#include <unordered_set>

namespace assay::data {
namespace {

struct TextHash {
    size_t operator()(std::string_view s) const { return xxh3(s); }
};
using Seen = std::unordered_set<std::string_view, TextHash>;

// Keeps the first of equal documents.
void removeDuplicates(Documents& docs, Seen& seen) {
    size_t out = 0;
    for (size_t i = 0; i < docs.texts.size(); ++i) {
        if (!seen.insert(docs.texts[i]).second) {
            docs.drop("duplicate", static_cast<int64_t>(i) + 1, docs.lines[i], "");
            continue;
        }
        docs.texts[out] = docs.texts[i];
        docs.lines[out++] = docs.lines[i];
    }
    docs.texts.resize(out);
    docs.lines.resize(out);
}

// Which documents of the file belong to the held-out part.
std::vector<bool> heldOut(const config::SplitRule& rule, const Documents& docs) {
    const size_t n = docs.texts.size();
    std::vector<bool> out(n, rule.kind == config::SplitRule::Kind::kNone);
    const double share = rule.percent / 100;
    if (rule.kind == config::SplitRule::Kind::kLast) {
        const auto count = std::min(n, std::max<size_t>(share > 0 ? 1 : 0, static_cast<size_t>(std::llround(share * static_cast<double>(n)))));
        for (size_t i = n - count; i < n; ++i) out[i] = true;
    } else if (rule.kind == config::SplitRule::Kind::kHash) {
        // By content: the same document is on the same side whatever else the file holds.
        for (size_t i = 0; i < n; ++i) out[i] = std::ldexp(static_cast<double>(xxh3(docs.texts[i]) >> 11), -53) < share;
    }
    return out;
}

void take(const Documents& docs, const std::vector<bool>* mask, bool wanted, std::vector<std::string_view>& texts, std::vector<int64_t>& lines) {
    for (size_t i = 0; i < docs.texts.size(); ++i) {
        if (mask && (*mask)[i] != wanted) continue;
        texts.push_back(docs.texts[i]);
        lines.push_back(docs.lines[i]);
    }
}

std::string usableHint(const Documents& docs) {
    std::string all;
    for (const RowProblem& p : docs.problems)
        if (p.dropped) all += (all.empty() ? "" : "; ") + std::to_string(p.count) + " rows " + p.reason + " (first at line " + std::to_string(p.line) + ")";
    return all.empty() ? "assay data inspect shows what is wrong" : all + "; assay data inspect shows more";
}

}  // namespace

Result<Selection> selectDocuments(const config::DataSpec& spec, const PipelineInputs& inputs, const std::stop_token& stop) {
    Selection out;
    const bool exact = spec.deduplicate == config::Deduplicate::kExact;
    Seen seen;
    auto read = [&](const config::DataSource& source, const InputFile& file, Seen& among) -> Result<Documents*> {
        config::DataSource at = source;
        at.path = file.path;
        ASSAY_TRY(auto docs, readDocuments(at, spec.document, stop));
        if (exact) removeDuplicates(*docs, among);
        if (docs->texts.empty()) return fail(ErrorCode::kInvalidFile, file.path + " holds no usable document", usableHint(*docs));
        for (const auto& [reason, count] : docs->dropped()) out.dropped[reason] += count;
        for (const auto text : docs->texts) out.bytes += static_cast<int64_t>(text.size());
        out.storage.push_back(std::move(docs));
        return out.storage.back().get();
    };
    for (size_t i = 0; i < inputs.train.size(); ++i) {
        ASSAY_TRY(Documents * docs, read(spec.train[i], inputs.train[i], seen));
        if (inputs.evalOfTrain == static_cast<int>(i)) {
            const std::vector<bool> mask = heldOut(spec.eval->split, *docs);
            take(*docs, &mask, false, out.train, out.trainLines);
            take(*docs, &mask, true, out.eval, out.evalLines);
        } else {
            take(*docs, nullptr, false, out.train, out.trainLines);
        }
    }
    if (inputs.eval && inputs.evalOfTrain < 0) {
        Seen own;
        ASSAY_TRY(Documents * docs, read(*spec.eval, *inputs.eval, own));
        const std::vector<bool> mask = heldOut(spec.eval->split, *docs);
        take(*docs, &mask, true, out.eval, out.evalLines);
    }
    if (out.train.empty()) return fail(ErrorCode::kInvalidFile, "no training document is left after the split", "lower the percentage of data.eval.split");
    if (inputs.eval && out.eval.empty()) return fail(ErrorCode::kInvalidFile, "no held-out document is left after the split", "raise the percentage of data.eval.split");
    return out;
}

}  // namespace assay::data
