#pragma once
// Typed reading of one map. Every key asked for is a known key; `finish` (or the destructor) reports the others.

#include <limits>
#include <optional>

#include "names.h"
#include "node.h"

namespace assay::config {

template <class T>
struct Range {
    T low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
    bool openLow = false, openHigh = false;  // the bound itself is excluded
};

class Section {
public:
    // A node that is not a map is a problem and reads as an empty map.
    Section(const Node& node, std::string path, Context& context);
    Section(const Section&) = delete;
    ~Section() { finish(); }

    const Node* take(std::string_view key);  // null when absent; a null value is a problem and reads as absent
    bool has(std::string_view key) const { return node_ && node_->find(key); }
    std::string at(std::string_view key) const { return path_.empty() ? std::string(key) : path_ + "." + std::string(key); }
    const std::string& path() const { return path_; }
    Context& context() { return context_; }
    void missing(std::string_view key, std::string why, std::string hint = {});
    void finish();

    bool text(std::string_view key, std::string& out);
    bool path(std::string_view key, std::string& out);  // made absolute
    bool word(std::string_view key, std::string& out, const Words& words);
    bool integer(std::string_view key, int64_t& out, Range<int64_t> range);
    bool autoInteger(std::string_view key, int64_t& out, Range<int64_t> range);  // "auto" reads as 0
    bool number(std::string_view key, double& out, Range<double> range);
    bool boolean(std::string_view key, bool& out);
    bool texts(std::string_view key, std::vector<std::string>& out, bool paths = false);  // a list, or one text
    bool integers(std::string_view key, std::vector<int64_t>& out, Range<int64_t> range);
    template <class E, size_t N>
    bool choice(std::string_view key, E& out, const std::array<Word<E>, N>& words);

private:
    const Node* node_ = nullptr;  // null: nothing to read
    std::string path_;
    Context& context_;
    std::vector<std::string> known_;
    bool finished_ = false;
};

// The same for a value that is not the value of a map key.
bool readText(const Node& node, const std::string& key, Context& context, std::string& out);
bool readPath(const Node& node, const std::string& key, Context& context, std::string& out);
bool readInteger(const Node& node, const std::string& key, Context& context, int64_t& out, Range<int64_t> range);
bool readUnsigned(const Node& node, const std::string& key, Context& context, uint64_t& out);
bool readNumber(const Node& node, const std::string& key, Context& context, double& out, Range<double> range);
bool readWord(const Node& node, const std::string& key, Context& context, std::string& out, const Words& words);
std::string describe(const Node& node);  // "a list", "a map", "\"abc\""

template <class E, size_t N>
bool readChoice(const Node& node, const std::string& key, Context& context, E& out, const std::array<Word<E>, N>& words) {
    Words names;
    for (const auto& [name, value] : words) names.emplace_back(name);
    std::string written;
    if (!readWord(node, key, context, written, names)) return false;
    for (const auto& [name, value] : words)
        if (name == written) out = value;
    return true;
}
template <class E, size_t N>
bool Section::choice(std::string_view key, E& out, const std::array<Word<E>, N>& words) {
    const Node* node = take(key);
    return node && readChoice(*node, at(key), context_, out, words);
}

// Parts of the file, one function each.
void parseData(const Node& node, DataSpec& out, Context& context);
void parseModel(const Node& node, ModelSpec& out, Context& context);
Json parseMethod(const Node& node, Context& context);
void parseTrain(const Node& node, TrainSpec& out, Context& context);
void parseQuantize(const Node& node, QuantizeSpec& out, Context& context);
void parseBenchmark(const Node& node, BenchmarkSpec& out, Context& context);
void parseAccuracy(const Node& node, AccuracySpec& out, Context& context);
void parseGenerate(const Node& node, GenerateSpec& out, Context& context);
void parseVerify(const Node& node, VerifySpec& out, Context& context);
void parseSchemes(const Node& node, const std::string& key, Context& context, std::vector<SchemeSpec>& out);

constexpr int64_t kMost = int64_t{1} << 53;  // integers stay exact in every JSON reader

}  // namespace assay::config
