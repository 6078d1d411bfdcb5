#pragma once
// What the YAML and JSON readers hand to the typed parser: a tree of maps, lists and scalars that remembers where each
// part was written, in which file, and whether a scalar was quoted.

#include <assay/config/config.h>

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::config {

struct Source {
    std::string name;    // as messages show it; empty: the main file
    std::string folder;  // relative paths are relative to it; empty: leave paths alone
};

struct Mark {
    int line = 0, column = 0;  // 1-based, columns in characters; 0: no place
};

struct Entry;
struct Node {
    enum class Type { kNull, kPlain, kQuoted, kList, kMap };
    Type type = Type::kNull;
    Mark mark;
    const Source* source = nullptr;
    std::string text;            // scalars
    std::vector<Node> items;     // lists
    std::vector<Entry> entries;  // maps, in order of the file

    bool isScalar() const { return type == Type::kPlain || type == Type::kQuoted; }
    bool isMap() const { return type == Type::kMap; }
    bool isList() const { return type == Type::kList; }
    const Entry* find(std::string_view key) const;
    Entry* find(std::string_view key);
};
struct Entry {
    std::string key;
    Mark mark;
    Node value;
};

// One load: owns the sources, collects the problems, and remembers the place of every key for later checks.
class Context {
public:
    Source* addSource(std::string name, std::string folder);
    // `at.source` other than the main file: the problem is shown at `extendsMark` and the message names file and place.
    void problem(const Mark& mark, const Source* source, const std::string& key, std::string message, std::string hint = {});
    // At the place of the key, or of the nearest enclosing key that was written.
    void problemAt(const std::string& key, std::string message, std::string hint = {});
    void remember(const std::string& key, const Mark& mark, const Source* source);
    std::vector<Problem> sorted() const;  // by place, those without one last
    bool clean() const { return problems_.empty(); }
    bool full() const { return problems_.size() >= kMaxProblems; }  // further ones are not kept

    Mark extendsMark;  // place of `extends:` in the main file

private:
    static constexpr size_t kMaxProblems = 1000;  // a file of nothing but mistakes stays cheap
    struct Place {
        Mark mark;
        const Source* source;
    };
    std::deque<Source> sources_;
    std::vector<Problem> problems_;
    std::map<std::string, Place> places_;
};

constexpr size_t kMaxBytes = size_t{1} << 20;
constexpr int kMaxDepth = 32;
constexpr size_t kMaxNodes = 200'000;

// Reads one YAML document; problems go to the context. False: nothing usable was read.
bool readYaml(std::string_view text, const Source* source, Context& context, Node& root);
// UTF-8, control characters, tabs, size; makes line ends "\n" and drops a byte order mark. False: unusable.
bool checkText(std::string_view text, const Source* source, Context& context, std::string& clean, size_t maxBytes = kMaxBytes);
std::string yamlHint(const std::string& message);  // what to do about a message of yaml-cpp

Result<Json> jsonFromYaml(std::string_view yaml);  // one value
Node nodeFromJson(const Json& json, const Source* source);
// Free-form values (YAML 1.2 core types). `key` names problems such as 010.
Json jsonFromNode(const Node& node, const std::string& key, Context& context);

// How a plain scalar reads under the YAML 1.2 core rules that this format keeps.
enum class Plain { kText, kBool, kInteger, kFloat, kNonFinite, kLeadingZero, kOtherBase };
Plain classifyPlain(std::string_view text);
Result<double> parseNumber(std::string_view text);

// The known word nearest to what was written (at most a third of its letters differ); empty when none is near.
std::string suggestion(std::string_view written, const std::vector<std::string>& known);
std::string didYouMean(std::string_view written, const std::vector<std::string>& known);  // "did you mean X?" or ""

// Child over base: maps are merged, everything else replaced; null removes.
void mergeNode(Node& base, Node&& child);
// Applies "key.path=value"; problems have no place.
void applyOverride(Node& root, const std::string& text, const Source* source, Context& context);
// Keys that a sweep sets are dotted themselves: where in a path the one begins that reaches to the end ("sweep.grid.KEY",
// "sweep.variants.NAME.KEY"); the size of the path when it holds none.
size_t wholeKeyFrom(std::string_view path);
// Sets the value at a dotted path, making maps on the way; false when a list index on the way does not exist.
bool setPath(Node& root, std::string_view path, Node value);
// Resolves `extends:` of `root` (which came from the file `path`; empty when it came from text).
void resolveExtends(Node& root, const std::string& path, const Source* source, Context& context);

std::string yamlKey(const std::string& key);              // quoted when it must be
std::string inlineYaml(const Json& value, bool insideBrackets);
std::string blockYaml(const Json& value, int indent);     // lines of a map or a list, without the last line end

Spec parseSpec(const Node& root, Context& context);
void checkSpec(const Spec& spec, Context& context);  // rules over several keys; expects no problem of parseSpec

}  // namespace assay::config
