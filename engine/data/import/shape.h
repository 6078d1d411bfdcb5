#pragma once
// What the rows of a file mean: text, conversations, prompts with answers, preferences, classes. The shape of a row is
// known by its columns, or by the roles that the user gives them (data.train.columns: {role: column}).
#include <array>
#include <optional>

#include "import/row_reader.h"

namespace assay::data {

enum class Shape : uint8_t {
    kNone,
    kText,            // text
    kPrompt,          // prompt, completion
    kAlpaca,          // instruction, input (may be absent or empty), output
    kMessages,        // messages (also ShareGPT's from and value), tools, system
    kPreference,      // chosen, rejected; prompt, unless both begin with it
    kKto,             // prompt, completion, label
    kClassification,  // text, label
};
constexpr size_t kShapes = 8;
const char* shapeName(Shape shape);

enum class Role : uint8_t { kText, kPrompt, kCompletion, kInstruction, kInput, kOutput, kMessages, kTools, kSystem, kChosen, kRejected, kLabel };
constexpr size_t kRoles = 12;
const char* roleName(Role role);
std::optional<Role> roleOf(std::string_view name);

using RoleColumns = std::vector<std::pair<std::string, std::string>>;  // role → column, as the configuration has them

struct Mapping {
    RoleColumns roles;
    Shape shape = Shape::kNone;   // of most rows
    bool isDefault = false;       // every row shows its shape by the names of its columns: nothing need be given
    std::string reason;           // for people: "a column named verse"
    std::vector<std::pair<Shape, int64_t>> shapes;  // of the rows looked at, most frequent first
};

struct ColumnSample {
    std::string name;
    size_t texts = 0, bytes = 0;  // rows in which it is a string with content, and their bytes
};
// From names first and contents second; no roles when nothing fits.
Mapping guessMapping(const std::vector<ColumnSample>& columns, bool csv);
// The columns by whose names rows show this shape; empty: it needs one that is not there.
RoleColumns defaultRoles(Shape shape, const std::vector<std::string>& columns);
// From roles that are given. An unknown role, a column that is absent (when `columns` is complete), or roles that make no
// shape together are errors.
Result<Mapping> givenMapping(const RoleColumns& roles, const std::vector<std::string>& columns, bool complete, const std::string& path);

// One row's parts by role, pointing into its batch.
struct RowParts {
    Shape shape = Shape::kNone;
    std::array<Cell, kRoles> cells{};
    std::string reason, hint;    // why the row is not used; empty: it is
    std::string notice, noticeHint;  // what is odd about it all the same
    bool usable() const { return reason.empty(); }
    const Cell& operator[](Role role) const { return cells[static_cast<size_t>(role)]; }
    std::string_view text(Role role) const { return (*this)[role].text; }
};

// Batch rows → parts. Cheap to copy; one thread each.
class RowMapper {
public:
    // `mapping.roles` empty, or default: each row by the names of its columns; `main` shape: others are a notice.
    explicit RowMapper(const Mapping& mapping) : mapping_(mapping) {}
    void read(const RowBatch& batch, size_t row, RowParts& out);

private:
    void resolve(const RowBatch::Columns::element_type& columns);
    bool find(const RowBatch& batch, size_t row, RowParts& out) const;
    void check(RowParts& out) const;
    std::string lacking(const RowBatch& batch, size_t row) const;

    Mapping mapping_;
    const void* resolved_ = nullptr;
    size_t resolvedCount_ = 0;
    std::vector<std::string> names_;
    std::array<std::vector<int>, kRoles> candidates_{};  // columns that may play the role, best first
};

// The columns that a mapping reads; empty: all.
std::vector<std::string> columnsOf(const Mapping& mapping);
// The text of a row as people read it, without a template: parts one after the other, messages by lines.
std::string plainText(const RowParts& parts);
// Shapes that a trainer takes.
bool trainable(Shape shape);

}  // namespace assay::data
