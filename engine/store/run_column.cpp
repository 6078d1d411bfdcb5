// Cells of the run index: JSON values in columns, and back.
#include "run_index.h"

#include <algorithm>
#include <cmath>

namespace assay::store {
namespace {

constexpr double kExact = 9007199254740992.0;  // integers up to here are doubles without loss

struct Value {
    CellKind kind = CellKind::kNull;
    double number = 0;
    std::string text;
};

Value valueOf(const Json& json);

void append(std::string& out, const Value& member) {
    const auto length = static_cast<uint32_t>(member.text.size());
    out += static_cast<char>(member.kind);
    out.append(reinterpret_cast<const char*>(&length), sizeof length);
    out.append(reinterpret_cast<const char*>(&member.number), sizeof member.number);
    out += member.text;
}

Value valueOf(const Json& json) {
    Value out;
    if (json.is_null()) return out;
    if (json.is_boolean()) return {CellKind::kBool, json.get<bool>() ? 1.0 : 0.0, {}};
    if (json.is_number_integer()) {
        out = {CellKind::kInteger, json.get<double>(), {}};
        if (std::abs(out.number) >= kExact) out.text = json.dump();
        return out;
    }
    if (json.is_number()) return {CellKind::kReal, json.get<double>(), {}};
    if (json.is_string()) {
        out = {CellKind::kText, 0, json.get<std::string>()};
        if (out.text == "nan" || out.text == "inf" || out.text == "-inf") {
            out.kind = CellKind::kSpecial;
            out.number = numberFromJson(json);
        }
        return out;
    }
    if (!json.is_array()) return {CellKind::kText, 0, dumpJson(json)};
    out.kind = CellKind::kList;
    for (const Json& member : json) append(out.text, member.is_structured() ? Value{CellKind::kText, 0, dumpJson(member)} : valueOf(member));
    return out;
}

}  // namespace

std::string cellText(const Cell& cell) {
    switch (cell.kind) {
        case CellKind::kAbsent:
        case CellKind::kNull: return "null";
        case CellKind::kInteger: return cell.text && !cell.text->empty() ? *cell.text : std::to_string(static_cast<int64_t>(cell.number));
        case CellKind::kReal: return dumpJson(jsonNumber(cell.number));
        case CellKind::kBool: return cell.number != 0 ? "true" : "false";
        default: return *cell.text;
    }
}

Json cellToJson(const Cell& cell) {
    switch (cell.kind) {
        case CellKind::kAbsent:
        case CellKind::kNull: return nullptr;
        case CellKind::kInteger: return cell.text && !cell.text->empty() ? Json::parse(*cell.text, nullptr, false) : Json(static_cast<int64_t>(cell.number));
        case CellKind::kReal: return jsonNumber(cell.number);
        case CellKind::kBool: return cell.number != 0;
        case CellKind::kList: {
            Json out = Json::array();
            forEachMember(cell, [&](const Cell& member) { out.push_back(cellToJson(member)); });
            return out;
        }
        default: return *cell.text;
    }
}

void Column::set(size_t slot, const Json& json) {
    const size_t at = slot / kChunk, place = slot % kChunk;
    if (at >= chunks_.size()) chunks_.resize(at + 1);
    if (!chunks_[at]) chunks_[at] = std::make_unique<Chunk>();
    Chunk& chunk = *chunks_[at];
    Value value = valueOf(json);
    if (chunk.kinds[place] == CellKind::kAbsent) ++used_;
    chunk.kinds[place] = value.kind;
    chunk.numbers[place] = value.number;
    const bool needed = !value.text.empty() || value.kind == CellKind::kText || value.kind == CellKind::kList;
    if (needed && chunk.texts.empty()) chunk.texts.resize(kChunk);
    if (!chunk.texts.empty()) chunk.texts[place] = std::move(value.text);
}

void Column::clear(size_t slot) {
    const size_t at = slot / kChunk, place = slot % kChunk;
    if (at >= chunks_.size() || !chunks_[at] || chunks_[at]->kinds[place] == CellKind::kAbsent) return;
    chunks_[at]->kinds[place] = CellKind::kAbsent;
    if (!chunks_[at]->texts.empty()) std::string().swap(chunks_[at]->texts[place]);
    --used_;
}

Cell KeyColumns::at(size_t slot) const {
    for (const Column* column : first)
        if (Cell cell = column->at(slot); cell.present()) return cell;
    Cell found;
    for (const Column* column : endings) {
        Cell cell = column->at(slot);
        if (!cell.present()) continue;
        if (found.present()) return {};  // two settings end so: which one is meant is not known
        found = cell;
    }
    return found;
}

}  // namespace assay::store
