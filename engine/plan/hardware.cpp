#include "assay/plan/hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "catalogue_text.h"

namespace assay::plan {
namespace {

constexpr std::string_view kFormats[] = {"fp32", "tf32", "bf16", "fp16", "fp8", "int8"};

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::vector<std::string> wordsOf(std::string_view text) {  // letters and digits, small
    std::vector<std::string> words(1);
    for (const char c : lower(text)) {
        if (std::isalnum(static_cast<unsigned char>(c))) words.back() += c;
        else if (!words.back().empty()) words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

Result<double> positive(const Json& object, std::string_view key) {
    ASSAY_TRY(const double value, jsonDouble(object, key));
    if (!(value > 0) || value > 1e18) return fail(ErrorCode::kInvalidFile, fmt::format("\"{}\" must be a positive number", key));
    return value;
}

Result<Hardware> entryOf(const Json& json) {
    Hardware out;
    ASSAY_TRY(out.name, jsonString(json, "name"));
    ASSAY_TRY(out.label, jsonString(json, "label"));
    if (out.name.empty() || out.name == "auto" || out.name == "here") return fail(ErrorCode::kInvalidFile, "\"name\" is empty or reserved");
    ASSAY_TRY(const double memory, positive(json, "memory_bytes"));
    out.memoryBytes = static_cast<int64_t>(memory);
    ASSAY_TRY(out.bandwidth, positive(json, "bandwidth_bytes_per_s"));
    out.link = jsonDoubleOr(json, "link_bytes_per_s", 0);
    ASSAY_TRY(const double tdp, positive(json, "tdp_watts"));
    out.tdpWatts = tdp;
    const auto flops = json.find("flops");
    if (flops == json.end() || !flops->is_object() || !flops->contains("fp32")) return fail(ErrorCode::kInvalidFile, "\"flops\" must be an object with fp32");
    for (const auto& [format, value] : flops->items()) {
        if (std::find(std::begin(kFormats), std::end(kFormats), format) == std::end(kFormats))
            return fail(ErrorCode::kInvalidFile, fmt::format("flops: unknown number format \"{}\"", format));
        ASSAY_TRY(const double rate, positive(*flops, format));
        out.flops.emplace_back(format, rate);
    }
    const auto figures = json.find("figures");
    if (figures == json.end()) return fail(ErrorCode::kInvalidFile, "\"figures\" must name source and date");
    ASSAY_TRY(const std::string source, jsonString(*figures, "source"));
    ASSAY_TRY(const std::string date, jsonString(*figures, "date"));
    const auto price = json.find("price");
    if (price == json.end()) return fail(ErrorCode::kInvalidFile, "\"price\" is missing (null when there is none)");
    if (price->is_null()) return out;
    Price cost;
    ASSAY_TRY(cost.usdPerHour, positive(*price, "usd_per_hour"));
    ASSAY_TRY(cost.source, jsonString(*price, "source"));
    ASSAY_TRY(cost.date, jsonString(*price, "date"));
    out.price = std::move(cost);
    return out;
}

}  // namespace

double Hardware::flopsOf(std::string_view format) const {
    for (const auto& [name, rate] : flops)
        if (name == format) return rate;
    return 0;
}

Result<std::vector<Hardware>> parseCatalogue(const Json& document) {
    if (jsonIntegerOr(document, "schema", -1) != 1) return fail(ErrorCode::kInvalidFile, "hardware catalogue: \"schema\" must be 1");
    const auto entries = document.find("entries");
    if (entries == document.end() || !entries->is_array()) return fail(ErrorCode::kInvalidFile, "hardware catalogue: \"entries\" must be an array");
    std::vector<Hardware> out;
    for (const Json& json : *entries) {
        auto entry = entryOf(json);
        if (!entry) return fail(std::move(entry.error()).with(fmt::format("hardware catalogue, entry {}", out.size() + 1)));
        for (const Hardware& other : out)
            if (lower(other.name) == lower(entry->name)) return fail(ErrorCode::kInvalidFile, fmt::format("hardware catalogue: \"{}\" stands there twice", entry->name));
        out.push_back(std::move(*entry));
    }
    return out;
}

const std::vector<Hardware>& catalogue() {
    static const std::vector<Hardware> entries = [] {
        auto document = parseJson(catalogueText(), "hardware catalogue");
        ASSAY_CHECK(document.has_value(), document.error().text());
        auto parsed = parseCatalogue(*document);
        ASSAY_CHECK(parsed.has_value(), parsed.error().text());
        return std::move(*parsed);
    }();
    return entries;
}

const Hardware* findHardware(std::string_view name) {
    const std::string wanted = lower(name);
    for (const Hardware& h : catalogue())
        if (lower(h.name) == wanted || lower(h.label) == wanted) return &h;
    return nullptr;
}

const Hardware* findHardwareByModel(std::string_view model, int64_t memoryBytes) {
    const std::vector<std::string> device = wordsOf(model);
    const auto has = [&](std::string_view word) { return std::find(device.begin(), device.end(), word) != device.end(); };
    const Hardware* found = nullptr;
    for (const Hardware& h : catalogue()) {
        bool same = std::abs(static_cast<double>(memoryBytes - h.memoryBytes)) < 0.15 * static_cast<double>(h.memoryBytes), card = false;
        for (const std::string& word : wordsOf(h.label)) {
            if (word == "pcie") card = true;
            // Vendor, socket and memory ("80 GB") are written in many ways; what is left is the model's name.
            const bool noise = word == "nvidia" || word == "amd" || word == "sxm" || word == "pcie" || word == "gb" || (word.size() < 4 && std::isdigit(static_cast<unsigned char>(word[0])));
            same = same && (noise || has(word));
        }
        // The driver names the card and leaves the socket away: "NVIDIA H100 80GB HBM3" is the module.
        if (same && card == has("pcie")) found = &h;
    }
    return found;
}

std::string hardwareNames() {
    std::string out;
    for (const Hardware& h : catalogue()) out += (out.empty() ? "" : ", ") + h.name;
    return out;
}

}  // namespace assay::plan
