#include <assay/models/format.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/series_export.h>
#include <assay/report/report.h>

#include <QFileInfo>
#include <QSaveFile>
#include <cerrno>

#include "background.h"

namespace assay::presenters {
namespace {

struct SeriesJob {
    AppContext& context;
    QPointer<QObject> owner;
    std::vector<SeriesToSave> series;
    std::shared_ptr<QSaveFile> file;
    size_t at = 0;
    qint64 points = 0;
};
using SeriesJobPointer = std::shared_ptr<SeriesJob>;

void askPiece(const SeriesJobPointer& job, const Json& from);

Error fileError(const QSaveFile& file) {
    // Qt keeps the words of the system, not its number.
    const bool full = file.errorString().contains(qt_error_string(ENOSPC));
    return {full ? ErrorCode::kDiskFull : ErrorCode::kIo, "cannot write " + file.fileName().toStdString() + ": " + file.errorString().toStdString(),
            "free some space or choose another folder"};
}

void failed(const SeriesJobPointer& job, const Error& error) {
    job->file->cancelWriting();
    job->context.notifier.error(QObject::tr("The data of the chart was not saved"), error);
}

std::string lines(const SeriesToSave& series, const Json& points) {
    const std::string head = series.run.toStdString() + ',' + report::csvText(series.name.toStdString()) + ',' + report::csvText(series.metric.toStdString());
    std::string out;
    out.reserve(points.size() * (head.size() + 48));
    for (const Json& point : points) {
        if (!point.is_array() || point.size() != 4) continue;
        out += head;
        for (const Json& number : point) out += ',' + (number.is_string() ? number.get<std::string>() : dumpJson(number));   // "nan", "inf"
        out += "\r\n";
    }
    return out;
}

void takePiece(const SeriesJobPointer& job, Json answer) {
    const Json next = answer.value("next_step", Json());
    auto work = [file = job->file, series = job->series[job->at], points = answer.value("points", Json::array())]() -> Result<qint64> {
        const std::string text = lines(series, points);
        if (file->write(text.data(), static_cast<qint64>(text.size())) != static_cast<qint64>(text.size()) || !file->flush()) return fail(fileError(*file));
        return static_cast<qint64>(points.size());
    };
    inBackground(job->owner, std::move(work), [job, next](Result<qint64> written) {
        if (!written) return failed(job, written.error());
        job->points += *written;
        if (next.is_null()) ++job->at;
        askPiece(job, next);
    });
}

void askPiece(const SeriesJobPointer& job, const Json& from) {
    if (job->at == job->series.size()) {
        inBackground(job->owner, [file = job->file]() -> Result<bool> { return file->commit() ? Result<bool>(true) : fail(fileError(*file)); }, [job](Result<bool> done) {
            if (!done) return failed(job, done.error());
            job->context.notifier.notify({.severity = Severity::kGood, .title = QObject::tr("The data of the chart is saved"),
                                          .detail = QObject::tr("%1, %Ln point(s)", nullptr, static_cast<int>(std::min<qint64>(job->points, 2'000'000'000))).arg(models::plain(QFileInfo(job->file->fileName()).fileName())),
                                          .technical = {}, .actionText = {}, .action = {}});
        });
        return;
    }
    const SeriesToSave& series = job->series[job->at];
    Json params{{"run", series.run.toStdString()}, {"name", series.metric.toStdString()}};
    if (from.is_number_integer()) params["from_step"] = from;
    job->context.session.call(QStringLiteral("metrics.query"), std::move(params), job->owner, [job](Result<Json> reply) {
        if (!reply && reply.error().code == ErrorCode::kNotFound) reply = Json::object();   // no point yet
        if (!reply) return failed(job, reply.error());
        takePiece(job, std::move(*reply));
    }, 60);
}

}  // namespace

void saveSeries(AppContext& context, QObject* owner, std::vector<SeriesToSave> series, const QString& path) {
    auto job = std::make_shared<SeriesJob>(SeriesJob{context, owner, std::move(series), std::make_shared<QSaveFile>(path)});
    // What is put in its place would be a file: never in that of a device or a folder.
    if (const QFileInfo there(path); there.exists() && !there.isFile()) return failed(job, Error(ErrorCode::kIo, path.toStdString() + " is no file", "choose another name"));
    static constexpr char kHead[] = "run,name,metric,step,seconds,tokens,value\r\n";
    if (!job->file->open(QIODevice::WriteOnly) || job->file->write(kHead) < 0) return failed(job, fileError(*job->file));
    askPiece(job, Json());
}

}  // namespace assay::presenters
