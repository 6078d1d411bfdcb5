// A folder of text files as one source: its files in the order of their paths, one after the other. Rows are numbered through
// all of them; lines are those of the file that a row stands in.
#include <algorithm>
#include <filesystem>

#include "import/block_rows.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

constexpr size_t kMaxTextFiles = 1'000'000;

bool isTextName(fs::path name) {
    const auto ending = [&] {
        std::string e = name.extension().string();
        std::transform(e.begin(), e.end(), e.begin(), [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
        return e;
    };
    std::string e = ending();
    if (e == ".gz" || e == ".zst") {
        name = name.stem();
        e = ending();
    }
    return e == ".txt" || e == ".text" || e == ".md" || e == ".rst";
}

class TextFolderRows final : public RowReader {
public:
    TextFolderRows(const RowRequest& request, std::vector<std::string> files, int64_t bytes) : request_(request), files_(std::move(files)), bytes_(bytes) {
        columns_ = std::make_shared<const std::vector<std::string>>(1, "text");
    }
    const std::string& format() const override {
        static const std::string kName = "text";
        return kName;
    }
    RowBatch::Columns columns() const override { return columns_; }
    Result<bool> next(RowBatch& out) override {
        for (;;) {
            if (!file_) {
                if (at_ == files_.size()) return false;
                ASSAY_TRY_VOID(openNext());
                continue;
            }
            auto more = file_->next(out);
            if (!more) return fail(std::move(more).error().with(files_[at_ - 1]));
            if (*more) {
                out.moveRows(rows_, files_[at_ - 1]);
                inFile_ += static_cast<int64_t>(out.size());
                return true;
            }
            rows_ += inFile_;
            done_ += file_->bytesTotal();
            file_.reset();
        }
    }
    int64_t bytesDone() const override { return done_ + (file_ ? file_->bytesDone() : 0); }
    int64_t bytesTotal() const override { return bytes_; }
    std::vector<std::pair<std::string, std::string>> details() const override { return {{"files", std::to_string(files_.size())}}; }

private:
    Result<void> openNext() {
        RowRequest request = request_;
        request.path = files_[at_++];
        inFile_ = 0;
        ASSAY_TRY(const FileHead head, readHead(request.path));
        ASSAY_TRY(file_, openText(request, head));
        return {};
    }

    RowRequest request_;
    std::vector<std::string> files_;
    int64_t bytes_;
    RowBatch::Columns columns_;
    RowReaderPtr file_;   // null: the next one is to be opened
    size_t at_ = 0;       // of the next file
    int64_t rows_ = 0;    // of the files before this one
    int64_t inFile_ = 0, done_ = 0;
};

}  // namespace

// Empty files hold no rows and are passed over.
Result<std::vector<std::string>> textFilesBelow(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code ec;
    for (fs::recursive_directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        std::error_code gone;
        if (!isTextName(it->path().filename()) || !it->is_regular_file(gone) || it->file_size(gone) == 0) continue;
        if (files.size() == kMaxTextFiles) return fail(ErrorCode::kUnsupported, folder + " holds more than " + std::to_string(kMaxTextFiles) + " text files", "put their texts into fewer files");
        files.push_back(it->path().string());
    }
    if (ec) return fail(systemError("cannot look through", folder, ec.value()));
    std::sort(files.begin(), files.end());
    if (files.empty()) return fail(ErrorCode::kInvalidFile, folder + " is a folder without data files", "name one file, a folder with text files (.txt, .text, .md or .rst, also packed as .gz or .zst), or a folder that Hugging Face datasets saved");
    return files;
}

bool isTextFolder(const std::string& folder) {
    std::error_code ec;
    size_t seen = 0;
    for (fs::recursive_directory_iterator it(folder, ec), end; !ec && it != end && ++seen < kMaxTextFiles; it.increment(ec)) {
        std::error_code gone;
        if (isTextName(it->path().filename()) && it->is_regular_file(gone)) return true;
    }
    return false;
}

Result<RowReaderPtr> openTextFolder(const RowRequest& request) {
    ASSAY_TRY(std::vector<std::string> files, textFilesBelow(request.path));
    int64_t bytes = 0;
    for (const std::string& file : files) {
        std::error_code ec;
        const auto size = fs::file_size(file, ec);
        if (!ec) bytes += static_cast<int64_t>(size);
    }
    return RowReaderPtr(std::make_unique<TextFolderRows>(request, std::move(files), bytes));
}

}  // namespace assay::data
