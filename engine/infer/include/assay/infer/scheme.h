#pragma once
// Quantization schemes: how a weight matrix is held and multiplied. A scheme is one file in schemes/ plus one line in
// schemes/registry.cpp. Layouts, bits per weight and the choice of kernels: SCHEMES.md.

#include <assay/infer/memory.h>
#include <assay/infer/thread_pool.h>
#include <assay/model/config.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay::infer {

// Rows of input to a linear layer. `values`, `scales`, `sums` (int8 form, kernels.h) are filled only when a consumer needs
// them.
struct Activations {
    const float* x = nullptr;
    int64_t rows = 0, columns = 0, stride = 0;
    const int8_t* values = nullptr;
    const float* scales = nullptr;
    const float* sums = nullptr;
};

struct StoredTensor {
    std::string suffix;  // appended to the parameter's name: "", ".packed", ".scale", ".minimum"
    model::DType type = model::DType::kF32;
    std::vector<int64_t> shape;
    std::string bytes;   // row-major, as in the file
};
// Finds the bytes of NAME + suffix; an empty view when absent.
using StoredLookup = std::function<std::string_view(std::string_view suffix)>;

// One weight matrix [rows, columns] (out, in) in panels of panelRows() output rows. Immutable: any thread may use it.
class LinearWeight {
public:
    virtual ~LinearWeight() = default;
    int64_t rows() const { return rows_; }
    int64_t columns() const { return columns_; }
    int64_t panels() const { return (rows_ + panelRows() - 1) / panelRows(); }
    virtual int panelRows() const = 0;
    virtual bool integerActivations() const = 0;
    virtual int64_t residentBytes() const = 0;
    // out[i][·] for rows [first, first + count) of x and the outputs of one panel; `out` and `bias` begin at the panel.
    virtual void multiplyPanel(const Activations& x, int64_t first, int64_t count, int64_t panel, float* out,
                               int64_t outStride, const float* bias) const = 0;
    virtual void readRow(int64_t row, float* out) const = 0;  // dequantized
    virtual std::vector<StoredTensor> store() const = 0;

protected:
    LinearWeight(int64_t rows, int64_t columns) : rows_(rows), columns_(columns) {}
    int64_t rows_, columns_;
};
using WeightPtr = std::shared_ptr<const LinearWeight>;

class Scheme {
public:
    virtual ~Scheme() = default;
    virtual std::string name() const = 0;
    virtual std::string embeddingScheme() const { return name(); }  // for embeddings and output heads
    virtual bool fullPrecision() const { return false; }
    virtual int64_t storedBytes(int64_t rows, int64_t columns) const = 0;  // of store(): the tensor's bytes in a file
    // `what` names the tensor in errors. Weights must be finite; a number that the scheme cannot hold is an error.
    virtual Result<WeightPtr> fromFloat(const float* weights, int64_t rows, int64_t columns, const std::string& what,
                                        ThreadPool& pool) const = 0;
    // Reads what store() wrote. Schemes with storedAsFloats() keep a plain tensor of the parameter's own name and are read
    // as floats instead.
    virtual bool storedAsFloats() const { return false; }
    virtual Result<WeightPtr> fromStored(int64_t rows, int64_t columns, const StoredLookup& lookup,
                                         const std::string& what) const;
};
using SchemePtr = std::shared_ptr<const Scheme>;

// "fp32", "fp16", "int8", "int4-g32", or any intN-gG that a family of the registry takes. kBadUsage lists what there is.
Result<SchemePtr> findScheme(std::string_view name);
std::vector<std::string> schemeNames();  // the named ones, for help texts and registry tests

// ‖W − Ŵ‖F / ‖W‖F; 0 for a zero matrix that is held exactly.
double relativeError(const LinearWeight& held, const float* weights, ThreadPool& pool);

}  // namespace assay::infer
