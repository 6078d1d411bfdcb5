#include "prepare/survey.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>

#include "prepare/encode.h"
#include "prepare/language.h"
#include "prepare/near.h"
#include "prepare/ordered.h"

namespace assay::data {
namespace {

constexpr int kRowBits = 44;  // of a document's number: its source above, its row below
constexpr uint64_t kRowMask = (uint64_t{1} << kRowBits) - 1;
constexpr size_t kClustersShown = 20;

uint64_t documentNumber(size_t source, int64_t row) { return static_cast<uint64_t>(source) << kRowBits | static_cast<uint64_t>(row); }

int64_t characters(std::string_view text) {
    int64_t n = 0;
    for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return n;
}

struct LookedAt {
    struct Document {
        int64_t row = 0, line = 0;
        ContentHash hash;
        NearSketch sketch;
    };
    std::vector<Document> documents;
    Problems problems;
    int64_t rows = 0, textBytes = 0, fileBytes = 0;
};

// The training sources together, or the evaluation file by itself.
class Surveyor {
public:
    Surveyor(const config::DataSpec& spec, const SurveyOptions& options, ProgressMeter& meter, double doneBefore)
        : spec_(spec), options_(options), meter_(meter), done_(doneBefore), exact_(options.folder) {
        for (const std::string& code : spec.languages) languages_.push_back(languageByCode(code));
        if (spec.deduplicate == config::Deduplicate::kNear) near_ = std::make_unique<NearDuplicates>(options.folder, spec.similarity);
    }

    // Before the first look: the held-out rows of the evaluation file, which are read again. Training documents are compared
    // with them.
    Result<void> holdOut(const SurveyedSource& eval);
    // `split`: how the source gives the held-out part; null: all of it is `side`.
    Result<SurveyedSource> look(OpenedSource source, uint8_t side, const config::SplitRule* split);
    // After the last source: what only all of them together show.
    Result<void> finish(std::vector<SurveyedSource*> sources, Json& near);
    double done() const { return done_; }

private:
    using Take = std::function<Result<void>(LookedAt&)>;
    // All rows, or those that `wanted` names; in order.
    Result<void> read(const OpenedSource& source, const std::function<bool(int64_t row)>& wanted, const Take& take);
    void lookAt(const RowBatch& rows, size_t i, const RowParts& parts, LookedAt& seen) const;
    // False: the text is left out for its length or language, which is counted.
    bool passes(const std::string& text, const RowBatch::Row& at, Problems& problems) const;
    Result<void> take(LookedAt& batch, SurveyedSource& out, size_t number, uint8_t side, const config::SplitRule* split);
    Result<void> compareExact(const std::vector<SurveyedSource*>& sources);
    Result<void> compareNear(const std::vector<SurveyedSource*>& sources, Json& near);
    static SurveyedSource& sourceOf(const std::vector<SurveyedSource*>& sources, uint64_t document) { return *sources[static_cast<size_t>(document >> kRowBits)]; }

    const config::DataSpec& spec_;
    const SurveyOptions& options_;
    ProgressMeter& meter_;
    double done_;
    std::vector<int> languages_;
    ExactDuplicates exact_;
    std::unique_ptr<NearDuplicates> near_, groups_;
    size_t sources_ = 0;
    bool heldOut_ = false;  // there are held-out documents to compare with
};

Result<void> Surveyor::holdOut(const SurveyedSource& eval) {
    heldOut_ = true;
    return read(eval.source, [&](int64_t row) { return eval.sides.at(row) == kEval; }, [&](LookedAt& batch) -> Result<void> {
        for (const LookedAt::Document& d : batch.documents) {
            ASSAY_TRY_VOID(exact_.addHeldOut(d.hash));
            if (near_) ASSAY_TRY_VOID(near_->add(d.sketch, d.hash.low, 0, d.line, true));
        }
        return {};
    });
}

Result<void> Surveyor::take(LookedAt& batch, SurveyedSource& out, size_t number, uint8_t side, const config::SplitRule* split) {
    out.rows += batch.rows;
    out.textBytes += batch.textBytes;
    out.problems.merge(batch.problems);
    for (const LookedAt::Document& d : batch.documents) {
        const uint64_t document = documentNumber(number, d.row);
        uint8_t own = side;
        // By content: the same document is on the same side whatever else the file holds.
        if (split && split->kind == config::SplitRule::Kind::kHash) own = std::ldexp(static_cast<double>(d.hash.low >> 11), -53) < split->percent / 100 ? kEval : kTrain;
        if (spec_.deduplicate == config::Deduplicate::kExact || heldOut_) ASSAY_TRY_VOID(exact_.add(d.hash, document));
        if (near_) ASSAY_TRY_VOID(near_->add(d.sketch, d.hash.low, document, d.line));
        if (groups_) ASSAY_TRY_VOID(groups_->add(d.sketch, d.hash.low, document, d.line));
        out.sides.set(d.row, own);
    }
    return {};
}

bool Surveyor::passes(const std::string& text, const RowBatch::Row& at, Problems& problems) const {
    if (spec_.minChars > 0 || spec_.maxChars > 0) {
        const int64_t n = characters(text);
        const bool under = n < spec_.minChars;
        if (under || (spec_.maxChars > 0 && n > spec_.maxChars)) {
            problems.add(under ? "below_min_chars" : "above_max_chars", at.number, at.line, under ? "shorter than data.clean.min_chars" : "longer than data.clean.max_chars");
            return false;
        }
    }
    if (languages_.empty()) return true;
    const int language = identifyLanguage(text).language;
    if (language == kUnknownLanguage) {
        problems.add("language_unknown", at.number, at.line, "too short or too mixed to tell its language; it is kept", false);
    } else if (std::find(languages_.begin(), languages_.end(), language) == languages_.end()) {
        problems.add(std::string("language_") + languageCode(language), at.number, at.line, std::string("looks like ") + languageName(language) + ", which data.clean.languages does not name");
        return false;
    }
    return true;
}

void Surveyor::lookAt(const RowBatch& rows, size_t i, const RowParts& parts, LookedAt& seen) const {
    const RowBatch::Row& at = rows.row(i);
    if (!parts.usable()) return seen.problems.add(parts.reason, at.number, at.line, parts.hint);
    if (!parts.notice.empty()) seen.problems.add(parts.notice, at.number, at.line, parts.noticeHint, false);
    LookedAt::Document d;
    d.row = at.number;
    d.line = at.line;
    if (spec_.minChars > 0 || spec_.maxChars > 0 || !languages_.empty() || near_ || groups_) {
        const std::string text = plainText(parts);
        if (!passes(text, at, seen.problems)) return;
        if (near_ || groups_) d.sketch = sketchOf(text);
    }
    d.hash = contentHash(parts);
    for (const Cell& cell : parts.cells) seen.textBytes += static_cast<int64_t>(cell.text.size());
    seen.documents.push_back(std::move(d));
}

Result<void> Surveyor::read(const OpenedSource& source, const std::function<bool(int64_t)>& wanted, const Take& take) {
    struct Batch {
        RowBatch rows;
        int64_t bytes = 0;
    };
    RowRequest request = source.request;
    request.batchBytes = size_t{256} << 10;
    ASSAY_TRY(RowReaderPtr reader, openRows(request));
    const auto next = [&](Batch& batch) -> Result<bool> {
        ASSAY_TRY(const bool more, reader->next(batch.rows));
        batch.bytes = reader->bytesDone();
        return more;
    };
    const auto work = [&](int, Batch& batch, LookedAt& seen) -> Result<void> {
        RowMapper mapper(source.mapping);
        RowParts parts;
        seen.rows = static_cast<int64_t>(batch.rows.size());
        seen.fileBytes = batch.bytes;
        for (size_t i = 0; i < batch.rows.size(); ++i) {
            if (wanted && !wanted(batch.rows.row(i).number)) continue;
            mapper.read(batch.rows, i, parts);
            lookAt(batch.rows, i, parts, seen);
        }
        return {};
    };
    const auto took = [&](LookedAt& batch) -> Result<void> {
        meter_.update(done_ + static_cast<double>(batch.fileBytes));
        return take(batch);
    };
    ASSAY_TRY_VOID(runOrdered<Batch, LookedAt>(options_.threads, next, work, took, options_.stop));
    done_ += static_cast<double>(reader->bytesTotal());
    return {};
}

Result<SurveyedSource> Surveyor::look(OpenedSource source, uint8_t side, const config::SplitRule* split) {
    SurveyedSource out;
    const size_t number = sources_++;
    const bool hash = split && split->kind == config::SplitRule::Kind::kHash;
    groups_ = hash && !near_ ? std::make_unique<NearDuplicates>(options_.folder, spec_.similarity) : nullptr;
    ASSAY_TRY_VOID(read(source, {}, [&](LookedAt& batch) { return take(batch, out, number, side, split); }));
    if (groups_) {  // before duplicates go: each group is where its first document is
        const auto row = [](uint64_t document) { return static_cast<int64_t>(document & kRowMask); };
        NearDuplicates::Rules rules;
        rules.stop = options_.stop;
        ASSAY_TRY_VOID(groups_->findGroups(rules, [&](uint64_t document, uint64_t first) { out.sides.set(row(document), out.sides.at(row(first))); }));
        groups_.reset();
    }
    out.source = std::move(source);
    return out;
}

Result<void> Surveyor::compareExact(const std::vector<SurveyedSource*>& sources) {
    return exact_.finish([&](const ExactDuplicates::Match& m) {
        SurveyedSource& s = sourceOf(sources, m.document);
        const auto row = static_cast<int64_t>(m.document & kRowMask);
        const bool contaminated = m.heldOut && s.sides.at(row) == kTrain, remove = spec_.contamination == config::Contamination::kRemove;
        if (contaminated) s.problems.add("in_eval", row, 0, remove ? "equal to a held-out document" : "equal to a held-out document; it is kept, as data.clean.contamination says", remove);
        const bool duplicate = m.duplicate && spec_.deduplicate == config::Deduplicate::kExact;
        if (duplicate && !(contaminated && remove)) s.problems.add("duplicate", row, 0, "equal to an earlier document");
        if (duplicate || (contaminated && remove)) s.sides.set(row, kSkip);
    });
}

Result<void> Surveyor::compareNear(const std::vector<SurveyedSource*>& sources, Json& near) {
    double rows = 0;
    for (const SurveyedSource* s : sources) rows += static_cast<double>(s->rows);
    ProgressMeter meter(options_.progress, "deduplicate", "rows", rows);
    const bool remove = spec_.contamination == config::Contamination::kRemove;
    NearDuplicates::Rules rules;
    rules.keepHeldOut = !remove;
    rules.leftOut = [&](uint64_t document) { return sourceOf(sources, document).sides.at(static_cast<int64_t>(document & kRowMask)) == kSkip; };
    rules.progress = [&](double part) { meter.update(part * rows); };
    rules.stop = options_.stop;
    ASSAY_TRY_VOID(near_->findMatches(rules, [&](const NearDuplicates::Match& m) {
        SurveyedSource& s = sourceOf(sources, m.document);
        const auto row = static_cast<int64_t>(m.document & kRowMask);
        if (!m.heldOut) {
            s.problems.add(m.equal ? "duplicate" : "near_duplicate", row, m.line, m.equal ? "equal to an earlier document" : "nearly equal to an earlier document");
            s.sides.set(row, kSkip);
        } else if (!m.equal) {  // equal ones were counted before
            s.problems.add("near_in_eval", row, m.line, remove ? "nearly equal to a held-out document" : "nearly equal to a held-out document; it is kept, as data.clean.contamination says", remove);
            if (remove) s.sides.set(row, kSkip);
        }
    }));
    meter.finish();
    ASSAY_TRY(const auto largest, near_->largest(kClustersShown));
    Json list = Json::array();
    for (const NearDuplicates::Cluster& c : largest)
        list.push_back({{"source", static_cast<int64_t>(c.leader >> kRowBits)}, {"row", static_cast<int64_t>(c.leader & kRowMask)}, {"left_out", c.members}});
    near = Json{{"similarity", spec_.similarity}, {"clusters", near_->clusters()}, {"largest", std::move(list)}};
    return {};
}

Result<void> Surveyor::finish(std::vector<SurveyedSource*> sources, Json& near) {
    ASSAY_TRY_VOID(compareExact(sources));
    return near_ ? compareNear(sources, near) : Result<void>();
}

void countSides(SurveyedSource& s, const config::SplitRule* split) {
    int64_t kept = 0;
    for (int64_t row = 1; row <= s.rows; ++row) kept += s.sides.at(row) != kSkip;
    if (split && split->kind == config::SplitRule::Kind::kLast) {
        const double share = split->percent / 100;
        int64_t count = std::min(kept, std::max<int64_t>(share > 0 ? 1 : 0, std::llround(share * static_cast<double>(kept))));
        for (int64_t row = s.rows; row >= 1 && count > 0; --row)
            if (s.sides.at(row) != kSkip) {
                s.sides.set(row, kEval);
                --count;
            }
    }
    for (int64_t row = 1; row <= s.rows; ++row) {
        s.train += s.sides.at(row) == kTrain;
        s.eval += s.sides.at(row) == kEval;
    }
}

std::string problemsHint(const Problems& problems) {
    std::string all;
    for (const RowProblem& p : problems.list())
        if (p.dropped) all += (all.empty() ? "" : "; ") + std::to_string(p.count) + (p.count == 1 ? " row " : " rows ") + p.reason + " (first: row " + std::to_string(p.row) + (p.line ? ", line " + std::to_string(p.line) : "") + (p.hint.empty() ? "" : "; " + p.hint) + ")";
    return all.empty() ? "assay data inspect shows what is wrong" : all + "; assay data inspect shows more";
}

}  // namespace

ContentHash contentHash(const RowParts& parts) {
    XXH128_hash_t hash;
    if (parts.shape == Shape::kText) {
        const std::string_view text = parts.text(Role::kText);
        hash = XXH3_128bits(text.data(), text.size());
    } else {
        thread_local std::string all;
        all.assign(1, static_cast<char>(parts.shape));
        for (const Cell& cell : parts.cells) {
            all += std::to_string(cell.text.size()) + ":";
            all += cell.text;
        }
        hash = XXH3_128bits(all.data(), all.size());
    }
    return {hash.low64, hash.high64};
}

Result<Survey> surveySources(const config::DataSpec& spec, std::vector<OpenedSource> train, std::optional<OpenedSource> eval, int evalOfTrain, const SurveyOptions& options) {
    double total = 0;
    for (const OpenedSource& o : train) total += static_cast<double>(o.bytes);
    if (eval) total += 2 * static_cast<double>(eval->bytes);
    ProgressMeter meter(options.progress, "read", "bytes", total);
    Survey out;
    double done = 0;
    if (eval) {
        Surveyor own(spec, options, meter, 0);
        ASSAY_TRY(out.eval, own.look(std::move(*eval), spec.eval->split.kind == config::SplitRule::Kind::kNone ? kEval : kTrain, &spec.eval->split));
        Json near;
        ASSAY_TRY_VOID(own.finish({&*out.eval}, near));
        countSides(*out.eval, &spec.eval->split);
        done = own.done();
    }
    Surveyor surveyor(spec, options, meter, done);
    if (out.eval) ASSAY_TRY_VOID(surveyor.holdOut(*out.eval));
    for (size_t i = 0; i < train.size(); ++i) {
        const config::SplitRule* split = evalOfTrain == static_cast<int>(i) ? &spec.eval->split : nullptr;
        ASSAY_TRY(SurveyedSource s, surveyor.look(std::move(train[i]), kTrain, split));
        out.train.push_back(std::move(s));
    }
    std::vector<SurveyedSource*> all;
    for (SurveyedSource& s : out.train) all.push_back(&s);
    meter.finish();
    ASSAY_TRY_VOID(surveyor.finish(all, out.near));
    if (out.eval) all.push_back(&*out.eval);
    int64_t trained = 0, held = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        SurveyedSource& s = *all[i];
        const bool ofEval = i >= out.train.size();
        if (!ofEval) countSides(s, evalOfTrain == static_cast<int>(i) ? &spec.eval->split : nullptr);
        if (s.train + s.eval == 0) return fail(ErrorCode::kInvalidFile, s.source.source.path + " holds no usable document", problemsHint(s.problems));
        if (ofEval) s.train = 0;  // of a file of its own only the held-out share is read
        trained += s.train;
        held += s.eval;
        for (const auto& [reason, count] : s.problems.dropped()) out.dropped[reason] += count;
    }
    if (trained == 0) return fail(ErrorCode::kInvalidFile, "no training document is left after the split", "lower the percentage of data.eval.split");
    if (spec.eval && held == 0) return fail(ErrorCode::kInvalidFile, "no held-out document is left after the split", "raise the percentage of data.eval.split");
    return out;
}

}  // namespace assay::data
