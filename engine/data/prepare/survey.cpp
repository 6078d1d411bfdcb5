#include "prepare/survey.h"

#include <xxhash.h>

#include <cmath>

#include "prepare/encode.h"
#include "prepare/near.h"
#include "prepare/ordered.h"

namespace assay::data {
namespace {

constexpr int kRowBits = 44;  // of a document's number: its source above, its row below
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
        : spec_(spec), options_(options), meter_(meter), done_(doneBefore), exact_(options.folder) {}

    // `split`: how the source gives the held-out part; null: all of it is `side`.
    Result<SurveyedSource> look(OpenedSource source, uint8_t side, const config::SplitRule* split);
    // After the last source: what only all of them together show.
    Result<void> finish(std::vector<SurveyedSource*> sources, Json& near);
    double done() const { return done_; }

private:
    Result<void> take(LookedAt& batch, SurveyedSource& out, size_t number, uint8_t side, const config::SplitRule* split);

    const config::DataSpec& spec_;
    const SurveyOptions& options_;
    ProgressMeter& meter_;
    double done_;
    ExactDuplicates exact_;
    std::unique_ptr<NearDuplicates> near_, groups_;
    size_t sources_ = 0;
};

Result<void> Surveyor::take(LookedAt& batch, SurveyedSource& out, size_t number, uint8_t side, const config::SplitRule* split) {
    out.rows += batch.rows;
    out.textBytes += batch.textBytes;
    out.problems.merge(batch.problems);
    meter_.update(done_ + static_cast<double>(batch.fileBytes));
    for (const LookedAt::Document& d : batch.documents) {
        const uint64_t document = documentNumber(number, d.row);
        uint8_t own = side;
        // By content: the same document is on the same side whatever else the file holds.
        if (split && split->kind == config::SplitRule::Kind::kHash) own = std::ldexp(static_cast<double>(d.hash.low >> 11), -53) < split->percent / 100 ? kEval : kTrain;
        if (near_) {
            ASSAY_TRY(const NearDuplicates::Found found, near_->add(d.sketch, d.hash.low, document));
            if (found.leader != document) {
                out.problems.add(found.equal ? "duplicate" : "near_duplicate", d.row, d.line, found.equal ? "equal to an earlier document" : "nearly equal to an earlier document");
                continue;
            }
        } else if (spec_.deduplicate == config::Deduplicate::kExact) {
            ASSAY_TRY_VOID(exact_.add(d.hash, document));
        }
        if (groups_) {
            ASSAY_TRY(const auto found, groups_->add(d.sketch, d.hash.low, document));
            (void)found;
        }
        out.sides.set(d.row, own);
    }
    return {};
}

Result<SurveyedSource> Surveyor::look(OpenedSource source, uint8_t side, const config::SplitRule* split) {
    SurveyedSource out;
    const size_t number = sources_++;
    const bool near = spec_.deduplicate == config::Deduplicate::kNear, hash = split && split->kind == config::SplitRule::Kind::kHash;
    if (near && !near_) near_ = std::make_unique<NearDuplicates>(options_.folder, spec_.similarity, false);
    groups_ = hash && !near ? std::make_unique<NearDuplicates>(options_.folder, spec_.similarity, true) : nullptr;
    struct Batch {
        RowBatch rows;
        int64_t bytes = 0;
    };
    RowRequest request = source.request;
    request.batchBytes = size_t{256} << 10;
    ASSAY_TRY(RowReaderPtr reader, openRows(request));
    const bool filtered = spec_.minChars > 0 || spec_.maxChars > 0;
    const auto read = [&](Batch& batch) -> Result<bool> {
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
            const RowBatch::Row& at = batch.rows.row(i);
            mapper.read(batch.rows, i, parts);
            if (!parts.usable()) {
                seen.problems.add(parts.reason, at.number, at.line, parts.hint);
                continue;
            }
            if (!parts.notice.empty()) seen.problems.add(parts.notice, at.number, at.line, parts.noticeHint, false);
            LookedAt::Document d;
            d.row = at.number;
            d.line = at.line;
            if (filtered || near_ || groups_) {
                const std::string text = plainText(parts);
                if (filtered) {
                    const int64_t n = characters(text);
                    if (n < spec_.minChars || (spec_.maxChars > 0 && n > spec_.maxChars)) {
                        const bool under = n < spec_.minChars;
                        seen.problems.add(under ? "below_min_chars" : "above_max_chars", at.number, at.line,
                                          under ? "shorter than data.clean.min_chars" : "longer than data.clean.max_chars");
                        continue;
                    }
                }
                if (near_ || groups_) d.sketch = sketchOf(text);
            }
            d.hash = contentHash(parts);
            for (const Cell& cell : parts.cells) seen.textBytes += static_cast<int64_t>(cell.text.size());
            seen.documents.push_back(std::move(d));
        }
        return {};
    };
    const auto took = [&](LookedAt& batch) { return take(batch, out, number, side, split); };
    ASSAY_TRY_VOID(runOrdered<Batch, LookedAt>(options_.threads, read, work, took, options_.stop));
    if (groups_) {  // before duplicates go: each group is where its first document is
        for (size_t i = 0; i < groups_->size(); ++i) {
            const uint64_t root = groups_->rootOf(i);
            if (root == i) continue;
            const auto row = [&](uint64_t index) { return static_cast<int64_t>(groups_->document(index) & ((uint64_t{1} << kRowBits) - 1)); };
            out.sides.set(row(i), out.sides.at(row(root)));
        }
        groups_.reset();
    }
    done_ += static_cast<double>(reader->bytesTotal());
    out.source = std::move(source);
    return out;
}

Result<void> Surveyor::finish(std::vector<SurveyedSource*> sources, Json& near) {
    const uint64_t rowMask = (uint64_t{1} << kRowBits) - 1;
    const auto number = [&](uint64_t document) { return static_cast<size_t>(document >> kRowBits); };
    if (spec_.deduplicate == config::Deduplicate::kExact) {
        std::vector<std::vector<int64_t>> rows(sources.size());
        ASSAY_TRY_VOID(exact_.finish([&](uint64_t document) {
            SurveyedSource& s = *sources[number(document)];
            const auto row = static_cast<int64_t>(document & rowMask);
            s.sides.set(row, kSkip);
            s.problems.add("duplicate", row, 0, "equal to an earlier document");
        }));
    }
    if (near_) {
        Json list = Json::array();
        for (const NearDuplicates::Cluster& c : near_->largest(kClustersShown))
            list.push_back({{"source", number(c.leader)}, {"row", static_cast<int64_t>(c.leader & rowMask)}, {"left_out", c.members}});
        near = Json{{"similarity", spec_.similarity}, {"clusters", near_->clusters()}, {"largest", std::move(list)}};
    }
    return {};
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
        if (p.dropped) all += (all.empty() ? "" : "; ") + std::to_string(p.count) + " rows " + p.reason + " (first: row " + std::to_string(p.row) + (p.line ? ", line " + std::to_string(p.line) : "") + (p.hint.empty() ? "" : "; " + p.hint) + ")";
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
    if (eval) total += static_cast<double>(eval->bytes);
    ProgressMeter meter(options.progress, "read", "bytes", total);
    Survey out;
    Surveyor surveyor(spec, options, meter, 0);
    for (size_t i = 0; i < train.size(); ++i) {
        const config::SplitRule* split = evalOfTrain == static_cast<int>(i) ? &spec.eval->split : nullptr;
        ASSAY_TRY(SurveyedSource s, surveyor.look(std::move(train[i]), kTrain, split));
        out.train.push_back(std::move(s));
    }
    std::vector<SurveyedSource*> all;
    for (SurveyedSource& s : out.train) all.push_back(&s);
    ASSAY_TRY_VOID(surveyor.finish(all, out.near));
    if (eval) {
        Surveyor own(spec, options, meter, surveyor.done());
        ASSAY_TRY(out.eval, own.look(std::move(*eval), spec.eval->split.kind == config::SplitRule::Kind::kNone ? kEval : kTrain, &spec.eval->split));
        Json near;
        ASSAY_TRY_VOID(own.finish({&*out.eval}, near));
        all.push_back(&*out.eval);
    }
    meter.finish();
    int64_t trained = 0, held = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        SurveyedSource& s = *all[i];
        const bool ofEval = i >= out.train.size();
        countSides(s, ofEval || evalOfTrain == static_cast<int>(i) ? &spec.eval->split : nullptr);
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
