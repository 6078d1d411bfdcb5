#include "schemes/integer.h"

#include "schemes/panels.h"

namespace assay::infer {

Result<IntegerPanels> packIntegerPanels(const IntegerShape& shape, const char* packed, const char* scales,
                                        const char* minima) {
    IntegerPanels panels;
    const int64_t count = shape.panels(), words = shape.rowBytes() / 4, groups = shape.groups();
    ASSAY_TRY(panels.packed, Buffer::allocate(count * kIntegerPanel * shape.rowBytes()));
    ASSAY_TRY(panels.scales, Buffer::allocate(count * kIntegerPanel * groups * 2));
    for (int64_t p = 0; p < count; ++p) {
        packPanelBytes(packed, shape.rows, words, kIntegerPanel, p, panels.packed.as<uint32_t>());
        packPanelBytes(scales, shape.rows, groups, kIntegerPanel, p, panels.scales.as<uint16_t>());
    }
    if (minima != nullptr) {
        ASSAY_TRY(panels.minima, Buffer::allocate(count * kIntegerPanel * groups * 2));
        for (int64_t p = 0; p < count; ++p)
            packPanelBytes(minima, shape.rows, groups, kIntegerPanel, p, panels.minima.as<uint16_t>());
    }
    return panels;
}

namespace {

template <class T>
StoredTensor unpackAll(const char* suffix, model::DType type, const Buffer& panels, int64_t rows, int64_t columns,
                       int64_t shownColumns) {
    StoredTensor tensor{suffix, type, {rows, shownColumns}, std::string(rows * columns * sizeof(T), '\0')};
    for (int64_t r = 0; r < rows; ++r)
        unpackRow(panels.as<T>(), columns, kIntegerPanel, r, reinterpret_cast<T*>(tensor.bytes.data()) + r * columns);
    return tensor;
}

}  // namespace

std::vector<StoredTensor> storeIntegerPanels(const IntegerShape& shape, const IntegerPanels& panels) {
    std::vector<StoredTensor> all;
    all.push_back(unpackAll<uint32_t>(".packed", shape.bits == 8 ? model::DType::kI8 : model::DType::kU8, panels.packed,
                                      shape.rows, shape.rowBytes() / 4, shape.rowBytes()));
    all.push_back(unpackAll<uint16_t>(".scale", model::DType::kF16, panels.scales, shape.rows, shape.groups(), shape.groups()));
    if (panels.minima.bytes() > 0)
        all.push_back(
            unpackAll<uint16_t>(".minimum", model::DType::kF16, panels.minima, shape.rows, shape.groups(), shape.groups()));
    return all;
}

}  // namespace assay::infer
