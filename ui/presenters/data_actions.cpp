// What is done with a dataset: brought to the engine, prepared, used.
#include <assay/config/config.h>
#include <assay/models/format.h>

#include <QFileInfo>
#include <QUuid>

#include "data_private.h"

namespace assay::presenters {
namespace {


// Letters, digits and dashes of the file's name: what a run is called.
std::string runName(const std::vector<DataSetFile>& files) {
    QString name;
    for (const QChar c : QFileInfo(files.front().name).completeBaseName()) name += c.isLetterOrNumber() || c == u'.' || c == u'_' ? c : QChar(u'-');
    while (name.startsWith(u'-') || name.startsWith(u'.')) name.remove(0, 1);
    return (QStringLiteral("prepare-") + name.left(60)).toStdString();
}

}  // namespace

bool DataPresenter::isUploading() const { return d_->blob != nullptr; }
const DataUpload& DataPresenter::upload() const { return d_->uploadState; }
const std::optional<Error>& DataPresenter::uploadError() const { return d_->uploadError; }

void DataPresenter::Private::upload(const QStringList& paths, bool add) {
    if (paths.isEmpty()) return;
    q.cancelUpload();
    uploadError.reset();
    for (const QString& path : paths) {
        // What an upload is called does not reach the engine, so that packed files could not be told from plain ones.
        const QString ending = QFileInfo(path).suffix().toLower();
        if (ending == QLatin1String("gz") || ending == QLatin1String("zst")) {
            uploadError = Error(ErrorCode::kUnsupported, QObject::tr("%1 is compressed, and uploads are read as they are.").arg(models::plain(QFileInfo(path).fileName())).toStdString(),
                                QObject::tr("Unpack it first, or copy it to the engine's machine and choose it there.").toStdString());
            Q_EMIT q.uploadChanged();
            return;
        }
    }
    uploadQueue = paths;
    uploaded.clear();
    uploadAdds = add && !files.empty();
    uploadState = {};
    uploadState.count = static_cast<int>(paths.size());
    uploadNext();
}

void DataPresenter::Private::uploadNext() {
    if (uploadQueue.isEmpty()) {
        take(std::exchange(uploaded, {}), uploadAdds);
        Q_EMIT q.uploadChanged();
        return;
    }
    const QString path = uploadQueue.takeFirst();
    const QString name = QFileInfo(path).fileName();
    ++uploadState.index;
    uploadState.name = models::plain(name);
    uploadClock.invalidate();
    blob = std::make_unique<BlobUpload>(context.session, path, [this, name](Result<QString> reference) {
        blob.release()->deleteLater();   // it is calling
        if (!reference) {
            uploadQueue.clear();
            if (reference.error().code != ErrorCode::kCancelled) uploadError = reference.error();
            Q_EMIT q.uploadChanged();
            return;
        }
        uploaded.push_back({*reference, name, formatOfName(name)});
        uploadNext();
    });
    QObject::connect(blob.get(), &BlobUpload::progress, &q, [this] {
        if (!blob) return;
        if (uploadState.hashing && !blob->isHashing()) uploadClock.start();
        uploadState.hashing = blob->isHashing();
        uploadState.done = blob->bytesDone();
        uploadState.total = blob->bytesTotal();
        const double seconds = uploadClock.isValid() ? static_cast<double>(uploadClock.elapsed()) / 1000 : 0;
        uploadState.bytesPerSecond = seconds > 0.5 ? static_cast<double>(uploadState.done) / seconds : 0;
        Q_EMIT q.uploadChanged();
    });
    uploadState.hashing = true;
    uploadState.done = 0;
    blob->start();
    uploadState.total = blob->bytesTotal();
    Q_EMIT q.uploadChanged();
}

void DataPresenter::cancelUpload() {
    d_->uploadQueue.clear();
    if (d_->blob) d_->blob->cancel();
}

QString DataPresenter::whyNotPrepare() const {
    if (!isOpen() || !d_->inspection.is_object()) return tr("No dataset is open.");
    if (isInspecting()) return tr("The file is being read.");
    if (!d_->context.session.isLive()) return tr("No engine is connected.");
    if (jsonIntegerOr(d_->inspection, "usable", 0) <= 0) return tr("No row can be used: see the problems.");
    return {};
}

bool DataPresenter::isPreparing() const { return d_->preparing; }

// The files as `data.train` of an experiment lists them.
Json DataPresenter::Private::sources() const {
    Json list = Json::array();
    for (const DataSetFile& one : files) {
        Json entry = source(one);
        entry.erase("document");
        if (jsonStringOr(entry, "format", "auto") == "auto") entry.erase("format");
        entry.erase("columns");
        if (const Json columns = mapping(); q.hasColumns() && !columns.empty()) entry["columns"] = columns;
        list.push_back(std::move(entry));
    }
    return list;
}

std::string DataPresenter::prepareYaml() const {
    if (!isOpen()) return {};
    Json sources = d_->sources();
    Json data = {{"train", sources.size() == 1 ? sources[0] : sources}};
    if (!hasColumns()) data["document"] = d_->document.toStdString();
    data["tokenizer"] = d_->tokenizer.toStdString();
    data["loss_on"] = d_->lossOn.toStdString();
    data["sequence_length"] = d_->sequenceLength;
    data["over_length"] = d_->overLength.toStdString();
    data["packing"] = d_->packing.toStdString();
    return config::jsonToYaml(Json{{"assay", 1}, {"name", runName(d_->files)}, {"kind", "prepare"}, {"data", std::move(data)}});
}

void DataPresenter::prepare() {
    if (d_->preparing || !whyNotPrepare().isEmpty()) return;
    d_->preparing = true;
    d_->submitKey = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
    Q_EMIT changed();
    const std::string yaml = prepareYaml();
    d_->context.session.tool(QStringLiteral("spec_check"), {{"yaml", yaml}, {"folder", "/"}}, this, [this, yaml](Result<Json> reply) {
        const auto failed = [this](const Error& error) {
            d_->preparing = false;
            d_->context.notifier.error(tr("The data cannot be prepared"), error);
            Q_EMIT changed();
        };
        if (!reply) return failed(reply.error());
        const auto resolved = reply->find("resolved");
        if (jsonBoolOr(*reply, "ok", false) && resolved != reply->end()) return d_->submit(*resolved, yaml);
        Error error(ErrorCode::kInvalidFile, "the settings do not fit together");
        if (auto list = reply->find("problems"); list != reply->end() && list->is_array() && !list->empty() && list->front().is_object())
            error = Error(ErrorCode::kInvalidFile, jsonStringOr(list->front(), "key", "") + ": " + jsonStringOr(list->front(), "message", ""), jsonStringOr(list->front(), "hint", ""));
        failed(error);
    });
}

void DataPresenter::Private::submit(const Json& resolved, const std::string& yaml) {
    context.session.call(QStringLiteral("runs.submit"), {{"spec", resolved}, {"yaml", yaml}, {"idempotency_key", submitKey}}, &q, [this](Result<Json> reply) {
        preparing = false;
        Q_EMIT q.changed();
        if (!reply) return context.notifier.error(QObject::tr("The data cannot be prepared"), reply.error());
        context.navigator.navigate(QStringLiteral("run"), {{"run", jsonStringOr(*reply, "run", "")}});
    }, 60);
}

void DataPresenter::useInExperiment() {
    if (!isOpen()) return;
    d_->context.navigator.navigate(QStringLiteral("experiment"), {{"data", experimentArgument()}});
}

// All that the page knows: what was looked at here is what is trained on there.
Json DataPresenter::experimentArgument() const {
    const DataSetFile& file = d_->files[static_cast<size_t>(d_->file)];
    Json data = {{"path", file.place.toStdString()}, {"format", (d_->format != QLatin1String("auto") ? d_->format : file.format).toStdString()}};
    if (const Json columns = d_->mapping(); hasColumns() && !columns.empty()) data["columns"] = columns;
    if (d_->files.size() > 1) data["sources"] = d_->sources();
    data["tokenizer"] = d_->tokenizer.toStdString();
    data["sequence_length"] = d_->sequenceLength;
    data["packing"] = d_->packing.toStdString();
    // These are left out where they say what is meant anyway.
    if (!hasColumns() && d_->document != QLatin1String("line")) data["document"] = d_->document.toStdString();
    if (d_->lossOn != QLatin1String("all")) data["loss_on"] = d_->lossOn.toStdString();
    if (d_->overLength != QLatin1String("split")) data["over_length"] = d_->overLength.toStdString();
    return data;
}

}  // namespace assay::presenters
