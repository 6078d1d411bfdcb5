#pragma once
// Row-major [rows][columns] ↔ panels [⌈rows/lanes⌉][columns][lanes], for elements of one, two or four bytes. Rows that
// pad the last panel are zero.
#include <cstdint>
#include <cstring>

namespace assay::infer {

template <class T>
void packPanel(const T* rowMajor, int64_t rows, int64_t columns, int lanes, int64_t panel, T* panels) {
    T* out = panels + panel * columns * lanes;
    for (int lane = 0; lane < lanes; ++lane) {
        const int64_t row = panel * lanes + lane;
        if (row < rows) {
            const T* in = rowMajor + row * columns;
            for (int64_t j = 0; j < columns; ++j) out[j * lanes + lane] = in[j];
        } else {
            for (int64_t j = 0; j < columns; ++j) out[j * lanes + lane] = T{};
        }
    }
}

template <class T>
void unpackRow(const T* panels, int64_t columns, int lanes, int64_t row, T* out) {
    const T* in = panels + (row / lanes) * columns * lanes + row % lanes;
    for (int64_t j = 0; j < columns; ++j) out[j] = in[j * lanes];
}

// Reads T from bytes of a file, which may be unaligned.
template <class T>
void packPanelBytes(const char* rowMajor, int64_t rows, int64_t columns, int lanes, int64_t panel, T* panels) {
    T* out = panels + panel * columns * lanes;
    for (int lane = 0; lane < lanes; ++lane) {
        const int64_t row = panel * lanes + lane;
        for (int64_t j = 0; j < columns; ++j) {
            T value{};
            if (row < rows) std::memcpy(&value, rowMajor + (row * columns + j) * int64_t(sizeof(T)), sizeof(T));
            out[j * lanes + lane] = value;
        }
    }
}

}  // namespace assay::infer
