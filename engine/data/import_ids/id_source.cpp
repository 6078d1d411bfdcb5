#include "import_ids/id_source.h"

#include <assay/core/durable.h>

#include <algorithm>
#include <deque>
#include <filesystem>

#include "columnar/columnar_rows.h"
#include "export/megatron.h"
#include "prepare/pack.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

constexpr size_t kMaxFlatDocument = size_t{1} << 26;  // a stream without ends is cut here

class MegatronSource final : public IdSource {
public:
    Result<void> open(const std::string& path) {
        const std::string prefix = path.ends_with(".idx") || path.ends_with(".bin") ? path.substr(0, path.size() - 4) : path;
        files_ = {prefix + ".idx", prefix + ".bin"};
        ASSAY_TRY(idx_, MappedFile::open(files_[0]));
        ASSAY_TRY(bin_, MappedFile::open(files_[1]));
        ASSAY_TRY(index_, MegatronIndex::parse(idx_.bytes(), bin_.bytes().size(), files_[0]));
        return {};
    }
    const std::vector<std::string>& files() const override { return files_; }
    Result<bool> next(IdDocument& out) override {
        out.ids.clear();
        out.mask.clear();
        if (document_ >= index_.documents()) return false;
        for (int64_t s = index_.firstSequence(document_); s < index_.firstSequence(document_ + 1); ++s) ASSAY_TRY_VOID(index_.read(bin_.bytes(), s, out.ids));
        out.number = ++document_;
        return true;
    }

private:
    std::vector<std::string> files_;
    MappedFile idx_, bin_;
    MegatronIndex index_;
    int64_t document_ = 0;
};

class FlatSource final : public IdSource {
public:
    explicit FlatSource(int32_t endOfText) : end_(endOfText) {}
    Result<void> open(const std::string& path) {
        files_ = {path};
        ASSAY_TRY(bin_, MappedFile::open(path));
        if (bin_.bytes().empty() || bin_.bytes().size() % 2 != 0)
            return fail(ErrorCode::kInvalidFile, path + " has " + std::to_string(bin_.bytes().size()) + " bytes, and nanoGPT's files are 16-bit numbers", "name a train.bin of nanoGPT");
        return {};
    }
    const std::vector<std::string>& files() const override { return files_; }
    Result<bool> next(IdDocument& out) override {
        out.ids.clear();
        out.mask.clear();
        const std::string_view bytes = bin_.bytes();
        while (at_ < bytes.size() && out.ids.size() < kMaxFlatDocument) {
            uint16_t id;
            __builtin_memcpy(&id, bytes.data() + at_, 2);
            at_ += 2;
            out.ids.push_back(id);
            if (id == end_) break;
        }
        out.number = ++number_;
        return !out.ids.empty();
    }

private:
    const int32_t end_;
    std::vector<std::string> files_;
    MappedFile bin_;
    size_t at_ = 0;
    int64_t number_ = 0;
};

// Rows of a table: input_ids, and where they are there labels and seq_lengths.
class TableSource final : public IdSource {
public:
    Result<void> open(const std::string& path, const std::string& column) {
        const bool folder = fs::is_directory(path);
        ASSAY_TRY(ColumnarSource source, columnarSource(path, folder ? "hf" : "auto"));
        files_ = source.files;
        files_.insert(files_.end(), source.indices.begin(), source.indices.end());
        source.project = {column, "labels", "seq_lengths"};
        ASSAY_TRY(const ColumnarPlugin* plugin, columnarPlugin());
        ASSAY_TRY(file_, plugin->open(source));
        for (size_t c = 0; c < file_->columns().size(); ++c) {
            const std::string& name = file_->columns()[c].name;
            if (name == column) ids_ = static_cast<int>(c);
            else if (name == "labels") labels_ = static_cast<int>(c);
            else if (name == "seq_lengths") lengths_ = static_cast<int>(c);
        }
        if (ids_ < 0) return fail(ErrorCode::kInvalidFile, path + " has no column \"" + column + "\"", "name the column of token ids with --column");
        return {};
    }
    const std::vector<std::string>& files() const override { return files_; }
    Result<bool> next(IdDocument& out) override {
        while (waiting_.empty()) {
            ASSAY_TRY(const bool more, readRow());
            if (!more) return false;
        }
        out = std::move(waiting_.front());
        waiting_.pop_front();
        return true;
    }

private:
    tl::unexpected<Error> wrong(const std::string& what, const std::string& hint) const { return fail(ErrorCode::kInvalidFile, files_[0] + ": row " + std::to_string(row_) + " " + what, hint); }

    // Nothing predicts the first token of a document, so its label does not make a mask.
    void push(IdDocument document) {
        if (!document.mask.empty() && std::all_of(document.mask.begin() + 1, document.mask.end(), [](uint8_t learned) { return learned != 0; })) document.mask.clear();
        waiting_.push_back(std::move(document));
    }
    Result<bool> readRow() {
        for (auto& column : values_) column.clear();
        ASSAY_TRY(const bool more, file_->nextIntegers(values_));
        if (!more) return false;
        ++row_;
        const std::vector<int64_t>& ids = values_[static_cast<size_t>(ids_)];
        IdDocument all;
        all.number = row_;
        for (const int64_t id : ids) {
            if (id < 0 || id > INT32_MAX) return wrong("holds " + std::to_string(id) + ", which is no token id", "name a column of token ids");
            all.ids.push_back(static_cast<int32_t>(id));
        }
        if (labels_ >= 0 && !values_[static_cast<size_t>(labels_)].empty()) {
            const std::vector<int64_t>& labels = values_[static_cast<size_t>(labels_)];
            if (labels.size() != ids.size()) return wrong("has " + std::to_string(labels.size()) + " labels for " + std::to_string(ids.size()) + " ids", "labels must be as many as ids");
            for (size_t i = 0; i < ids.size(); ++i) {
                if (labels[i] != ids[i] && labels[i] != kNotScored) return wrong("has labels that are neither its ids nor -100", "labels must not be shifted: transformers shift them themselves");
                all.mask.push_back(labels[i] != kNotScored);
            }
        }
        if (lengths_ < 0 || values_[static_cast<size_t>(lengths_)].empty()) {
            if (!all.ids.empty()) push(std::move(all));
            return true;
        }
        size_t at = 0;
        for (const int64_t length : values_[static_cast<size_t>(lengths_)]) {
            if (length < 0 || static_cast<uint64_t>(length) > all.ids.size() - at) return wrong("has seq_lengths that do not add up to its ids", "write the file again");
            const auto n = static_cast<std::ptrdiff_t>(length), from = static_cast<std::ptrdiff_t>(at);
            IdDocument one;
            one.number = row_;
            one.ids.assign(all.ids.begin() + from, all.ids.begin() + from + n);
            if (!all.mask.empty()) {
                one.mask.assign(all.mask.begin() + from, all.mask.begin() + from + n);
            }
            at += static_cast<size_t>(length);
            if (n > 0) push(std::move(one));
        }
        if (at != all.ids.size()) return wrong("has seq_lengths that do not add up to its ids", "write the file again");
        return true;
    }

    std::vector<std::string> files_;
    std::unique_ptr<ColumnarFile> file_;
    std::vector<std::vector<int64_t>> values_;
    std::deque<IdDocument> waiting_;
    int ids_ = -1, labels_ = -1, lengths_ = -1;
    int64_t row_ = 0;
};

}  // namespace

Result<std::unique_ptr<IdSource>> openIdSource(const std::string& path, const ImportIdsOptions& options, int32_t endOfText) {
    if (options.format == ExportFormat::kMegatron) {
        auto source = std::make_unique<MegatronSource>();
        ASSAY_TRY_VOID(source->open(path));
        return std::unique_ptr<IdSource>(std::move(source));
    }
    if (options.format == ExportFormat::kNanoGpt) {
        auto source = std::make_unique<FlatSource>(endOfText);
        ASSAY_TRY_VOID(source->open(path));
        return std::unique_ptr<IdSource>(std::move(source));
    }
    auto source = std::make_unique<TableSource>();
    ASSAY_TRY_VOID(source->open(path, options.column));
    return std::unique_ptr<IdSource>(std::move(source));
}

Result<ExportFormat> importFormatOf(const std::string& path) {
    std::error_code ec;
    if (fs::is_directory(path, ec)) return ExportFormat::kHf;
    if (path.ends_with(".idx") || fs::exists(path + ".idx", ec) || (path.ends_with(".bin") && fs::exists(path.substr(0, path.size() - 4) + ".idx", ec))) return ExportFormat::kMegatron;
    if (path.ends_with(".parquet")) return ExportFormat::kParquet;
    if (path.ends_with(".arrow")) return ExportFormat::kArrow;
    if (path.ends_with(".bin")) return ExportFormat::kNanoGpt;
    return fail(ErrorCode::kBadUsage, "it is not clear what format " + path + " is in", "name it with --from: megatron, nanogpt, arrow, parquet or hf");
}

}  // namespace assay::data
