#include <assay/presenters/dropped_paths.h>

#include <QDir>
#include <QFileInfo>
#include <QSet>

namespace assay::presenters {

PathKind pathKind(const QString& path) {
    const QFileInfo info(path);
    if (!info.exists()) return PathKind::kMissing;
    if (info.isDir()) {
        const QDir folder(path);
        if (folder.exists(QStringLiteral("config.json"))) return PathKind::kModel;
        for (const QString& name : folder.entryList(QDir::Files, QDir::NoSort))
            if (name.endsWith(QLatin1String(".safetensors")) || name.endsWith(QLatin1String(".gguf"))) return PathKind::kModel;
        return PathKind::kDataset;   // a folder of text files
    }
    QString name = info.fileName().toLower();
    for (const char* packed : {".gz", ".zst"})
        if (name.endsWith(QLatin1String(packed))) name.chop(static_cast<int>(qstrlen(packed)));
    const QString ending = name.section(QLatin1Char('.'), -1);
    static const QSet<QString> kData{QStringLiteral("txt"), QStringLiteral("jsonl"), QStringLiteral("ndjson"), QStringLiteral("json"), QStringLiteral("csv"),
                                     QStringLiteral("tsv"), QStringLiteral("md"),    QStringLiteral("parquet"), QStringLiteral("arrow"), QStringLiteral("text")};
    if (ending == QLatin1String("yaml") || ending == QLatin1String("yml")) return PathKind::kExperiment;
    if (ending == QLatin1String("gguf") || ending == QLatin1String("safetensors")) return PathKind::kModel;
    return kData.contains(ending) ? PathKind::kDataset : PathKind::kUnknown;
}

QString pageForKind(PathKind kind) {
    switch (kind) {
        case PathKind::kDataset: return QStringLiteral("data");
        case PathKind::kExperiment: return QStringLiteral("experiment");
        case PathKind::kModel: return QStringLiteral("models");
        case PathKind::kMissing:
        case PathKind::kUnknown: break;
    }
    return {};
}

QList<std::pair<QString, QStringList>> routePaths(const QStringList& paths) {
    QList<std::pair<QString, QStringList>> routes;
    QStringList nowhere;
    for (const QString& path : paths) {
        const QString page = pageForKind(pathKind(path));
        if (page.isEmpty()) {
            nowhere.append(path);
            continue;
        }
        bool added = false;
        for (auto& [key, list] : routes)
            if (key == page) {
                list.append(path);
                added = true;
            }
        if (!added) routes.append({page, {path}});
    }
    if (!nowhere.isEmpty()) routes.append({QString(), nowhere});
    return routes;
}

}  // namespace assay::presenters
