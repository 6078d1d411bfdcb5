#pragma once
// The key-value part of a GGUF file (versions 2 and 3), read with limits; tensors are not looked at.
#include <assay/core/durable.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay::data {

class GgufMetadata {
public:
    static Result<GgufMetadata> read(const std::string& path);
    // `bytes` must outlive the result.
    static Result<GgufMetadata> parse(std::string_view bytes, const std::string& what);

    std::optional<std::string_view> string(const std::string& key) const;
    std::optional<int64_t> integer(const std::string& key) const;
    std::optional<bool> boolean(const std::string& key) const;
    const std::vector<std::string_view>* strings(const std::string& key) const;
    const std::vector<int64_t>* integers(const std::string& key) const;
    const std::vector<float>* floats(const std::string& key) const;

private:
    using Value = std::variant<std::string_view, int64_t, bool, double, std::vector<std::string_view>, std::vector<int64_t>, std::vector<float>>;
    MappedFile file_;
    std::map<std::string, Value> values_;
    friend class GgufReader;
};

}  // namespace assay::data
