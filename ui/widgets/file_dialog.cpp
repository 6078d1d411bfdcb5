// The system's dialogs, opened without waiting for them.
#include <assay/widgets/file_dialog.h>

#include "remote_dialog.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>

namespace assay::widgets {
namespace {

void openDialog(QFileDialog* dialog, const QString& folder, std::function<void(const QString& path)> done) {
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("file-dialog"));
    if (!folder.isEmpty()) dialog->setDirectory(folder);
    QObject::connect(dialog, &QFileDialog::fileSelected, dialog, [done = std::move(done)](const QString& path) {
        if (!path.isEmpty()) done(path);
    });
    dialog->open();   // window-modal; no nested event loop
}

// "YAML files (*.yaml *.yml)" → "yaml": what a typed name without an ending gets.
QString firstSuffix(const QString& filter) {
    static const QRegularExpression pattern(QStringLiteral("\\*\\.([A-Za-z0-9]+)"));
    return pattern.match(filter).captured(1);
}

}  // namespace

void chooseLocalFile(QWidget* parent, const QString& title, const QString& filter, const QString& folder, std::function<void(const QString& path)> done) {
    auto* dialog = new QFileDialog(parent, title);
    dialog->setFileMode(QFileDialog::ExistingFile);
    if (!filter.isEmpty()) dialog->setNameFilter(filter);
    openDialog(dialog, folder, std::move(done));
}

void chooseLocalFiles(QWidget* parent, const QString& title, const QString& filter, const QString& folder, std::function<void(const QStringList& paths)> done) {
    auto* dialog = new QFileDialog(parent, title);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    if (!filter.isEmpty()) dialog->setNameFilter(filter);
    QObject::connect(dialog, &QFileDialog::filesSelected, dialog, [done = std::move(done)](const QStringList& paths) {
        if (!paths.isEmpty()) done(paths);
    });
    openDialog(dialog, folder, [](const QString&) {});
}

void chooseLocalFolder(QWidget* parent, const QString& title, const QString& folder, std::function<void(const QString& path)> done) {
    auto* dialog = new QFileDialog(parent, title);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    openDialog(dialog, folder, std::move(done));
}

void chooseSavePath(QWidget* parent, const QString& title, const QString& filter, const QString& suggestion, std::function<void(const QString& path)> done) {
    auto* dialog = new QFileDialog(parent, title);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    if (!filter.isEmpty()) dialog->setNameFilter(filter);
    dialog->setDefaultSuffix(firstSuffix(filter));
    const QFileInfo info(suggestion);
    const QString folder = info.isAbsolute() ? info.absolutePath() : QString();
    if (!folder.isEmpty()) dialog->setDirectory(folder);
    if (!info.fileName().isEmpty()) dialog->selectFile(info.fileName());
    openDialog(dialog, {}, std::move(done));
}

void chooseRemote(QWidget* parent, const QString& title, bool folder, const RemoteLister& lister, std::function<void(const QString& path)> done) {
    auto* dialog = new RemoteDialog(title, folder, lister, std::move(done), parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    dialog->go({});
}

}  // namespace assay::widgets
