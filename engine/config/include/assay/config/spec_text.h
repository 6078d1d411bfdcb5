#pragma once
// An experiment file as text that can be edited by key: a form and an editor over the same file. An edit changes the
// span of its value, or adds one line where the key belongs, in the style that the file uses there; every other byte
// stays. After each edit the new text is read again and compared: an edit that would not mean what was asked for, or
// would change anything else, is refused and the text stays as it was. Linear in the length of the text; any thread.

#include <assay/config/config.h>

#include <memory>
#include <optional>

namespace assay::config {

struct TextSpan {
    size_t begin = 0, end = 0;  // bytes of the text
    int line = 0, column = 0;   // of begin: 1-based, columns in characters
};

struct SpecValue {
    Json value;
    std::string text;     // as written
    TextSpan span, key;   // key: of the key before it; empty for list members
};

class SpecText {
public:
    static constexpr size_t kMaxTextBytes = size_t{16} << 20;

    explicit SpecText(std::string text = {});
    SpecText(const SpecText&);
    SpecText& operator=(const SpecText&);
    SpecText(SpecText&&) noexcept;
    SpecText& operator=(SpecText&&) noexcept;
    ~SpecText();

    const std::string& text() const;
    const std::vector<Problem>& problems() const;   // why it cannot be read as YAML; then it cannot be edited by key
    bool editable() const { return problems().empty(); }

    // Paths are those of overrides: keys and list indices joined by dots; "sweep.grid." is followed by one whole key.
    std::optional<SpecValue> find(std::string_view path) const;
    bool has(std::string_view path) const;
    // The key that a place in the text belongs to; empty outside every key.
    std::string pathAt(size_t offset) const;
    std::string pathAtLine(int line) const;

    Result<void> set(std::string_view path, const Json& value);
    // The value as YAML text: "2e-4" is written as it is typed.
    Result<void> setYaml(std::string_view path, std::string_view yaml);
    Result<void> remove(std::string_view path);     // ok when it is not there

private:
    struct Private;
    Result<void> write(std::string_view path, const Json& value, const std::string& raw);
    Result<void> replaceBy(std::string text, const std::vector<std::string>& parts, const Json* value);
    std::unique_ptr<Private> d_;
};

std::string flowYaml(const Json& json);   // on one line: {a: 1, b: [x, "010"]}
// Without what equals the defaults, as far as the rest still means the same: how a person would have written it.
Json compactSpec(const Json& resolved);

}  // namespace assay::config
