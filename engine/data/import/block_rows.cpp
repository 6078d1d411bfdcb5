#include "import/block_rows.h"

#include <algorithm>
#include <cstring>

namespace assay::data {

int64_t countLines(std::string_view bytes) {
    int64_t lines = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == '\n') {
            ++lines;
        } else if (bytes[i] == '\r' && (i + 1 >= bytes.size() || bytes[i + 1] != '\n')) {
            ++lines;
        }
    }
    return lines;
}

Result<void> BlockRows::fill(size_t least) {
    const size_t carried = end_ - at_;
    const size_t size = std::max({least, request_.batchBytes, carried * 2});
    std::shared_ptr<char[]> block(new (std::nothrow) char[size + kPadding]);
    if (!block) return fail(ErrorCode::kOutOfMemory, "not enough memory to read " + path());
    if (carried > 0) std::memcpy(block.get(), block_.get() + at_, carried);
    ASSAY_TRY(const size_t got, bytes_.stream->read(block.get() + carried, size - carried));
    ended_ = got < size - carried;
    block_ = std::move(block);
    at_ = 0;
    end_ = carried + got;
    std::memset(block_.get() + end_, 0, kPadding);
    return {};
}

// The rest of a row that is too long is let go block by block.
Result<void> BlockRows::skipLong() {
    for (;;) {
        const std::string_view bytes(block_.get() + at_, end_ - at_);
        const size_t found = resume(bytes);
        const size_t used = std::min(found, bytes.size());
        line_ += countLines(bytes.substr(0, used));
        at_ += used;
        offset_ += used;
        if (found != bytes.npos) break;
        if (ended_) {
            finished_ = true;
            break;
        }
        ASSAY_TRY_VOID(fill(0));
    }
    skipping_ = false;
    return {};
}

Result<BlockRows::Cut> BlockRows::cutOne(RowBatch& out) {
    for (;;) {
        if (at_ == end_ && !ended_) ASSAY_TRY_VOID(fill(0));
        if (at_ == end_) return Cut::kEnd;
        size_t used = 0;
        ASSAY_TRY(const Cut done, cut({block_.get() + at_, end_ - at_}, ended_, used, out));
        at_ += used;
        offset_ += used;
        if (done == Cut::kRow || done == Cut::kEnd) return done;
        if (done == Cut::kMore) {
            if (end_ - at_ >= kMaxRowBytes) return Cut::kMore;
            ASSAY_TRY_VOID(fill(0));
        }
    }
}

Result<bool> BlockRows::next(RowBatch& out) {
    if (at_ == end_ && !ended_ && !finished_) ASSAY_TRY_VOID(fill(0));
    out.begin({row_, line_, offset_});
    if (skipping_) {
        ASSAY_TRY_VOID(skipLong());
        out.begin({row_, line_, offset_});
    }
    size_t from = at_;
    while (!finished_ && out.size() < request_.batchRows) {
        if (at_ == end_) {
            if (ended_) {
                finished_ = true;
                break;
            }
            if (!out.empty()) break;
            ASSAY_TRY_VOID(fill(0));
            from = at_;
            continue;
        }
        size_t used = 0;
        const size_t had = out.size();
        ASSAY_TRY(const Cut done, cut({block_.get() + at_, end_ - at_}, ended_, used, out));
        at_ += used;
        offset_ += used;
        row_ += static_cast<int64_t>(out.size() - had);
        if (done == Cut::kEnd) {
            finished_ = true;
        } else if (done == Cut::kMore) {
            if (!out.empty()) break;
            if (end_ - at_ >= kMaxRowBytes) {
                out.addFault(row_++, line_, "too_long", "rows end at 256 MiB: split the file, or set data.document to line or paragraph");
                skipping_ = true;
                break;
            }
            ASSAY_TRY_VOID(fill(0));
            from = at_;
        } else if (done == Cut::kNone && out.empty()) {
            out.begin({row_, line_, offset_});
        }
    }
    if (out.empty()) {
        if (at_ == end_ && ended_) ASSAY_TRY_VOID(atEnd());
        return false;
    }
    out.setColumns(columns_);
    out.own(block_, at_ - std::min(from, at_));
    return true;
}

Result<void> BlockRows::seek(const RowMark& mark) {
    ASSAY_TRY_VOID(bytes_.stream->seek(mark.offset));
    at_ = end_ = 0;
    ended_ = finished_ = skipping_ = false;
    offset_ = mark.offset;
    row_ = mark.row;
    line_ = mark.line;
    onSeek();
    return {};
}

std::vector<std::pair<std::string, std::string>> BlockRows::details() const {
    std::vector<std::pair<std::string, std::string>> out;
    if (!bytes_.packing.empty()) out.emplace_back("packing", bytes_.packing);
    if (bytes_.encoding != "UTF-8") out.emplace_back("encoding", bytes_.encoding);
    return out;
}

}  // namespace assay::data
