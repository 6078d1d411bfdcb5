#pragma once
// Writing tensors that may move meanwhile: the content is asked for piece by piece.

#include <assay/model/model_file.h>

#include <functional>
#include <string_view>

namespace assay::model {

// Bytes that may lie elsewhere a moment later: those asked for stay in place until `take` returns.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    virtual Result<void> read(size_t offset, size_t size, const std::function<Result<void>(std::string_view)>& take) const = 0;
};

// As writeSafetensors. `sources`: one for each entry, or null for an entry whose `bytes` are written as they are; the size of
// `bytes` counts either way.
Result<int64_t> streamSafetensors(const std::string& path, const std::vector<SafetensorsEntry>& entries, const std::vector<const ByteSource*>& sources, const Json& metadata);

}  // namespace assay::model
