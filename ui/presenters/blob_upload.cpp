#include <assay/core/hash.h>
#include <assay/core/json.h>
#include <assay/presenters/blob_upload.h>
#include <assay/presenters/engine_session.h>

#include <QCoreApplication>
#include <QFile>
#include <QPointer>
#include <QThreadPool>

namespace assay::presenters {
namespace {

constexpr qint64 kHashBytes = qint64{4} << 20;
constexpr double kPutSeconds = 120;

Error readError(const QFile& file) {
    const ErrorCode code = file.exists() ? ErrorCode::kIo : ErrorCode::kNotFound;
    return Error(code, (file.fileName() + QStringLiteral(": ") + file.errorString()).toStdString(), QObject::tr("Choose the file again.").toStdString());
}
Error changedError(const QString& path) {
    return Error(ErrorCode::kIo, QObject::tr("%1 changed while it was uploaded.").arg(path).toStdString(), QObject::tr("Upload it again when nothing writes to it.").toStdString());
}

}  // namespace

BlobUpload::BlobUpload(EngineSession& session, const QString& path, Done done, QObject* parent) : QObject(parent), session_(session), path_(path), finished_(std::move(done)) {}

BlobUpload::~BlobUpload() { *stop_ = true; }

template <class T>
void BlobUpload::elsewhere(std::function<Result<T>(const std::atomic<bool>&)> work, std::function<void(Result<T>)> then) {
    QPointer<BlobUpload> guard(this);
    QThreadPool::globalInstance()->start([guard, stop = stop_, work = std::move(work), then = std::move(then)] {
        auto result = std::make_shared<Result<T>>(work(*stop));
        QMetaObject::invokeMethod(QCoreApplication::instance(), [guard, then, result] {
            if (guard && guard->finished_) then(std::move(*result));
        });
    });
}

void BlobUpload::start() {
    QFile file(path_);
    total_ = file.size();
    hash();
}

void BlobUpload::hash() {
    QPointer<BlobUpload> guard(this);
    const auto report = [guard](qint64 bytes) {
        QMetaObject::invokeMethod(QCoreApplication::instance(), [guard, bytes] {
            if (!guard || !guard->isHashing()) return;
            guard->done_ = bytes;
            Q_EMIT guard->progress();
        });
    };
    elsewhere<std::pair<std::string, qint64>>(
        [path = path_, report](const std::atomic<bool>& stop) -> Result<std::pair<std::string, qint64>> {
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly)) return fail(readError(file));
            Sha256 sha;
            qint64 bytes = 0;
            QByteArray piece(kHashBytes, Qt::Uninitialized);
            for (;;) {
                if (stop) return fail(ErrorCode::kCancelled, "cancelled");
                const qint64 n = file.read(piece.data(), piece.size());
                if (n < 0) return fail(readError(file));
                if (n == 0) break;
                sha.update({piece.constData(), static_cast<size_t>(n)});
                bytes += n;
                report(bytes);
            }
            return std::pair{sha.finishHex(), bytes};
        },
        [this](Result<std::pair<std::string, qint64>> hashed) {
            if (!hashed) return finish(fail(std::move(hashed).error()));
            if (hashed->second == 0) return finish(fail(ErrorCode::kInvalidFile, tr("%1 is empty.").arg(path_).toStdString(), tr("Choose a file with at least one row.").toStdString()));
            sha256_ = hashed->first;
            total_ = hashed->second;
            done_ = 0;
            Q_EMIT progress();
            readPiece();
        });
}

void BlobUpload::readPiece() {
    using Piece = std::pair<QByteArray, qint64>;
    elsewhere<Piece>(
        [path = path_, offset = offset_, wanted = std::min(kPieceBytes, total_ - offset_)](const std::atomic<bool>&) -> Result<Piece> {
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly) || !file.seek(offset)) return fail(readError(file));
            const QByteArray bytes = file.read(wanted);
            if (bytes.size() != wanted) return fail(changedError(path));
            return Piece{bytes.toBase64(), bytes.size()};
        },
        [this](Result<Piece> piece) {
            if (!piece) return finish(fail(std::move(piece).error()));
            send(piece->first, piece->second);
        });
}

void BlobUpload::send(const QByteArray& base64, qint64 bytes) {
    Json params = {{"sha256", sha256_}, {"offset", offset_}, {"total", total_}, {"data", base64.toStdString()}};
    call_ = session_.call(QStringLiteral("blobs.put"), std::move(params), this, [this, bytes](Result<Json> reply) {
        call_ = 0;
        if (!finished_) return;
        if (!reply) return finish(fail(std::move(reply).error()));
        offset_ += bytes;
        done_ = offset_;
        if (jsonBoolOr(*reply, "complete", false)) {
            done_ = total_;
            Q_EMIT progress();
            return finish(QString::fromStdString(jsonStringOr(*reply, "reference", "blob:" + sha256_)));
        }
        Q_EMIT progress();
        if (offset_ >= total_) return finish(fail(changedError(path_)));
        readPiece();
    }, kPutSeconds);
}

void BlobUpload::cancel() {
    if (call_) session_.cancel(call_);
    finish(fail(ErrorCode::kCancelled, tr("The upload was cancelled.").toStdString()));
}

void BlobUpload::finish(Result<QString> result) {
    *stop_ = true;
    if (const Done done = std::exchange(finished_, nullptr)) done(std::move(result));
}

}  // namespace assay::presenters
