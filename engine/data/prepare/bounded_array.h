#pragma once
// A spilled array that is read and written in any order, of which only a stated part stays in memory: what lies in the file
// is written by the kernel, and after so many touches all of it is let go.
#include "prepare/spill.h"

namespace assay::data {

constexpr size_t kResidentBytes = size_t{32} << 20;  // of one array

template <class T>
class BoundedArray {
public:
    explicit BoundedArray(std::string folder) : array_(std::move(folder)) {}
    Result<void> resize(size_t n) { return array_.resize(n); }  // new elements are zero
    size_t size() const { return array_.size(); }
    // Valid until the next call.
    T& at(size_t i) {
        // A page fault brings in up to 16 pages of a file. Touches in a row of one such piece count once.
        constexpr size_t kPiece = (size_t{64} << 10) / sizeof(T);
        if (array_.size() * sizeof(T) > kResidentBytes && i / kPiece != last_) {
            last_ = i / kPiece;
            if (++touched_ > kResidentBytes >> 16) {
                array_.letGo(0, array_.size());
                touched_ = 0;
            }
        }
        return array_[i];
    }

private:
    SpillArray<T> array_;
    size_t touched_ = 0, last_ = SIZE_MAX;
};

}  // namespace assay::data
