#pragma once
// The DataFile behind the public one: mapped bytes, the shape of its rows, and their index.
#include <assay/data/rows.h>

#include <mutex>
#include <optional>

#include "import/documents.h"
#include "import/json_rows.h"
#include "inspect/row_index.h"

namespace assay::data {

class RowsFile final : public DataFile {
public:
    static Result<std::shared_ptr<const RowsFile>> openFile(const config::DataSource& source, config::Document document, const std::string& cacheFolder);

    const std::string& path() const override { return path_; }
    const std::string& format() const override { return shape_.format; }
    int64_t bytes() const override { return fileBytes_; }
    int64_t rows() const override;
    const std::vector<std::string>& columns() const override { return columns_; }
    const std::vector<std::pair<std::string, std::string>>& mapping() const override { return mapping_; }
    const std::string& mappingReason() const override { return mappingReason_; }
    const config::DataSource& source() const override { return source_; }
    Result<void> visit(int64_t first, bool cells, const Visit& visit, const std::stop_token& stop) const override;
    Result<void> visitMatching(const std::string& filter, const Visit& visit, const std::stop_token& stop) const override;

    config::Document document() const { return shape_.document; }
    int64_t plainBytes() const { return static_cast<int64_t>(bytes_.size()); }  // unpacked

private:
    class Reader;
    using Wanted = std::function<bool(std::string_view raw)>;
    Result<void> openArray();
    Result<void> chooseMapping();
    const RowIndex& index() const;
    Result<void> walk(int64_t first, bool cells, const Wanted* wanted, const Visit& visit, const std::stop_token& stop) const;
    Result<void> walkArray(int64_t first, bool cells, const Visit& visit, const std::stop_token& stop) const;

    std::string path_, cacheFolder_, mappingReason_;
    config::DataSource source_;
    Documents holder_;  // keeps the bytes
    std::string_view bytes_;
    RowShape shape_;
    RowPlace first_{0, 1};
    int64_t fileBytes_ = 0, modifiedNs_ = 0;
    std::vector<std::string> columns_;
    std::vector<size_t> textColumns_;  // csv
    std::vector<std::pair<std::string, std::string>> mapping_;
    std::unique_ptr<simdjson::dom::parser> arrayParser_;
    std::optional<simdjson::dom::array> array_;
    mutable std::once_flag indexed_;
    mutable RowIndex index_;
};

// Texts for measuring: all usable rows, or those of evenly spaced blocks (`spread`), or the first ones.
struct TextSample {
    std::vector<std::string_view> texts;
    std::vector<int64_t> lines;
    bool sampled = false;
    int64_t rowsUsed = 0;                // rows looked at
    std::unique_ptr<Documents> storage;  // keeps the texts
};
Result<TextSample> sampleTexts(const DataFile& file, bool spread, const std::stop_token& stop);

}  // namespace assay::data
