// RFC 4180: CRLF line ends, fields with a comma, quote or line end are quoted, quotes doubled. Text that a spreadsheet
// would run as a formula gets an apostrophe in front; numbers are never touched, so −0.5 stays a number.

#include <assay/report/report.h>

namespace assay::report {
namespace {

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos && (text.empty() || (text.front() != ' ' && text.back() != ' '))) return text;
    std::string out = "\"";
    for (char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

bool formula(const std::string& text) {  // also after spaces (ASCII, no-break, full-width) and at the start of an inner line
    bool start = true;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\t' || c == '\r') return true;
        if (c == '\n') {
            start = true;
            continue;
        }
        if (!start) continue;
        if (c == ' ') continue;
        if (text.compare(i, 2, "\xC2\xA0") == 0) {
            ++i;
            continue;
        }
        if (text.compare(i, 3, "\xE3\x80\x80") == 0) {
            i += 2;
            continue;
        }
        if (c == '=' || c == '+' || c == '-' || c == '@' || c == '|' || c == '%') return true;
        for (const char* wide : {"\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"})  // ＝ ＋ － ＠
            if (text.compare(i, 3, wide) == 0) return true;
        start = false;
    }
    return false;
}

std::string textField(std::string text) { return csvText(std::move(text)); }

}  // namespace

std::string csvText(std::string text) {
    std::erase(text, '\0');
    return quoted(formula(text) ? "'" + text : text);
}

std::string csvReport(const ReportInput& input) {
    std::string out = "id,name,scheme,runs,seeds,baseline,comparable,on_frontier,cheapest_meeting_target";
    for (const Metric& metric : metrics()) out += std::string(",") + metric.name + "," + metric.name + "_se";
    out += ",config_diff\r\n";
    for (const Setup& s : input.comparison.setups) {
        std::string runs;
        for (const std::string& run : s.runs) runs += (runs.empty() ? "" : " ") + run;
        auto truth = [](bool value) { return value ? ",true" : ",false"; };
        out += textField(s.id) + "," + textField(s.name) + "," + textField(s.scheme) + "," + textField(runs) + "," + std::to_string(s.seeds);
        out += truth(s.id == input.comparison.baseline);
        out += truth(s.comparable);
        out += truth(s.onFrontier);
        out += truth(s.id == input.comparison.cheapest);
        auto number = [&](const std::optional<double>& value) {
            out += ',';
            if (!value) return;  // not measured: an empty field
            const Json json = jsonNumber(*value);
            out += json.is_string() ? json.get<std::string>() : dumpJson(json);
        };
        for (const Metric& metric : metrics()) {
            number((s.*metric.value).value);
            number((s.*metric.value).se);
        }
        out += "," + textField(dumpJson(s.configDiff)) + "\r\n";
    }
    return out;
}

}  // namespace assay::report
