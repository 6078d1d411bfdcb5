#include "assay/plan/kernel_rates.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "assay/plan/step_seconds.h"

namespace assay::plan {
namespace {

constexpr size_t kMostPoints = 2000;
constexpr const char* kWithDropout = "/dropout";
constexpr double kSmallestSide = 16;  // a product with fewer rows or columns takes what one of this size takes

// A finite number above 0 under `key`, else 0.
double positive(const Json& point, const char* key) {
    const double value = point.is_object() ? jsonDoubleOr(point, key, 0) : 0;
    return std::isfinite(value) && value > 0 && value < 1e15 ? value : 0;
}

template <class Use>
void eachPoint(const Json& json, const char* key, const Use& use) {
    const auto list = json.find(key);
    if (list == json.end() || !list->is_array() || list->size() > kMostPoints) return;
    for (const Json& point : *list)
        if (point.is_object()) use(point);
}

// Where x lies among sorted values: index of the lower one, and the share of the way to the next.
std::pair<size_t, double> between(const std::vector<double>& values, double x) {
    if (x <= values.front()) return {0, 0};
    for (size_t i = 1; i < values.size(); ++i)
        if (x < values[i]) return {i - 1, std::log(x / values[i - 1]) / std::log(values[i] / values[i - 1])};
    return {values.size() - 1, 0};
}

double mixed(double a, double b, double share) { return a + (b - a) * share; }

}  // namespace

double KernelRates::Grid::at(double m, double n, double k) const {
    const auto [i, a] = between(sides, m);
    const auto [j, b] = between(sides, n);
    const auto [l, c] = between(sides, k);
    const size_t count = sides.size();
    const auto value = [&](size_t x, size_t y, size_t z) { return values[(std::min(x, count - 1) * count + std::min(y, count - 1)) * count + std::min(z, count - 1)]; };
    double sum[2];
    for (size_t x = 0; x < 2; ++x)
        sum[x] = mixed(mixed(value(i + x, j, l), value(i + x, j, l + 1), c), mixed(value(i + x, j + 1, l), value(i + x, j + 1, l + 1), c), b);
    return mixed(sum[0], sum[1], a);
}

KernelRates::Both KernelRates::Curve::at(double x) const {
    if (points.empty()) return {};
    if (x <= points.front()[0]) return {points.front()[1], points.front()[2]};
    for (size_t i = 1; i < points.size(); ++i) {
        if (x > points[i][0]) continue;
        const double share = (x - points[i - 1][0]) / (points[i][0] - points[i - 1][0]);
        return {mixed(points[i - 1][1], points[i][1], share), mixed(points[i - 1][2], points[i][2], share)};
    }
    const double factor = x / points.back()[0];
    return {points.back()[1] * factor, points.back()[2] * factor};
}

std::optional<KernelRates> KernelRates::parse(const Json& document) {
    if (!document.is_object() || jsonIntegerOr(document, "schema", 0) != 1) return {};
    KernelRates out;
    out.document_ = document;
    out.threads_ = static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(document, "threads", 1), 1, 4096));
    out.disturbed_ = document.value("disturbed", Json()) == Json(true);
    eachPoint(document, "passes", [&](const Json& p) {
        const double elements = positive(p, "elements"), seconds = positive(p, "seconds");
        if (elements > 0 && seconds > 0) out.passes_[jsonStringOr(p, "name", "")] = seconds / elements;
    });
    out.readUpdates(document);
    const auto types = document.find("types");
    if (types == document.end() || !types->is_object()) return {};
    for (const char* name : {"fp32", "bf16", "amp_bf16", "amp_fp16"})
        if (const auto type = types->find(name); type != types->end() && type->is_object() && !out.readType(name, *type) && name == std::string_view("fp32")) return {};
    if (!out.knows("fp32") || out.pass("memory") == 0 || !out.updates_.contains("adamw/none")) return {};
    return out;
}

const KernelRates::Type* KernelRates::kernelsOf(std::string_view type) const {
    auto found = types_.find(type == "amp_bf16" ? std::string_view("bf16") : type);
    if (found == types_.end()) found = types_.find(std::string_view("fp32"));
    return found == types_.end() ? nullptr : &found->second;
}

bool KernelRates::readType(const std::string& name, const Json& json) {
    Type type;
    std::set<double> sides;
    std::map<std::array<double, 3>, double> measured;
    eachPoint(json, "products", [&](const Json& p) {
        const std::array<double, 3> side = {positive(p, "m"), positive(p, "n"), positive(p, "k")};
        const double seconds = positive(p, "seconds");
        if (seconds == 0 || side[0] * side[1] * side[2] == 0) return;
        measured[side] = std::log(seconds / (2 * side[0] * side[1] * side[2]));
        sides.insert(side.begin(), side.end());
    });
    type.products.sides.assign(sides.begin(), sides.end());
    const auto& s = type.products.sides;
    if (s.size() > 12) return false;
    for (size_t i = 0; i < s.size(); ++i)
        for (size_t j = 0; j < s.size(); ++j)
            for (size_t k = 0; k < s.size(); ++k) {  // a shape there was no time for: the next smaller one's rate
                std::array<size_t, 3> at = {i, j, k};
                auto found = measured.find({s[i], s[j], s[k]});
                while (found == measured.end()) {
                    auto largest = std::max_element(at.begin(), at.end());
                    if (*largest == 0) return false;
                    --*largest;
                    found = measured.find({s[at[0]], s[at[1]], s[at[2]]});
                }
                type.products.values.push_back(found->second);
            }
    std::set<double> columns, widths;
    std::map<std::string, std::map<std::pair<double, double>, Both>> planes;
    eachPoint(json, "attention", [&](const Json& p) {
        const double t = positive(p, "columns"), w = positive(p, "width"), heads = positive(p, "heads"), forward = positive(p, "forward"), backward = positive(p, "backward");
        if (t * w * heads * forward == 0) return;
        const double unit = t * t * w * heads;
        planes[jsonStringOr(p, "kind", "")][{t, w}] = {std::log(forward / unit), std::log(std::max(backward, 0.1 * forward) / unit)};
    });
    for (const auto& [kind, points] : planes) {
        Plane plane;
        columns.clear();
        widths.clear();
        for (const auto& [key, value] : points) {
            columns.insert(key.first);
            widths.insert(key.second);
        }
        plane.columns.assign(columns.begin(), columns.end());
        plane.widths.assign(widths.begin(), widths.end());
        for (const double t : plane.columns)
            for (const double w : plane.widths) {
                auto found = points.find({t, w});
                // One there was no time for: the same width at the most columns measured, else the last of all.
                for (auto p = points.begin(); found == points.end() && p != points.end(); ++p)
                    if (p->first.second == w && (std::next(p) == points.end() || std::none_of(std::next(p), points.end(), [&](const auto& q) { return q.first.second == w; }))) found = p;
                plane.values.push_back(found == points.end() ? std::prev(points.end())->second : found->second);
            }
        type.attention[kind] = std::move(plane);
    }
    const bool borrows = name == "amp_bf16";  // products and attention are those of bf16
    if (!borrows && (s.empty() || !type.attention.contains("causal"))) return false;
    types_[name] = type;  // its products are needed to know what is left of a layer
    readLayers(name, json, types_[name]);
    readLosses(name, json, types_[name]);
    if (types_[name].layers.empty()) {
        types_.erase(name);
        return false;
    }
    return true;
}

void KernelRates::readLayers(const std::string& name, const Json& json, Type& type) const {
    eachPoint(json, "layers", [&](const Json& p) {
        const auto number = [&](const char* key) { return static_cast<int64_t>(std::min(positive(p, key), 1e6)); };
        const std::string family = jsonStringOr(p, "family", "");
        const int64_t layers = number("layers");
        const auto described = model::describe(family, layers, number("hidden"), number("heads"), number("heads"), number("ffn"), number("columns"), number("vocab"), true, std::min(positive(p, "dropout"), 0.9));
        const double forward = positive(p, "forward"), backward = positive(p, "backward");
        if (!described || forward == 0 || number("rows") == 0 || layers > 64) return;
        TrainShape shape;
        shape.rows = number("rows");
        shape.columns = number("columns");
        shape.masked = false;
        shape.precision = precisionOf(name);
        const LayerParts parts = layerParts(*this, *described, shape, name);
        // The embedding and the last norm are worth about half a layer.
        const double share = 1 / (static_cast<double>(layers) + 0.5), own = static_cast<double>(layers) * share;
        // Below 0 where the layers' own products are faster than LibTorch's: then they are so in other shapes too.
        const Both rest = {forward * share - own * parts.known().forward, backward * share - own * parts.known().backward};
        type.layers[described->dropout > 0 ? family + kWithDropout : family].points.push_back({layerSaved(*described, shape), rest.forward, rest.backward});
    });
    for (auto& [family, curve] : type.layers) std::sort(curve.points.begin(), curve.points.end());
}

void KernelRates::readLosses(const std::string& name, const Json& json, Type& type) const {
    eachPoint(json, "losses", [&](const Json& p) {
        const auto rows = static_cast<int64_t>(std::min(positive(p, "rows"), 1e7)), hidden = static_cast<int64_t>(std::min(positive(p, "hidden"), 1e7)), vocab = static_cast<int64_t>(std::min(positive(p, "vocab"), 1e7));
        const double seconds = positive(p, "seconds");
        if (rows * hidden * vocab == 0 || seconds == 0) return;
        const double products = product(name, rows, vocab, hidden) + product(name, rows, hidden, vocab) + product(name, vocab, hidden, rows);
        type.losses.points.push_back({static_cast<double>(rows) * static_cast<double>(vocab), std::max(0.0, seconds - products), 0});
    });
    std::sort(type.losses.points.begin(), type.losses.points.end());
}

void KernelRates::readUpdates(const Json& json) {
    std::map<std::string, std::vector<std::array<double, 3>>> sets;
    eachPoint(json, "optimizers", [&](const Json& p) {
        const double tensors = positive(p, "tensors"), elements = positive(p, "elements"), seconds = positive(p, "seconds");
        if (tensors * elements * seconds > 0) sets[jsonStringOr(p, "name", "") + "/" + jsonStringOr(p, "rounding", "none")].push_back({elements, tensors, seconds});
    });
    for (auto& [name, points] : sets) {
        std::sort(points.begin(), points.end());
        if (points.size() < 2) continue;
        Update u;
        u.call = points[0][2] / points[0][1];
        for (size_t i = 1; i < points.size(); ++i) u.elements.push_back({points[i][0], std::max(0.0, points[i][2] - points[i][1] * u.call) / points[i][0]});
        updates_[name] = u;
    }
}

double KernelRates::product(std::string_view type, int64_t m, int64_t n, int64_t k) const {
    const Type* t = kernelsOf(type);
    if (!t || t->products.sides.empty()) return 0;
    const double a = std::max(kSmallestSide, static_cast<double>(m)), b = std::max(kSmallestSide, static_cast<double>(n)), c = std::max(kSmallestSide, static_cast<double>(k));
    return 2 * a * b * c * std::exp(t->products.at(a, b, c));
}

KernelRates::Both KernelRates::attention(std::string_view type, std::string_view kind, int64_t columns, int64_t width, int64_t heads) const {
    const Type* t = kernelsOf(type);
    if (!t) return {};
    auto found = t->attention.find(kind);
    if (found == t->attention.end()) found = t->attention.find(std::string_view("causal"));
    if (found == t->attention.end()) return {};
    const Plane& p = found->second;
    const double c = static_cast<double>(columns), w = static_cast<double>(width);
    const auto [i, a] = between(p.columns, c);
    const auto [j, b] = between(p.widths, w);
    const auto value = [&](size_t x, size_t y) { return p.values[std::min(x, p.columns.size() - 1) * p.widths.size() + std::min(y, p.widths.size() - 1)]; };
    const double unit = c * c * w * static_cast<double>(heads);
    const auto of = [&](double Both::*part) {
        return unit * std::exp(mixed(mixed(value(i, j).*part, value(i, j + 1).*part, b), mixed(value(i + 1, j).*part, value(i + 1, j + 1).*part, b), a));
    };
    return {of(&Both::forward), of(&Both::backward)};
}

KernelRates::Both KernelRates::layerRest(std::string_view type, std::string_view family, double saved, bool dropout) const {
    auto t = types_.find(type);
    if (t == types_.end()) t = types_.find(std::string_view("fp32"));
    if (t == types_.end()) return {};
    auto curve = dropout ? t->second.layers.find(std::string(family) + kWithDropout) : t->second.layers.end();
    if (curve == t->second.layers.end()) curve = t->second.layers.find(family);
    if (curve == t->second.layers.end()) curve = t->second.layers.begin();
    return curve == t->second.layers.end() ? Both{} : curve->second.at(saved);
}

bool KernelRates::knowsDropout(std::string_view type, std::string_view family) const {
    const auto t = types_.find(type);
    return t != types_.end() && t->second.layers.contains(std::string(family) + kWithDropout);
}

double KernelRates::lossRest(std::string_view type, double logits) const {
    auto t = types_.find(type);
    if (t == types_.end() || t->second.losses.points.empty()) t = types_.find(std::string_view("fp32"));  // mixed precision: fp32
    return t == types_.end() ? 0 : t->second.losses.at(logits).forward;
}

double KernelRates::update(std::string_view rule, std::string_view rounding, int64_t tensors, double elements) const {
    const auto seconds = [&](const std::string& key) {
        const auto found = updates_.find(key);
        if (found == updates_.end()) return 0.0;
        const Update& u = found->second;
        double each = u.elements.back().second;
        for (size_t i = 0; i < u.elements.size(); ++i) {
            if (elements > u.elements[i].first) continue;
            each = i == 0 ? u.elements[0].second : mixed(u.elements[i - 1].second, u.elements[i].second, std::log(elements / u.elements[i - 1].first) / std::log(u.elements[i].first / u.elements[i - 1].first));
            break;
        }
        return static_cast<double>(tensors) * u.call + elements * each;
    };
    const std::string name(rule), way(rounding);
    if (updates_.contains(name + "/" + way)) return seconds(name + "/" + way);
    const double wide = updates_.contains(name + "/none") ? seconds(name + "/none") : seconds("adamw/none");
    return way == "none" ? wide : wide + std::max(0.0, seconds("adamw/" + way) - seconds("adamw/none"));
}

double KernelRates::pass(std::string_view name) const {
    const auto found = passes_.find(name);
    return found == passes_.end() ? 0 : found->second;
}

double KernelRates::largestProductRate() const {
    const Type* t = kernelsOf("fp32");
    return t && !t->products.values.empty() ? std::exp(-*std::min_element(t->products.values.begin(), t->products.values.end())) : 0;
}

}  // namespace assay::plan
