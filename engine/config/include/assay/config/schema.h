#pragma once
// Every key of the experiment file in one table: what it takes, what it means when it is absent, and how a person is told
// about it. Forms, completions and the hints of `assay check` are made from it; tests hold it against the reader.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::config {

enum class KeyType {
    kGroup,      // a map of further keys; where `starter` is set, its presence means something
    kText,
    kPath,       // of a file or folder on the engine's machine, or asset:, blob:
    kModel,      // path, asset: or run: reference of a model
    kInteger,
    kNumber,
    kBoolean,
    kChoice,     // one of `choices`, each a YAML value
    kTexts,      // lists; one value may stand for a list of one
    kIntegers,
    kSchemes,
    kMap,        // free keys
};

struct KeyInfo {
    std::string_view key;        // "train.optimizer.lr"
    KeyType type;
    std::string_view label;      // "Learning rate"
    std::string_view unit;       // "tokens"; may be empty
    std::string_view fallback;   // what absence means, as YAML; empty: nothing, or it must be given
    std::string_view typical;    // "1e-4 – 3e-3"
    std::string_view choices;    // joined by |
    bool advanced;
    std::string_view help;       // one sentence
    std::string_view shorthand = {};  // groups: the key that a single word stands for
    std::string_view starter = {};    // groups: what to write to begin with
    std::string section() const { return std::string(key.substr(0, key.find('.'))); }
    std::vector<std::string> choiceList() const;
};

std::span<const KeyInfo> schema();                 // in the order in which a file is written
const KeyInfo* keyInfo(std::string_view path);     // also of list members: data.train.0.path → data.train.path; null: unknown
int keyRank(std::string_view path);                // place in the file; unknown keys come last
// "usually 1e-4 – 3e-3; default 1e-3", for hints; empty when there is nothing to say.
std::string keyHint(std::string_view path);

}  // namespace assay::config
