#pragma once
// Brings one file of this machine to the engine (`blobs.put`), piece by piece: read and hashed on another thread, one piece
// in memory, one call at a time. Content that the engine has is not sent again.

#include <assay/core/error.h>

#include <QObject>
#include <QString>
#include <atomic>
#include <functional>
#include <memory>

namespace assay::presenters {

class EngineSession;

class BlobUpload final : public QObject {
    Q_OBJECT
public:
    static constexpr qint64 kPieceBytes = qint64{768} << 10;   // base64 makes 1 MiB of it, the most a call may carry
    using Done = std::function<void(Result<QString> reference)>;   // "blob:<sha256>"; once, on this thread

    BlobUpload(EngineSession& session, const QString& path, Done done, QObject* parent = nullptr);
    ~BlobUpload() override;
    void start();
    void cancel();                                             // `done` hears kCancelled
    const QString& path() const { return path_; }
    bool isHashing() const { return sha256_.empty(); }
    qint64 bytesDone() const { return done_; }                 // hashed, then sent
    qint64 bytesTotal() const { return total_; }

Q_SIGNALS:
    void progress();

private:
    void hash();
    void readPiece();
    void send(const QByteArray& base64, qint64 bytes);
    void finish(Result<QString> result);
    // Runs `work` on a thread and hands what it gives to `then` here, unless this is gone or finished by then.
    template <class T>
    void elsewhere(std::function<Result<T>(const std::atomic<bool>& stop)> work, std::function<void(Result<T>)> then);

    EngineSession& session_;
    QString path_;
    Done finished_;
    std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
    std::string sha256_;
    qint64 done_ = 0, total_ = 0, offset_ = 0;
    int64_t call_ = 0;
};

}  // namespace assay::presenters
