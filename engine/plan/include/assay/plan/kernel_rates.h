#pragma once
// What the kernels of a training step take on one machine, read between the points that `assay-worker --calibrate` measured
// (engine/train/calibrate). Pure; seconds.

#include <assay/core/json.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::plan {

class KernelRates {
public:
    // Nothing when the document lacks what a step in fp32 needs; what is wrong in it is left out.
    static std::optional<KernelRates> parse(const Json& document);
    const Json& document() const { return document_; }
    int threads() const { return threads_; }
    bool disturbed() const { return disturbed_; }  // others took the cores while it was measured
    bool knows(std::string_view type) const { return types_.contains(std::string(type)); }  // fp32 | bf16 | amp_bf16 | amp_fp16

    struct Both {
        double forward = 0, backward = 0;
        double sum() const { return forward + backward; }
    };
    double product(std::string_view type, int64_t m, int64_t n, int64_t k) const;  // [m,k]·[k,n]
    Both attention(std::string_view type, std::string_view kind, int64_t columns, int64_t width, int64_t heads) const;  // heads of all rows
    // Of a layer, beside its products and its attention, when the forward pass keeps `saved` bytes of it without dropout. The
    // dropout itself is in it where layers were measured with it (knowsDropout).
    Both layerRest(std::string_view type, std::string_view family, double saved, bool dropout = false) const;
    bool knowsDropout(std::string_view type, std::string_view family) const;
    double lossRest(std::string_view type, double logits) const;  // of one chunk, beside its products
    // One pass over parameters; `rule`: a name of an optimizer, gradient_norm or clipping; rounding: none | master | stochastic.
    double update(std::string_view rule, std::string_view rounding, int64_t tensors, double elements) const;
    double pass(std::string_view name) const;  // seconds an element of a single pass; 0: not measured
    double bytesPerS() const { return 8 / pass("memory"); }  // a float read and written
    double largestProductRate() const;  // fp32, FLOP/s

private:
    struct Grid {  // of products: log of seconds a FLOP
        std::vector<double> sides;
        std::vector<double> values;
        double at(double m, double n, double k) const;
    };
    struct Curve {  // straight between points, in proportion beyond the last
        std::vector<std::array<double, 3>> points;  // x, forward, backward
        Both at(double x) const;
    };
    struct Plane {  // log of seconds for columns² · width of one head, forward and backward
        std::vector<double> columns, widths;
        std::vector<Both> values;
    };
    struct Type {
        Grid products;
        std::map<std::string, Plane, std::less<>> attention;
        std::map<std::string, Curve, std::less<>> layers;  // by family
        Curve losses;
    };
    struct Update {
        double call = 0;                                  // seconds a tensor
        std::vector<std::pair<double, double>> elements;  // in all → seconds an element: caches hold few of them
    };
    const Type* kernelsOf(std::string_view type) const;  // where its products and attention are
    bool readType(const std::string& name, const Json& json);
    void readLayers(const std::string& name, const Json& json, Type& type) const;
    void readLosses(const std::string& name, const Json& json, Type& type) const;
    void readUpdates(const Json& json);

    Json document_;
    int threads_ = 1;
    bool disturbed_ = false;
    std::map<std::string, Type, std::less<>> types_;
    std::map<std::string, Update, std::less<>> updates_;  // "adamw/none"
    std::map<std::string, double, std::less<>> passes_;
};

}  // namespace assay::plan
