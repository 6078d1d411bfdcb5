#include "import/shape.h"

#include <simdjson.h>

#include <algorithm>

#include "import/byte_stream.h"
#include "import/messages.h"

namespace assay::data {
namespace {

constexpr const char* kRoleNames[kRoles] = {"text", "prompt", "completion", "instruction", "input", "output", "messages", "tools", "system", "chosen", "rejected", "label"};
constexpr const char* kShapeNames[kShapes] = {"none", "text", "prompt_completion", "alpaca", "messages", "preference", "kto", "classification"};

// Column names that show a role by themselves, best first.
constexpr std::string_view kTextColumns[] = {"text", "content"};
constexpr std::string_view kPromptColumns[] = {"prompt"};
constexpr std::string_view kCompletionColumns[] = {"completion", "response"};
constexpr std::string_view kInstructionColumns[] = {"instruction"};
constexpr std::string_view kInputColumns[] = {"input"};
constexpr std::string_view kOutputColumns[] = {"output", "response"};
constexpr std::string_view kMessageColumns[] = {"messages", "conversations", "conversation"};
constexpr std::string_view kToolColumns[] = {"tools"};
constexpr std::string_view kSystemColumns[] = {"system"};
constexpr std::string_view kChosenColumns[] = {"chosen"};
constexpr std::string_view kRejectedColumns[] = {"rejected"};
constexpr std::string_view kLabelColumns[] = {"label", "labels"};

struct Names {
    const std::string_view* begin;
    size_t size;
};
template <size_t N>
constexpr Names names(const std::string_view (&list)[N]) {
    return {list, N};
}
constexpr Names kDefaults[kRoles] = {names(kTextColumns), names(kPromptColumns), names(kCompletionColumns), names(kInstructionColumns), names(kInputColumns), names(kOutputColumns),
                                     names(kMessageColumns), names(kToolColumns), names(kSystemColumns), names(kChosenColumns), names(kRejectedColumns), names(kLabelColumns)};

// Roles that a shape needs and may have, the telling ones first.
struct ShapeRoles {
    Shape shape;
    std::initializer_list<Role> needs, may;
};
const ShapeRoles kShapeRoles[] = {
    {Shape::kMessages, {Role::kMessages}, {Role::kTools, Role::kSystem}},
    {Shape::kPreference, {Role::kChosen, Role::kRejected}, {Role::kPrompt, Role::kSystem}},
    {Shape::kKto, {Role::kPrompt, Role::kCompletion, Role::kLabel}, {}},
    {Shape::kAlpaca, {Role::kInstruction, Role::kOutput}, {Role::kInput, Role::kSystem}},
    {Shape::kClassification, {Role::kText, Role::kLabel}, {}},
    {Shape::kText, {Role::kText}, {}},
    {Shape::kPrompt, {Role::kPrompt, Role::kCompletion}, {}},
};

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") == text.npos; }
bool isList(const Cell& cell) { return (cell.kind == Cell::Kind::kJson || cell.kind == Cell::Kind::kString) && cell.text.starts_with('['); }
bool present(const Cell& cell) { return cell.kind != Cell::Kind::kMissing; }

}  // namespace

const char* shapeName(Shape shape) { return kShapeNames[static_cast<size_t>(shape)]; }
const char* roleName(Role role) { return kRoleNames[static_cast<size_t>(role)]; }
std::optional<Role> roleOf(std::string_view name) {
    for (size_t i = 0; i < kRoles; ++i)
        if (name == kRoleNames[i]) return static_cast<Role>(i);
    return {};
}
bool trainable(Shape shape) { return shape == Shape::kText || shape == Shape::kPrompt || shape == Shape::kAlpaca || shape == Shape::kMessages; }

RoleColumns defaultRoles(Shape shape, const std::vector<std::string>& columns) {
    RoleColumns out;
    const auto take = [&](Role role) {
        const Names& list = kDefaults[static_cast<size_t>(role)];
        for (size_t i = 0; i < list.size; ++i)
            if (std::find(columns.begin(), columns.end(), list.begin[i]) != columns.end()) {
                out.emplace_back(roleName(role), list.begin[i]);
                return true;
            }
        return false;
    };
    for (const ShapeRoles& s : kShapeRoles) {
        if (s.shape != shape) continue;
        for (const Role role : s.needs)
            if (!take(role)) return {};
        for (const Role role : s.may) take(role);
    }
    return out;
}

Result<Mapping> givenMapping(const RoleColumns& roles, const std::vector<std::string>& columns, bool complete, const std::string& path) {
    Mapping out;
    out.roles = roles;
    std::array<bool, kRoles> has{};
    for (const auto& [role, column] : roles) {
        const auto known = roleOf(role);
        if (!known) {
            std::string all;
            for (const char* name : kRoleNames) all += std::string(all.empty() ? "" : ", ") + name;
            return fail(ErrorCode::kBadUsage, "columns: \"" + role + "\" is no role of a column", "roles are " + all);
        }
        has[static_cast<size_t>(*known)] = true;
        if (complete && std::find(columns.begin(), columns.end(), column) == columns.end()) {
            std::string all;
            for (size_t i = 0; i < std::min<size_t>(columns.size(), 20); ++i) all += (i ? ", " : "") + columns[i];
            return fail(ErrorCode::kInvalidFile, path + " has no column \"" + column + "\"", "its columns are " + all);
        }
    }
    for (const ShapeRoles& s : kShapeRoles)
        if (std::all_of(s.needs.begin(), s.needs.end(), [&](Role r) { return has[static_cast<size_t>(r)]; })) {
            out.shape = s.shape;
            return out;
        }
    // A prompt or an answer alone is text.
    if (roles.size() == 1 && (has[static_cast<size_t>(Role::kPrompt)] || has[static_cast<size_t>(Role::kCompletion)])) {
        out.roles = {{"text", roles[0].second}};
        out.shape = Shape::kText;
        return out;
    }
    return fail(ErrorCode::kBadUsage, "columns: these roles make no row together",
                "give text; prompt and completion; instruction, input and output; messages; chosen and rejected; or text and label");
}

std::vector<std::string> columnsOf(const Mapping& mapping) {
    std::vector<std::string> out;
    if (mapping.isDefault) {
        for (const Names& list : kDefaults)
            for (size_t i = 0; i < list.size; ++i)
                if (std::find(out.begin(), out.end(), list.begin[i]) == out.end()) out.emplace_back(list.begin[i]);
        return out;
    }
    for (const auto& [role, column] : mapping.roles) out.push_back(column);
    if (out.empty()) out.emplace_back("text");
    return out;
}

void RowMapper::resolve(const std::vector<std::string>& columns) {
    for (auto& list : candidates_) list.clear();
    const auto at = [&](std::string_view name) {
        const auto found = std::find(columns.begin(), columns.end(), name);
        return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
    };
    if (mapping_.isDefault) {
        for (size_t r = 0; r < kRoles; ++r)
            for (size_t i = 0; i < kDefaults[r].size; ++i)
                if (const int c = at(kDefaults[r].begin[i]); c >= 0) candidates_[r].push_back(c);
    } else {
        for (const auto& [role, column] : mapping_.roles)
            if (const auto known = roleOf(role))
                if (const int c = at(column); c >= 0) candidates_[static_cast<size_t>(*known)].push_back(c);
    }
    names_ = columns;
}

// The first shape all of whose columns the row has.
bool RowMapper::find(const RowBatch& batch, size_t row, RowParts& out) const {
    const auto take = [&](Role role) {
        for (const int c : candidates_[static_cast<size_t>(role)])
            if (const Cell cell = batch.cell(row, static_cast<size_t>(c)); present(cell)) {
                out.cells[static_cast<size_t>(role)] = cell;
                return true;
            }
        return false;
    };
    for (const ShapeRoles& s : kShapeRoles) {
        if (!mapping_.isDefault && s.shape != mapping_.shape) continue;
        out.cells = {};
        const bool fits = std::all_of(s.needs.begin(), s.needs.end(), take);
        // A null among the parts that are needed: another shape may be without it.
        const bool whole = std::none_of(s.needs.begin(), s.needs.end(), [&](Role r) { return out[r].kind == Cell::Kind::kNull; });
        if (!fits || (mapping_.isDefault && !whole)) continue;
        if (mapping_.isDefault && s.shape == Shape::kMessages && !isList(out[Role::kMessages])) continue;
        for (const Role role : s.may) take(role);
        out.shape = s.shape;
        return true;
    }
    return false;
}

void RowMapper::check(RowParts& out) const {
    const auto refuse = [&](const char* reason, std::string hint) {
        out.reason = reason;
        out.hint = std::move(hint);
    };
    const auto text = [&](Role role, bool needed) {
        Cell& cell = out.cells[static_cast<size_t>(role)];
        if (!out.reason.empty()) return false;
        if (cell.kind == Cell::Kind::kMissing || cell.kind == Cell::Kind::kNull) {
            if (needed) refuse("missing_column", std::string("the row has no ") + roleName(role) + ": map the columns with data.train.columns, for example {text: NAME}");
            return false;
        }
        if (cell.kind == Cell::Kind::kJson) {
            refuse("not_text", std::string("the ") + roleName(role) + " column must hold strings");
            return false;
        }
        if (!simdjson::validate_utf8(cell.text.data(), cell.text.size())) {
            refuse("not_utf8", encodingHint(cell.text));
            return false;
        }
        if (cell.text.find('\0') != cell.text.npos) {
            out.notice = "nul_byte";
            out.noticeHint = "the text holds NUL characters; they are kept";
        }
        return true;
    };
    const auto conversation = [&](Role role) {
        if (!out.reason.empty()) return;
        MessageCheck found = checkMessages(out[role]);
        if (!found.reason.empty()) return refuse(found.reason.c_str(), std::move(found.hint));
        if (!found.notice.empty()) {
            out.notice = std::move(found.notice);
            out.noticeHint = std::move(found.hint);
        }
    };
    switch (out.shape) {
        case Shape::kText:
        case Shape::kClassification:
            if (text(Role::kText, true) && blank(out.text(Role::kText))) refuse("empty", "rows without text are left out");
            break;
        case Shape::kPrompt:
        case Shape::kKto:
            if (isList(out[Role::kCompletion]) && out[Role::kCompletion].kind == Cell::Kind::kJson) {
                conversation(Role::kPrompt);
                conversation(Role::kCompletion);
                break;
            }
            text(Role::kPrompt, true);
            if (text(Role::kCompletion, true) && blank(out.text(Role::kCompletion))) refuse("empty_completion", "rows whose answer is empty teach nothing and are left out");
            break;
        case Shape::kAlpaca:
            text(Role::kInstruction, true);
            text(Role::kInput, false);
            text(Role::kSystem, false);
            if (text(Role::kOutput, true) && blank(out.text(Role::kOutput))) refuse("empty_completion", "rows whose answer is empty teach nothing and are left out");
            break;
        case Shape::kMessages: conversation(Role::kMessages); break;
        case Shape::kPreference:
            for (const Role role : {Role::kChosen, Role::kRejected}) {
                if (isList(out[role]) && out[role].kind == Cell::Kind::kJson) {
                    conversation(role);
                } else if (text(role, true) && blank(out.text(role))) {
                    refuse("empty_completion", "rows whose answer is empty teach nothing and are left out");
                }
            }
            break;
        case Shape::kNone: break;
    }
}

// What a row that has no shape lacks of the shape that most rows have.
std::string RowMapper::lacking(const RowBatch& batch, size_t row) const {
    for (const ShapeRoles& s : kShapeRoles) {
        if (s.shape != mapping_.shape) continue;
        for (const Role role : s.needs) {
            const auto& columns = candidates_[static_cast<size_t>(role)];
            Cell cell;
            std::string name = roleName(role);
            for (const auto& [given, column] : mapping_.roles)  // what the user or the first rows say
                if (given == name && !column.empty()) {
                    name = column;
                    break;
                }
            for (size_t i = 0; i < columns.size(); ++i) {
                const Cell here = batch.cell(row, static_cast<size_t>(columns[i]));
                if (i == 0 || (present(here) && !present(cell))) {
                    cell = here;
                    name = names_[static_cast<size_t>(columns[i])];
                }
            }
            if (!present(cell)) {
                std::string has;
                for (size_t i = 0; i < names_.size() && i < 8; ++i) has += (i > 0 ? ", " : "") + names_[i];
                return "the row has no column \"" + name + "\", and is left out" + (has.empty() ? "" : "; columns are " + has + (names_.size() > 8 ? " and others" : ""));
            }
            if (cell.kind == Cell::Kind::kNull) return "the column \"" + name + "\" of the row is null: the row is left out";
            if (s.shape == Shape::kMessages && !isList(cell)) return "the column \"" + name + "\" of the row holds no list of messages: the row is left out";
        }
    }
    return "map the text column with data.train.columns: {text: NAME}";
}

void RowMapper::read(const RowBatch& batch, size_t row, RowParts& out) {
    if (resolved_ != &batch.columns() || resolvedCount_ != batch.columns().size() || names_ != batch.columns()) {
        resolve(batch.columns());
        resolved_ = &batch.columns();
        resolvedCount_ = batch.columns().size();
    }
    out.shape = Shape::kNone;
    out.reason.clear();
    out.hint.clear();
    out.notice.clear();
    out.noticeHint.clear();
    if (const RowBatch::Fault* fault = batch.fault(row)) {
        out.cells = {};
        out.reason = fault->reason;
        out.hint = fault->hint;
        return;
    }
    if (!find(batch, row, out)) {
        out.reason = "missing_column";
        out.hint = lacking(batch, row);
        return;
    }
    check(out);
    if (mapping_.isDefault && mapping_.shape != Shape::kNone && out.shape != mapping_.shape && out.notice.empty() && out.usable()) {
        out.notice = "mixed_shapes";
        out.noticeHint = std::string("the row is of the shape ") + shapeName(out.shape) + ", most are " + shapeName(mapping_.shape) + "; each is read as what it is";
    }
}

std::string plainText(const RowParts& parts) {
    std::string out;
    const auto add = [&](std::string_view text) {
        if (text.empty()) return;
        if (!out.empty()) out += '\n';
        out += text;
    };
    switch (parts.shape) {
        case Shape::kNone: break;
        case Shape::kText:
        case Shape::kClassification: out = parts.text(Role::kText); break;
        case Shape::kPrompt:
        case Shape::kKto:
            if (isList(parts[Role::kCompletion]) && parts[Role::kCompletion].kind == Cell::Kind::kJson) {
                out = messagesText(parts[Role::kPrompt]) + "\n" + messagesText(parts[Role::kCompletion]);
            } else {
                out = std::string(parts.text(Role::kPrompt)) + std::string(parts.text(Role::kCompletion));
            }
            break;
        case Shape::kAlpaca:
            add(parts.text(Role::kInstruction));
            add(parts.text(Role::kInput));
            add(parts.text(Role::kOutput));
            break;
        case Shape::kMessages: out = messagesText(parts[Role::kMessages]); break;
        case Shape::kPreference:
            add(parts.text(Role::kPrompt));
            add(isList(parts[Role::kChosen]) ? messagesText(parts[Role::kChosen]) : std::string(parts.text(Role::kChosen)));
            break;
    }
    return out;
}

}  // namespace assay::data
