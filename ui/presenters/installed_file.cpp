#include <assay/core/paths.h>
#include <assay/presenters/installed_file.h>

#include <QFileInfo>
#include <QStringList>

namespace assay::presenters {

Result<QString> installedFile(const QString& name) {
    const QString programs = QString::fromStdString(executableFolder());
    QStringList folders;
    if (const QString given = qEnvironmentVariable("ASSAY_DATA_DIR"); !given.isEmpty()) folders.append(given);
    folders << programs + QStringLiteral("/../share/assay") << programs + QStringLiteral("/../../..") << QStringLiteral(ASSAY_SOURCE_FOLDER);
    for (const QString& folder : folders) {
        const QFileInfo file(folder + QLatin1Char('/') + name);
        if (file.isFile()) return file.canonicalFilePath();
    }
    return fail(ErrorCode::kNotFound, name.toStdString() + " is not there", "it comes with Assay; set ASSAY_DATA_DIR to the folder that holds experiments/");
}

}  // namespace assay::presenters
