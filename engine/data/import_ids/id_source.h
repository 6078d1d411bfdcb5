#pragma once
#include <assay/data/import_ids.h>

#include <memory>
#include <vector>

namespace assay::data {

struct IdDocument {
    std::vector<int32_t> ids;
    std::vector<uint8_t> mask;  // empty: every token is learned
    int64_t number = 0;         // from 1: document of Megatron, row of a table; for messages
};

// Documents of ids one after the other.
class IdSource {
public:
    virtual ~IdSource() = default;
    virtual Result<bool> next(IdDocument& out) = 0;  // false at the end
    virtual const std::vector<std::string>& files() const = 0;  // whose bytes make it
};

// `endOfText`: -1 when the tokenizer has none.
Result<std::unique_ptr<IdSource>> openIdSource(const std::string& path, const ImportIdsOptions& options, int32_t endOfText);

}  // namespace assay::data
