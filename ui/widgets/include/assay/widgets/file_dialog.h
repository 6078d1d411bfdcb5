#pragma once
// Choosing files where the engine is: the system's dialog for a local engine, a browser over the engine's `files_list` tool
// for a remote one (which also offers to upload from here). Folders are remembered per purpose. Never blocks: the
// answer comes by callback; no nested event loop.

#include <QStringList>
#include <QWidget>
#include <functional>

namespace assay::widgets {

enum class FilePurpose { kDataset, kModel, kExperiment, kFolder };
struct RemoteEntry {
    QString name;
    bool folder = false;
    qint64 bytes = 0;
};
using RemoteLister = std::function<void(const QString& folder, std::function<void(QString folder, QList<RemoteEntry> entries, QString error)>)>;

void chooseLocalFile(QWidget* parent, const QString& title, const QString& filter, const QString& folder,
                     std::function<void(const QString& path)> done);
void chooseLocalFiles(QWidget* parent, const QString& title, const QString& filter, const QString& folder,
                      std::function<void(const QStringList& paths)> done);
void chooseLocalFolder(QWidget* parent, const QString& title, const QString& folder, std::function<void(const QString& path)> done);
void chooseSavePath(QWidget* parent, const QString& title, const QString& filter, const QString& suggestion,
                    std::function<void(const QString& path)> done);
void chooseRemote(QWidget* parent, const QString& title, bool folder, const RemoteLister& lister,
                  std::function<void(const QString& path)> done);

}  // namespace assay::widgets
