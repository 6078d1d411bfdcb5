#include <assay/core/error.h>
#include <assay/core/json.h>
#include <assay/print/pdf_report.h>
#include <assay/print/render_command.h>

#include <cstdio>
#include <exception>

namespace assay::print {
namespace {

Result<report::Written> render(const QString& input, const QString& out) {
    try {
        ASSAY_TRY(const Json json, readJsonFile(input.toStdString()));
        ASSAY_TRY(const report::ReportInput report, report::reportInputFromJson(json));
        return writePdfReport(out.toStdString(), report);
    } catch (const std::exception& e) {
        return fail(ErrorCode::kInternal, std::string("drawing the report: ") + e.what());
    }
}

}  // namespace

int renderReport(const QString& input, const QString& out) {
    const auto written = render(input, out);
    const Json answer = written ? Json{{"path", written->path}, {"sha256", written->sha256}} : Json{{"error", errorToJson(written.error())}};
    std::printf("%s\n", dumpJson(answer).c_str());
    std::fflush(stdout);
    return written ? 0 : exitCodeOf(written.error().code);
}

}  // namespace assay::print
