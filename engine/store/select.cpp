// Lists and groups of runs: filter and sort on the index, then only the rows of the page are read.
#include "filter_node.h"
#include "store_state.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace assay::store {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool containsFolded(std::string_view text, std::string_view part) {
    return std::search(text.begin(), text.end(), part.begin(), part.end(), [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

struct Entry {
    int rank = 3;
    uint32_t place = 0;  // in order of creation
    double number = 0;
    const std::string* text = nullptr;
};

// Numbers before text, NaN behind all numbers, runs without a value last in both directions.
Entry entryOf(const Cell& cell, uint32_t place, std::deque<std::string>& made) {
    Entry out;
    out.place = place;
    if (cell.isNumber()) {
        out.rank = std::isnan(cell.number) ? 1 : 0;
        out.number = cell.number;
    } else if (cell.present() && cell.kind != CellKind::kNull) {
        out.rank = 2;
        out.text = cell.kind == CellKind::kText ? cell.text : &made.emplace_back(cell.kind == CellKind::kList ? dumpJson(cellToJson(cell)) : cellText(cell));
    }
    return out;
}

void sortSlots(std::vector<uint32_t>& slots, const KeyColumns& key, bool descending, size_t needed) {
    std::vector<Entry> order;
    std::deque<std::string> made;
    order.reserve(slots.size());
    for (uint32_t i = 0; i < slots.size(); ++i) order.push_back(entryOf(key.at(slots[i]), i, made));
    auto before = [descending](const Entry& a, const Entry& b) {
        if (a.rank != b.rank) return a.rank < b.rank;
        if (a.rank == 0 && a.number != b.number) return descending ? b.number < a.number : a.number < b.number;
        if (a.rank == 2)
            if (const int difference = a.text->compare(*b.text); difference != 0) return descending ? difference > 0 : difference < 0;
        return a.place < b.place;
    };
    needed = std::min(needed, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(needed), order.end(), before);
    std::vector<uint32_t> sorted;
    sorted.reserve(needed);
    for (size_t i = 0; i < needed; ++i) sorted.push_back(slots[order[i].place]);
    slots = std::move(sorted);
}

// The columns of each key; keys that no run has are noted.
std::vector<KeyColumns> columnsOf(const RunIndex& index, const std::vector<std::string>& keys, UnknownKeys& unknown) {
    std::vector<KeyColumns> out;
    for (const std::string& key : keys) {
        out.push_back(index.find(key));
        if (!out.back().known() && std::find(unknown.keys.begin(), unknown.keys.end(), key) == unknown.keys.end()) unknown.keys.push_back(key);
    }
    return out;
}

void nameKnownKeys(const RunIndex& index, UnknownKeys& unknown) {
    // In a store without runs every key is unknown, and that says nothing.
    if (index.order().empty()) unknown.keys.clear();
    if (!unknown.keys.empty()) unknown.known = index.keys();
}

Result<int64_t> sequence(Connection& db) {
    ASSAY_TRY(auto query, db.prepare("SELECT seq FROM sqlite_sequence WHERE name='events'"));
    ASSAY_TRY(bool row, query.step());
    return row ? query.integer(0) : 0;
}

}  // namespace

bool Filter::Node::ordered(int order) const {
    switch (op) {
        case Op::kEqual: return order == 0;
        case Op::kNotEqual: return order != 0;
        case Op::kLess: return order < 0;
        case Op::kAtMost: return order <= 0;
        case Op::kMore: return order > 0;
        default: return order >= 0;
    }
}

bool Filter::Node::compare(const Cell& cell) const {
    const bool absent = !cell.present() || cell.kind == CellKind::kNull;
    if (isNull) return (absent || (cell.kind == CellKind::kText && cell.text->empty())) == (op == Op::kEqual);
    if (absent) return op == Op::kNotEqual;  // an absent value is smaller or greater than nothing
    const bool isText = cell.kind == CellKind::kText;
    if (op == Op::kContains) return isText ? containsFolded(*cell.text, text) : containsFolded(cellText(cell), text);
    if (isNumber && cell.isNumber()) {
        const double value = cell.number;
        if (std::isnan(value) || std::isnan(number)) {
            const bool same = std::isnan(value) && std::isnan(number);
            return op == Op::kNotEqual ? !same : op == Op::kEqual && same;
        }
        return ordered(value < number ? -1 : value > number ? 1 : 0);
    }
    return ordered(isText ? cell.text->compare(text) : cellText(cell).compare(text));
}

bool Filter::Node::matches(const std::vector<KeyColumns>& columns, size_t slot) const {
    switch (kind) {
        case Kind::kAnd: return left->matches(columns, slot) && right->matches(columns, slot);
        case Kind::kOr: return left->matches(columns, slot) || right->matches(columns, slot);
        case Kind::kNot: return !left->matches(columns, slot);
        case Kind::kCompare: break;
    }
    const Cell cell = columns[static_cast<size_t>(key)].at(slot);
    if (cell.kind != CellKind::kList) return compare(cell);
    // A list has a value when one of its members has it; `!=`: when none has.
    bool any = false, every = true;
    forEachMember(cell, [&](const Cell& member) {
        const bool yes = compare(member);
        any |= yes;
        every &= yes;
    });
    return op == Op::kNotEqual ? every : any;
}

bool Filter::matches(const std::vector<KeyColumns>& columns, size_t slot) const { return !root_ || root_->matches(columns, slot); }

Result<RunPage> Store::select(const RunQuery& query) {
    ASSAY_TRY(Filter filter, Filter::parse(query.where));
    ASSAY_TRY(SortKey sort, parseSort(query.sort));
    RunPage page;
    auto work = [&](Connection& db) -> Result<void> {
        std::vector<std::string> ids;  // of a page that is too large to be kept: read without the lock
        {
            // The lock comes before the snapshot: a look never puts back what a later one has read already.
            RunIndex& index = state_->index;
            std::lock_guard lock(index.mutex);
            ASSAY_TRY(page.asOfSeq, sequence(db));
            ASSAY_TRY_VOID(index.refresh(db));
            const auto keys = columnsOf(index, filter.keys(), page.unknown);
            const auto sortKey = columnsOf(index, sort.key.empty() ? std::vector<std::string>() : std::vector{sort.key}, page.unknown);
            const auto shown = columnsOf(index, query.columns, page.unknown);
            nameKnownKeys(index, page.unknown);
            std::vector<uint32_t> slots;
            for (uint32_t slot : index.order())
                if (!(query.parentsOnly && index.isChild(slot)) && filter.matches(keys, slot)) slots.push_back(slot);
            const size_t total = slots.size(), first = std::min(total, static_cast<size_t>(query.offset));
            const size_t last = first + std::min(total - first, static_cast<size_t>(query.limit));
            page.total = static_cast<int64_t>(total);
            if (!sortKey.empty()) sortSlots(slots, sortKey[0], sort.descending, last);
            else if (sort.descending) std::reverse(slots.begin(), slots.end());
            page.rows.reserve(last - first);
            const bool large = last - first > RunIndex::kKeptRows;
            for (size_t i = first; i < last; ++i) {
                if (large) {
                    ids.push_back(index.id(slots[i]));
                } else {
                    ASSAY_TRY(RunRow row, index.row(db, slots[i]));
                    page.rows.push_back(std::move(row));
                }
                if (query.columns.empty()) continue;
                Json values = Json::object();
                for (size_t k = 0; k < shown.size(); ++k) values[query.columns[k]] = cellToJson(shown[k].at(slots[i]));
                page.values.push_back(std::move(values));
            }
        }
        for (const std::string& id : ids) {
            ASSAY_TRY(RunRow row, readRun(db, id, false));
            page.rows.push_back(std::move(row));
        }
        return {};
    };
    ASSAY_TRY_VOID(readWith(work));
    return page;
}

Result<RunGroups> Store::groups(const std::string& key, const std::string& where, bool parentsOnly) {
    constexpr size_t kMost = 1000;
    ASSAY_TRY(Filter filter, Filter::parse(where));
    RunGroups out;
    auto work = [&](Connection& db) -> Result<void> {
        RunIndex& index = state_->index;
        std::lock_guard lock(index.mutex);
        ASSAY_TRY(out.asOfSeq, sequence(db));
        ASSAY_TRY_VOID(index.refresh(db));
        const auto keys = columnsOf(index, filter.keys(), out.unknown);
        const auto groupKey = columnsOf(index, {key}, out.unknown);
        nameKnownKeys(index, out.unknown);
        struct Group {
            Cell cell;
            int64_t total = 0;
        };
        std::unordered_map<std::string, Group> counts;
        std::string name;
        auto count = [&](const Cell& cell) {
            const bool none = !cell.present() || cell.kind == CellKind::kNull || (cell.kind == CellKind::kText && cell.text->empty());
            name.clear();
            const bool byText = !none && (cell.kind == CellKind::kText || (cell.text && !cell.text->empty()));
            if (byText) name = *cell.text;
            else if (!none) name.assign(reinterpret_cast<const char*>(&cell.number), sizeof cell.number);
            // Of one name there may be two kinds: the number 1 and the text "1".
            name += none ? '0' : cell.isNumber() ? 'n' : cell.kind == CellKind::kBool ? 'b' : 't';
            auto [at, fresh] = counts.try_emplace(name);
            if (fresh) at->second.cell = none ? Cell() : cell;
            if (fresh && !byText) at->second.cell.text = nullptr;
            ++at->second.total;
        };
        for (uint32_t slot : index.order()) {
            if ((parentsOnly && index.isChild(slot)) || !filter.matches(keys, slot)) continue;
            const Cell cell = groupKey[0].at(slot);
            if (cell.kind != CellKind::kList) {
                count(cell);
                continue;
            }
            bool any = false;  // a run with two tags is in both groups
            forEachMember(cell, [&](const Cell& member) {
                any = true;
                count(member);
            });
            if (!any) count({});
        }
        std::vector<std::pair<const std::string, Group>*> order;
        for (auto& each : counts) order.push_back(&each);
        const size_t kept = std::min(kMost, order.size());
        std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), [](const auto* a, const auto* b) {
            const Group &x = a->second, &y = b->second;
            if (x.total != y.total) return x.total > y.total;
            if (x.cell.kind != y.cell.kind && !(x.cell.isNumber() && y.cell.isNumber())) return x.cell.kind < y.cell.kind;
            if (x.cell.isNumber() && x.cell.number != y.cell.number) return x.cell.number < y.cell.number;
            return a->first < b->first;
        });
        for (size_t i = 0; i < kept; ++i) {
            // The text a member of a list had is gone; its copy is the name.
            std::string text = order[i]->first.substr(0, order[i]->first.size() - 1);
            Cell cell = order[i]->second.cell;
            if (cell.text) cell.text = &text;
            out.groups.emplace_back(cellToJson(cell), order[i]->second.total);
        }
        return {};
    };
    ASSAY_TRY_VOID(readWith(work));
    return out;
}

}  // namespace assay::store
