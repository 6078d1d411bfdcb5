#pragma once
// What the int8 and int4 schemes share: packed values in chunks of four bytes a row, fp16 numbers per group.
#include "kernels/kernels.h"
#include "schemes/schemes.h"

namespace assay::infer {

struct IntegerShape {
    int64_t rows, columns, group;
    int bits;
    int64_t blocks() const { return (columns + kBlock - 1) / kBlock; }        // the last one padded with zeros
    int64_t groups() const { return (columns + group - 1) / group; }          // the last one may be short
    int64_t rowBytes() const { return blocks() * kBlock * bits / 8; }
    int64_t panels() const { return (rows + kIntegerPanel - 1) / kIntegerPanel; }
};

// Row-major forms, as in the file.
struct IntegerRows {
    std::vector<uint8_t> packed;            // [rows][rowBytes]
    std::vector<uint16_t> scales, minima;   // [rows][groups]; minima only for int4
};

// Panels of packed values, scales and minima.
struct IntegerPanels {
    Buffer packed, scales, minima;
};
Result<IntegerPanels> packIntegerPanels(const IntegerShape& shape, const char* packed, const char* scales, const char* minima);
std::vector<StoredTensor> storeIntegerPanels(const IntegerShape& shape, const IntegerPanels& panels);

}  // namespace assay::infer
