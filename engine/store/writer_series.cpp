// Metric points into blocks. New points become small loose pieces, one per series and transaction; when a series has
// kSealPoints of them they are packed into one block.
#include "series_codec.h"
#include "store_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::store {
namespace {

// "rank3/train/loss" comes from the file of rank 3, everything else from that of rank 0.
bool isRankName(std::string_view name) {
    if (!name.starts_with("rank")) return false;
    const size_t end = name.find_first_not_of("0123456789", 4);
    return end != std::string_view::npos && end > 4 && name[end] == '/';
}

}  // namespace

Result<int64_t> Writer::seriesId(const std::string& run, const std::string& name) {
    const std::string key = run + "\n" + name;
    if (auto it = state_.series.find(key); it != state_.series.end()) return it->second.id;
    SeriesTail tail;
    {
        ASSAY_TRY(auto insert, db_.prepare("INSERT INTO series(run,name) VALUES(?,?) ON CONFLICT(run,name) DO NOTHING"));
        ASSAY_TRY_VOID(insert.bind(run).bind(name).run());
        ASSAY_TRY(auto find, db_.prepare("SELECT id FROM series WHERE run=? AND name=?"));
        ASSAY_TRY(bool row, find.bind(run).bind(name).step());
        if (!row) return fail(ErrorCode::kInternal, "a series vanished while it was made");
        tail.id = find.integer(0);
    }
    ASSAY_TRY(auto loose, db_.prepare("SELECT COALESCE(SUM(n),0) FROM blocks WHERE series=? AND sealed=0"));
    ASSAY_TRY(bool row, loose.bind(tail.id).step());
    if (row) tail.loosePoints = loose.integer(0);
    state_.series[key] = tail;
    state_.seriesKeys[tail.id] = key;
    return tail.id;
}

Result<void> Writer::putBlock(int64_t series, bool sealed, std::span<const Point> points) {
    int64_t low = std::numeric_limits<int64_t>::max(), high = std::numeric_limits<int64_t>::min(), odd = 0;
    for (const Point& p : points) {
        low = std::min(low, p.step);
        high = std::max(high, p.step);
        odd += !std::isfinite(p.value);
    }
    ASSAY_TRY(auto head, db_.prepare("INSERT INTO blocks(series,sealed,n,step_min,step_max,non_finite) VALUES(?,?,?,?,?,?)"));
    ASSAY_TRY_VOID(head.bind(series).bind(sealed ? 1 : 0).bind(static_cast<int64_t>(points.size())).bind(low).bind(high).bind(odd).run());
    const int64_t id = sqlite3_last_insert_rowid(db_.handle);
    const std::string bytes = encodeBlock(points);
    ASSAY_TRY(auto data, db_.prepare("INSERT INTO block_data(id,data) VALUES(?,?)"));
    return data.bind(id).bindBlob(bytes).run();
}

Result<void> Writer::appendPoints(int64_t series, std::span<const Point> points) {
    SeriesTail& tail = state_.series[state_.seriesKeys[series]];
    tail.id = series;
    if (tail.loosePoints + static_cast<int64_t>(points.size()) < static_cast<int64_t>(kSealPoints)) {
        ASSAY_TRY_VOID(putBlock(series, false, points));
        tail.loosePoints += static_cast<int64_t>(points.size());
        return {};
    }
    std::vector<Point> all;
    if (tail.loosePoints > 0) {
        {
            ASSAY_TRY(auto query, db_.prepare("SELECT d.data FROM blocks b JOIN block_data d ON d.id=b.id WHERE b.series=? AND b.sealed=0 ORDER BY b.id"));
            query.bind(series);
            while (true) {
                ASSAY_TRY(bool row, query.step());
                if (!row) break;
                ASSAY_TRY_VOID(decodeBlock(query.blob(0), all));
            }
        }
        ASSAY_TRY(auto data, db_.prepare("DELETE FROM block_data WHERE id IN (SELECT id FROM blocks WHERE series=? AND sealed=0)"));
        ASSAY_TRY_VOID(data.bind(series).run());
        ASSAY_TRY(auto heads, db_.prepare("DELETE FROM blocks WHERE series=? AND sealed=0"));
        ASSAY_TRY_VOID(heads.bind(series).run());
    }
    all.insert(all.end(), points.begin(), points.end());
    tail.loosePoints = 0;
    for (size_t at = 0; at < all.size(); at += kMaxBlockPoints)
        ASSAY_TRY_VOID(putBlock(series, true, std::span(all).subspan(at, std::min(kMaxBlockPoints, all.size() - at))));
    return {};
}

Result<void> Writer::appendMetrics(const std::string& run, const std::string& prefix, std::span<const protocol::MetricRecord> rows) {
    // Names of a run repeat in the same order, so a linear guess nearly always hits.
    std::vector<std::pair<const std::string*, std::vector<Point>>> groups;
    std::unordered_map<std::string_view, size_t> places;
    for (const auto& row : rows) {
        size_t guess = 0;
        for (const auto& [name, value] : row.values) {
            if (guess >= groups.size() || *groups[guess].first != name) {
                auto [it, fresh] = places.try_emplace(name, groups.size());
                if (fresh) groups.emplace_back(&name, std::vector<Point>());
                guess = it->second;
            }
            groups[guess].second.push_back({row.step, row.seconds, row.tokens, value});
            ++guess;
        }
    }
    for (const auto& [name, points] : groups) {
        ASSAY_TRY(int64_t id, seriesId(run, prefix + *name));
        ASSAY_TRY_VOID(appendPoints(id, points));
    }
    return {};
}

Result<int64_t> Writer::cutMetrics(const std::string& run, const std::string& prefix, int64_t step) {
    std::vector<std::pair<int64_t, std::string>> series;
    {
        ASSAY_TRY(auto query, db_.prepare("SELECT id,name FROM series WHERE run=?"));
        query.bind(run);
        while (true) {
            ASSAY_TRY(bool row, query.step());
            if (!row) break;
            const std::string_view name = query.text(1);
            if (prefix.empty() ? !isRankName(name) : name.starts_with(prefix)) series.emplace_back(query.integer(0), std::string(name));
        }
    }
    int64_t removed = 0;
    for (const auto& [id, name] : series) {
        struct Block {
            int64_t id;
            bool sealed;
            std::vector<Point> points;
        };
        std::vector<Block> touched;
        {
            ASSAY_TRY(auto query, db_.prepare("SELECT b.id,b.sealed,d.data FROM blocks b JOIN block_data d ON d.id=b.id WHERE b.series=? AND b.step_max>? ORDER BY b.id"));
            query.bind(id).bind(step);
            while (true) {
                ASSAY_TRY(bool row, query.step());
                if (!row) break;
                Block block{query.integer(0), query.integer(1) != 0, {}};
                ASSAY_TRY_VOID(decodeBlock(query.blob(2), block.points));
                touched.push_back(std::move(block));
            }
        }
        if (touched.empty()) continue;
        // Everything from the first touched block on is written anew, so that block order stays order of arrival.
        std::vector<Point> rest;
        {
            ASSAY_TRY(auto query, db_.prepare("SELECT d.data FROM blocks b JOIN block_data d ON d.id=b.id WHERE b.series=? AND b.id>=? ORDER BY b.id"));
            query.bind(id).bind(touched.front().id);
            while (true) {
                ASSAY_TRY(bool row, query.step());
                if (!row) break;
                ASSAY_TRY_VOID(decodeBlock(query.blob(0), rest));
            }
        }
        const size_t before = rest.size();
        std::erase_if(rest, [&](const Point& p) { return p.step > step; });
        removed += static_cast<int64_t>(before - rest.size());
        ASSAY_TRY(auto data, db_.prepare("DELETE FROM block_data WHERE id IN (SELECT id FROM blocks WHERE series=? AND id>=?)"));
        ASSAY_TRY_VOID(data.bind(id).bind(touched.front().id).run());
        ASSAY_TRY(auto heads, db_.prepare("DELETE FROM blocks WHERE series=? AND id>=?"));
        ASSAY_TRY_VOID(heads.bind(id).bind(touched.front().id).run());
        state_.series.erase(run + "\n" + name);
        ASSAY_TRY(int64_t again, seriesId(run, name));
        if (!rest.empty()) ASSAY_TRY_VOID(appendPoints(again, rest));
    }
    return removed;
}

}  // namespace assay::store
