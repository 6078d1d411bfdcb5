#pragma once
// The DataFile behind the public one: rows through the readers of import/, and an index of places in the file.
#include <assay/data/rows.h>

#include <mutex>

#include "import/source.h"
#include "inspect/row_index.h"
#include "prepare/pack.h"

namespace assay::data {

class RowsFile final : public DataFile {
public:
    static Result<std::shared_ptr<const RowsFile>> openFile(const config::DataSource& source, config::Document document, const std::string& cacheFolder);

    const std::string& path() const override { return opened_.source.path; }
    const std::string& format() const override { return opened_.format; }
    int64_t bytes() const override { return bytes_; }
    int64_t rows() const override;
    const std::vector<std::string>& columns() const override { return opened_.columns; }
    const std::vector<std::pair<std::string, std::string>>& mapping() const override { return opened_.mapping.roles; }
    const std::string& mappingReason() const override { return opened_.mapping.reason; }
    const std::string& shape() const override { return shape_; }
    const std::vector<std::pair<std::string, int64_t>>& shapes() const override { return shapes_; }
    const std::vector<std::pair<std::string, std::string>>& details() const override { return opened_.details; }
    const config::DataSource& source() const override { return opened_.source; }
    Result<void> visit(int64_t first, bool cells, const Visit& visit, const std::stop_token& stop) const override;
    Result<void> visitMatching(const std::string& filter, const Visit& visit, const std::stop_token& stop) const override;

    const OpenedSource& opened() const { return opened_; }
    Result<const RowIndex*> index() const;

private:
    Result<RowReaderPtr> reader(bool allColumns) const;

    std::string cacheFolder_, shape_;
    OpenedSource opened_;
    int64_t bytes_ = 0, modifiedNs_ = 0;
    std::vector<std::pair<std::string, int64_t>> shapes_;
    mutable std::mutex mutex_;
    mutable bool indexed_ = false;
    mutable RowIndex index_;
};

// Documents for measuring: of all usable rows, or of evenly spaced batches (`spread`), or of the first ones.
struct DocumentSample {
    TokenizedDocuments documents;
    bool sampled = false;
    int64_t rows = 0;  // looked at
};
Result<DocumentSample> sampleDocuments(const DataFile& file, const Tokenizer& tokenizer, const EncodeChoice& choice, bool spread, const std::stop_token& stop);

}  // namespace assay::data
