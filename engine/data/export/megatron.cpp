#include "export/megatron.h"

namespace assay::data {
namespace {

constexpr std::string_view kIndexMagic{"MMIDIDX\0\0", 9};
constexpr size_t kIndexHead = 9 + 8 + 1 + 8 + 8;
constexpr uint8_t kInt32 = 4, kUint16 = 8;

// Bytes of an id; 0: no ids of whole numbers.
int widthOf(uint8_t type) {
    switch (type) {
        case 1:
        case 2: return 1;
        case 3:
        case 8: return 2;
        case 4: return 4;
        case 5: return 8;
        default: return 0;
    }
}

template <class T>
bool appendIds(const char* from, int64_t n, std::vector<int32_t>& ids) {
    for (int64_t i = 0; i < n; ++i) {
        T value;
        __builtin_memcpy(&value, from + static_cast<size_t>(i) * sizeof(T), sizeof(T));
        if (value < 0 || static_cast<uint64_t>(value) > INT32_MAX) return false;
        ids.push_back(static_cast<int32_t>(value));
    }
    return true;
}

}  // namespace

Result<MegatronWriter> MegatronWriter::create(const std::string& prefix, int64_t vocabSize) {
    ASSAY_TRY(FileSink bin, FileSink::create(prefix + ".bin"));
    return MegatronWriter(std::move(bin), prefix, vocabSize >= kMegatronWideFrom);
}

Result<void> MegatronWriter::add(std::span<const int32_t> ids, bool beginsDocument) {
    if (beginsDocument || lengths_.empty()) lengths_.push_back(0);
    if (ids.size() > static_cast<size_t>(INT32_MAX - lengths_.back()))
        return fail(ErrorCode::kUnsupported, prefix_ + ": a document has more than 2147483647 tokens, which Megatron's index cannot count", "cut the document with data.over_length");
    lengths_.back() += static_cast<int32_t>(ids.size());
    if (wide_) return bin_.write(ids);
    narrow_.assign(ids.begin(), ids.end());
    return bin_.write(std::span<const uint16_t>(narrow_));
}

Result<void> MegatronWriter::finish() {
    ASSAY_TRY_VOID(bin_.finish());
    ASSAY_TRY(FileSink idx, FileSink::create(prefix_ + ".idx"));
    ASSAY_TRY_VOID(idx.write(kIndexMagic));
    ASSAY_TRY_VOID(idx.number(uint64_t{1}));
    ASSAY_TRY_VOID(idx.number(wide_ ? kInt32 : kUint16));
    ASSAY_TRY_VOID(idx.number(uint64_t{lengths_.size()}));
    ASSAY_TRY_VOID(idx.number(uint64_t{lengths_.size() + 1}));
    ASSAY_TRY_VOID(idx.write(std::span<const int32_t>(lengths_)));
    int64_t offset = 0;
    for (const int32_t length : lengths_) {
        ASSAY_TRY_VOID(idx.number(offset));
        offset += int64_t{length} * (wide_ ? 4 : 2);
    }
    for (size_t d = 0; d <= lengths_.size(); ++d) ASSAY_TRY_VOID(idx.number(static_cast<int64_t>(d)));
    return idx.finish();
}

Result<MegatronIndex> MegatronIndex::parse(std::string_view idx, uint64_t binBytes, const std::string& name) {
    const auto bad = [&](const std::string& why) { return fail(ErrorCode::kInvalidFile, name + ": " + why, "write the dataset again, or copy both of its files again"); };
    if (!idx.starts_with(kIndexMagic)) return bad("is no index of a Megatron dataset");
    if (idx.size() < kIndexHead) return bad("ends inside its header");
    MegatronIndex out;
    out.idx_ = idx;
    out.name_ = name;
    if (const auto version = out.at<uint64_t>(9, 0); version != 1) return bad("has version " + std::to_string(version) + ", and only version 1 is known");
    out.type_ = static_cast<uint8_t>(idx[17]);
    const int width = widthOf(out.type_);
    if (width == 0) return bad("has ids of type " + std::to_string(out.type_) + ", which are no whole numbers");
    const auto sequences = out.at<uint64_t>(18, 0), documents = out.at<uint64_t>(26, 0);
    const uint64_t room = idx.size() - kIndexHead;
    if (sequences > room / 12 || documents > (room - sequences * 12) / 8) return bad("is cut off: it says " + std::to_string(sequences) + " sequences");
    const uint64_t rest = room - sequences * 12 - documents * 8;
    if (rest != 0 && rest != sequences) return bad("is longer or shorter than its header says");
    if (documents == 0) return bad("lists no documents");
    out.sequences_ = static_cast<int64_t>(sequences);
    out.documents_ = static_cast<int64_t>(documents) - 1;
    out.lengthsAt_ = kIndexHead;
    out.offsetsAt_ = kIndexHead + sequences * 4;
    out.documentsAt_ = out.offsetsAt_ + sequences * 8;
    for (int64_t s = 0; s < out.sequences_; ++s) {
        const int32_t length = out.length(s);
        const auto offset = out.at<int64_t>(out.offsetsAt_, s);
        if (length < 0 || offset < 0 || static_cast<uint64_t>(offset) > binBytes || static_cast<uint64_t>(length) > (binBytes - static_cast<uint64_t>(offset)) / static_cast<uint64_t>(width))
            return bad("sequence " + std::to_string(s + 1) + " lies outside of the .bin file");
    }
    for (int64_t d = 0; d <= out.documents_; ++d) {
        const int64_t first = out.firstSequence(d);
        if (first < 0 || first > out.sequences_ || (d == 0 && first != 0) || (d > 0 && first < out.firstSequence(d - 1)) || (d == out.documents_ && first != out.sequences_))
            return bad("its documents are not in order");
    }
    return out;
}

Result<void> MegatronIndex::read(std::string_view bin, int64_t sequence, std::vector<int32_t>& ids) const {
    const int64_t n = length(sequence);
    const char* from = bin.data() + at<int64_t>(offsetsAt_, sequence);
    bool fits = false;
    switch (type_) {
        case 1: fits = appendIds<uint8_t>(from, n, ids); break;
        case 2: fits = appendIds<int8_t>(from, n, ids); break;
        case 3: fits = appendIds<int16_t>(from, n, ids); break;
        case 4: fits = appendIds<int32_t>(from, n, ids); break;
        case 5: fits = appendIds<int64_t>(from, n, ids); break;
        default: fits = appendIds<uint16_t>(from, n, ids); break;
    }
    if (!fits) return fail(ErrorCode::kInvalidFile, name_ + ": sequence " + std::to_string(sequence + 1) + " holds a number that is no token id", "the files are damaged, or not of one dataset");
    return {};
}

}  // namespace assay::data
