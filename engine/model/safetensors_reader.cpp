#include <assay/core/durable.h>

#include <unordered_map>

#include "safetensors_header.h"

namespace assay::model {
namespace {

class MappedSafetensors : public SafetensorsFile {
public:
    MappedSafetensors(MappedFile file, SafetensorsHeader header) : file_(std::move(file)), header_(std::move(header)) {
        index_.reserve(header_.entries.size());
        for (size_t i = 0; i < header_.entries.size(); ++i) index_.emplace(header_.entries[i].name, i);
    }
    const std::vector<SafetensorsEntry>& entries() const override { return header_.entries; }
    const SafetensorsEntry* find(std::string_view name) const override {
        auto it = index_.find(name);
        return it == index_.end() ? nullptr : &header_.entries[it->second];
    }
    const Json& metadata() const override { return header_.metadata; }

private:
    MappedFile file_;
    SafetensorsHeader header_;
    std::unordered_map<std::string_view, size_t> index_;
};

}  // namespace

Result<std::shared_ptr<const SafetensorsFile>> SafetensorsFile::open(const std::string& path) {
    ASSAY_TRY(MappedFile file, MappedFile::open(path));
    ASSAY_TRY(SafetensorsHeader header, parseSafetensors(file.bytes(), path));
    return std::make_shared<MappedSafetensors>(std::move(file), std::move(header));
}

Result<std::shared_ptr<const SafetensorsFile>> SafetensorsFile::parse(std::string_view bytes, const std::string& path) {
    ASSAY_TRY(SafetensorsHeader header, parseSafetensors(bytes, path));
    return std::make_shared<MappedSafetensors>(MappedFile{}, std::move(header));
}

}  // namespace assay::model
