// The report of a comparison: curves are asked for, the file is written on another thread by the durable-write helper.
#include <assay/core/clock.h>
#include <assay/models/format.h>

#include <QFileInfo>

#include "background.h"
#include "compare_private.h"

namespace assay::presenters {
namespace {

constexpr int kCurvePoints = 1000;   // per curve: more than a page can show
constexpr const char* kCurves[] = {"train/loss", "eval/loss", "train/grad_norm", "train/lr", "train/tokens_per_s"};

}  // namespace

struct ComparePresenter::Private::Export {
    QString path;
    report::ReportInput input;
    std::vector<Document> documents;
    std::map<std::string, std::string> runNames;
    int open = 0;   // calls not answered yet
};

void ComparePresenter::exportReport(const QString& path) {
    if (path.isEmpty() || d_->exporting) return;
    if (d_->comparison.setups.empty()) {
        Q_EMIT exportFailed(tr("There is nothing to report yet."), tr("Choose runs that measured a set-up."));
        return;
    }
    d_->exporting = true;
    Q_EMIT changed();
    auto job = std::make_shared<Private::Export>();
    job->path = path;
    job->input.comparison = d_->comparison;
    job->input.version = d_->context.session.identity().version;
    job->input.time = isoTime(wallSeconds());
    for (const QString& run : d_->runs)
        if (auto it = d_->documents.find(run); it != d_->documents.end()) job->documents.push_back(it->second);
    d_->askSeries(job);
}

// CSV holds the set-ups only, and a lost engine must not keep anyone from what is already here.
void ComparePresenter::Private::askSeries(std::shared_ptr<Export> job) {
    QStringList ids;
    for (const Document& document : job->documents)
        eachRun(*document, [&](const Json& one) {
            const std::string id = jsonStringOr(one, "id", "");
            if (jsonStringOr(one, "kind", "") != "train" && jsonStringOr(one, "kind", "") != "pipeline") return;
            job->runNames[id] = jsonStringOr(one, "name", id);
            ids << QString::fromStdString(id);
        });
    if (!context.session.isLive() || job->path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive) || ids.isEmpty()) return write(job);
    job->open = static_cast<int>(ids.size());
    for (const QString& id : ids)
        context.session.call(QStringLiteral("metrics.names"), {{"run", id.toStdString()}}, &self, [this, job, id](Result<Json> reply) {
            if (reply) askCurves(job, id, reply->value("names", Json::array()));
            if (--job->open == 0) write(job);
        });
}

void ComparePresenter::Private::askCurves(std::shared_ptr<Export> job, const QString& run, const Json& names) {
    if (!names.is_array()) return;
    for (const char* name : kCurves) {
        if (std::find(names.begin(), names.end(), Json(name)) == names.end()) continue;
        ++job->open;
        context.session.call(QStringLiteral("metrics.query"), {{"run", run.toStdString()}, {"name", name}, {"max_points", kCurvePoints}}, &self, [this, job, run, name](Result<Json> reply) {
            const std::string id = run.toStdString();
            if (reply) job->input.series.push_back({id, job->runNames[id], name, reply->value("points", Json::array())});
            if (--job->open == 0) write(job);
        });
    }
}

void ComparePresenter::Private::write(std::shared_ptr<Export> job) {
    const bool pdfWanted = QFileInfo(job->path).suffix().compare(QLatin1String("pdf"), Qt::CaseInsensitive) == 0;
    auto work = [job, writer = pdf, pdfWanted]() -> Result<report::Written> {
        for (const Document& document : job->documents) job->input.runs.push_back(*document);
        const std::string path = job->path.toStdString();
        if (!pdfWanted) return report::writeReport(path, job->input);
        if (!writer) return fail(ErrorCode::kUnsupported, "a PDF cannot be written here", "choose .html, which prints well");
        return writer(path, job->input);
    };
    inBackground(&self, std::move(work), [this](Result<report::Written> written) {
        exporting = false;
        Q_EMIT self.changed();
        if (written) Q_EMIT self.exportDone(QString::fromStdString(written->path));
        else Q_EMIT self.exportFailed(plainText(written.error().message), plainText(written.error().hint));
    });
}

}  // namespace assay::presenters
