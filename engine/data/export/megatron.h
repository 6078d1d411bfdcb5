#pragma once
// Indexed datasets of Megatron-LM: PREFIX.bin with raw ids and PREFIX.idx, little-endian:
//   "MMIDIDX\0\0", u64 version 1, u8 dtype (1 u8, 2 i8, 3 i16, 4 i32, 5 i64, 6 f64, 7 f32, 8 u16), u64 sequences S, u64 D,
//   i32 lengths[S], i64 byte offsets[S], i64 first sequence of each document and S [D], maybe i8 modes[S].
// Source: megatron/core/datasets/indexed_dataset.py. Offsets have 64 bits, also above 2^31 bytes.
#include <assay/core/durable.h>

#include <vector>

#include "export/file_sink.h"

namespace assay::data {

constexpr int64_t kMegatronWideFrom = 65'500;  // vocabularies from here on have ids of four bytes, as Megatron chooses them

class MegatronWriter {
public:
    static Result<MegatronWriter> create(const std::string& prefix, int64_t vocabSize);
    Result<void> add(std::span<const int32_t> ids, bool beginsDocument);
    Result<void> finish();
    int64_t documents() const { return static_cast<int64_t>(lengths_.size()); }

private:
    MegatronWriter(FileSink bin, std::string prefix, bool wide) : bin_(std::move(bin)), prefix_(std::move(prefix)), wide_(wide) {}

    FileSink bin_;
    std::string prefix_;
    bool wide_;
    std::vector<int32_t> lengths_;
    std::vector<uint16_t> narrow_;
};

// What an .idx says, checked against itself and the size of its .bin; nothing of it is copied.
class MegatronIndex {
public:
    static Result<MegatronIndex> parse(std::string_view idx, uint64_t binBytes, const std::string& name);
    int64_t sequences() const { return sequences_; }
    int64_t documents() const { return documents_; }
    int64_t firstSequence(int64_t document) const { return at<int64_t>(documentsAt_, document); }  // documents(): the end
    int32_t length(int64_t sequence) const { return at<int32_t>(lengthsAt_, sequence); }
    // Appends the ids of a sequence. A negative id, or one above 2^31 - 1, is an error.
    Result<void> read(std::string_view bin, int64_t sequence, std::vector<int32_t>& ids) const;

private:
    template <class T>
    T at(size_t from, int64_t i) const {
        T value;
        __builtin_memcpy(&value, idx_.data() + from + static_cast<size_t>(i) * sizeof(T), sizeof(T));
        return value;
    }
    std::string_view idx_;
    std::string name_;
    int64_t sequences_ = 0, documents_ = 0;
    size_t lengthsAt_ = 0, offsetsAt_ = 0, documentsAt_ = 0;
    uint8_t type_ = 0;
};

}  // namespace assay::data
