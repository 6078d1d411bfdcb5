#include "assay/protocol/events.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <simdjson.h>

namespace assay::protocol {
namespace {

// The limit of one line; a longer one is not ours.
constexpr size_t kMaxLineBytes = size_t{16} << 20;

void appendInteger(std::string& out, int64_t value) {
    char buffer[24];
    auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    out.append(buffer, end);
}

// Shortest text that reads back as the same double. "-0" would read back as the integer 0, so it gets a fraction.
void appendDouble(std::string& out, double value) {
    if (std::isnan(value)) {
        out += "\"nan\"";
    } else if (std::isinf(value)) {
        out += value > 0 ? "\"inf\"" : "\"-inf\"";
    } else if (value == 0) {
        out += std::signbit(value) ? "-0.0" : "0";
    } else {
        char buffer[32];
        auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
        out.append(buffer, end);
        // Readers take digits alone for an integer, and one beyond 64 bits for an error.
        if (std::abs(value) >= 1e15 && std::string_view(buffer, end).find_first_of(".e") == std::string_view::npos) out += ".0";
    }
}

void appendKey(std::string& out, const std::string& name) {
    bool plain = true;
    for (char c : name) plain &= c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
    if (plain) {
        out += '"';
        out += name;
        out += '"';
    } else {
        out += dumpJson(Json(name));
    }
}

// A number, or one of the three names of a non-finite one.
bool readDouble(simdjson::dom::element element, double& out) {
    if (element.get_double().get(out) == simdjson::SUCCESS) return true;
    std::string_view text;
    if (element.get_string().get(text) != simdjson::SUCCESS) return false;
    if (text == "nan") out = std::nan("");
    else if (text == "inf") out = HUGE_VAL;
    else if (text == "-inf") out = -HUGE_VAL;
    else return false;
    return true;
}

// Steps and token counts are whole numbers; a writer in another language may say 12.0.
bool readInteger(simdjson::dom::element element, int64_t& out) {
    if (element.get_int64().get(out) == simdjson::SUCCESS) return true;
    double value;
    if (element.get_double().get(value) != simdjson::SUCCESS) return false;
    if (!(std::abs(value) < 9007199254740992.0) || value != std::floor(value)) return false;
    out = static_cast<int64_t>(value);
    return true;
}

tl::unexpected<Error> bad(std::string message) { return fail(ErrorCode::kInvalidFile, "event line: " + std::move(message)); }

}  // namespace

std::string metricLine(const MetricRecord& record) {
    std::string out;
    out.reserve(64 + record.values.size() * 40);
    out += "{\"type\":\"metric\",\"step\":";
    appendInteger(out, record.step);
    out += ",\"s\":";
    appendDouble(out, record.seconds);
    out += ",\"tok\":";
    appendInteger(out, record.tokens);
    out += ",\"v\":{";
    bool first = true;
    for (const auto& [name, value] : record.values) {
        if (!first) out += ',';
        first = false;
        appendKey(out, name);
        out += ':';
        appendDouble(out, value);
    }
    out += "}}";
    return out;
}

struct EventParser::State {
    simdjson::dom::parser parser{kMaxLineBytes};
};

EventParser::EventParser() : state_(new State) {}
EventParser::~EventParser() { delete state_; }

Result<void> EventParser::parse(std::string_view line, ParsedEvent& out) {
    if (line.size() > kMaxLineBytes) return bad("longer than " + std::to_string(kMaxLineBytes) + " bytes");
    simdjson::dom::object object;
    simdjson::dom::element root;
    if (auto error = state_->parser.parse(line.data(), line.size(), true).get(root)) return bad(simdjson::error_message(error));
    if (root.get_object().get(object) != simdjson::SUCCESS) return bad("not a JSON object");
    std::string_view type;
    if (object["type"].get_string().get(type) != simdjson::SUCCESS) return bad("has no \"type\"");
    out.isMetric = type == "metric";
    if (!out.isMetric) {
        ASSAY_TRY(out.record, parseJson(line, "event line"));
        return {};
    }
    MetricRecord& metric = out.metric;
    metric = {};
    simdjson::dom::element field;
    if (object["step"].get(field) != simdjson::SUCCESS || !readInteger(field, metric.step)) return bad("metric without a whole \"step\"");
    if (object["s"].get(field) != simdjson::SUCCESS || !readDouble(field, metric.seconds)) return bad("metric without \"s\"");
    if (object["tok"].get(field) != simdjson::SUCCESS || !readInteger(field, metric.tokens)) return bad("metric without a whole \"tok\"");
    simdjson::dom::object values;
    if (object["v"].get_object().get(values) != simdjson::SUCCESS) return bad("metric without \"v\"");
    metric.values.reserve(values.size());
    for (auto [key, value] : values) {
        double number;
        if (key.empty() || key.size() > 256) return bad("metric name is empty or longer than 256 bytes");
        if (!readDouble(value, number)) return bad("value of \"" + std::string(key) + "\" is not a number");
        metric.values.emplace_back(key, number);
    }
    return {};
}

void eachLastLine(const std::string& path, const std::function<void(const std::string& line, bool cut)>& take) {
    constexpr std::streamoff kTailBytes = 4 << 20;
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) return;
    const std::streamoff size = in.tellg();
    const bool cut = size > kTailBytes;
    in.seekg(cut ? size - kTailBytes : 0);
    std::string line;
    if (cut) std::getline(in, line);  // a part of a line
    while (std::getline(in, line)) take(line, cut);
}

}  // namespace assay::protocol
