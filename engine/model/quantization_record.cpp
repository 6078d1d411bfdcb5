// assay_quantization.json; FORMAT.md describes it.
#include <assay/core/durable.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <unordered_set>

#include "assay/model/model_file.h"

namespace assay::model {
namespace {

constexpr int64_t kVersion = 1;

tl::unexpected<Error> bad(std::string why) { return fail(ErrorCode::kInvalidFile, "assay_quantization.json: " + std::move(why)); }

Result<QuantizedTensorInfo> layerFromJson(const Json& item, size_t index) {
    QuantizedTensorInfo layer;
    auto name = jsonString(item, "name"), scheme = jsonString(item, "scheme");
    if (!name || !scheme || name->empty() || scheme->empty()) return bad(fmt::format("layers[{}] needs \"name\" and \"scheme\"", index));
    layer.name = std::move(*name);
    layer.scheme = std::move(*scheme);
    auto shape = item.find("shape");
    if (shape == item.end() || !shape->is_array() || shape->empty() || shape->size() > 4) return bad(fmt::format("\"shape\" of {} must be a list of sizes", layer.name));
    for (const Json& size : *shape) {
        if (!size.is_number_integer() || size.get<int64_t>() <= 0) return bad(fmt::format("\"shape\" of {} must be a list of positive sizes", layer.name));
        layer.shape.push_back(size.get<int64_t>());
    }
    layer.relativeError = item.contains("relative_error") ? numberFromJson(item["relative_error"]) : std::nan("");
    return layer;
}

}  // namespace

Json recordToJson(const QuantizationRecord& record) {
    Json layers = Json::array();
    for (const QuantizedTensorInfo& layer : record.layers)
        layers.push_back({{"name", layer.name}, {"scheme", layer.scheme}, {"shape", layer.shape}, {"relative_error", jsonNumber(layer.relativeError)}});
    return Json{{"version", kVersion},
                {"scheme", record.scheme},
                {"base", record.base},
                {"base_precision", record.basePrecision},
                {"bits_per_weight", jsonNumber(record.bitsPerWeight)},
                {"layers", std::move(layers)}};
}

Result<QuantizationRecord> recordFromJson(const Json& json) {
    if (!json.is_object()) return bad("must be an object");
    const int64_t version = jsonIntegerOr(json, "version", -1);
    if (version > kVersion)
        return fail(ErrorCode::kVersionMismatch, fmt::format("assay_quantization.json has version {}, this build reads up to {}", version, kVersion), "use a newer Assay");
    if (version != kVersion) return bad("\"version\" is missing or wrong");
    QuantizationRecord record;
    auto scheme = jsonString(json, "scheme");
    if (!scheme || scheme->empty()) return bad("\"scheme\" is missing");
    record.scheme = std::move(*scheme);
    record.base = jsonStringOr(json, "base", "");
    record.basePrecision = jsonStringOr(json, "base_precision", "fp32");
    record.bitsPerWeight = json.contains("bits_per_weight") ? numberFromJson(json["bits_per_weight"]) : std::nan("");
    auto layers = json.find("layers");
    if (layers == json.end() || !layers->is_array()) return bad("\"layers\" must be a list");
    std::unordered_set<std::string> names;
    for (size_t i = 0; i < layers->size(); ++i) {
        if (!(*layers)[i].is_object()) return bad(fmt::format("layers[{}] must be an object", i));
        ASSAY_TRY(QuantizedTensorInfo layer, layerFromJson((*layers)[i], i));
        if (!names.insert(layer.name).second) return bad(fmt::format("{} is listed twice", layer.name));
        record.layers.push_back(std::move(layer));
    }
    return record;
}

Result<QuantizationRecord> readQuantizationRecord(const std::string& folder) {
    const std::string path = folder + "/assay_quantization.json";
    std::error_code ec;
    if (!std::filesystem::exists(path, ec)) return fail(ErrorCode::kNotFound, folder + " holds no assay_quantization.json: it is not quantized by Assay");
    ASSAY_TRY(const Json json, readJsonFile(path));
    auto record = recordFromJson(json);
    if (!record) return fail(std::move(record.error()).with(folder));
    return record;
}

}  // namespace assay::model
