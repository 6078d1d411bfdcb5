#include <assay/config/schema.h>
#include <assay/presenters/schema_words.h>

#include <QCoreApplication>

namespace assay::presenters {

QString schemaText(std::string_view english) {
    return english.empty() ? QString() : QCoreApplication::translate("schema", std::string(english).c_str());
}

QString keyTitle(const QString& key) {
    const config::KeyInfo* info = config::keyInfo(key.toStdString());
    //: A setting and its key in the file: Prompt lengths (benchmark.prefill)
    return info && !info->label.empty() ? QObject::tr("%1 (%2)").arg(schemaText(info->label), key) : key;
}

QString openPlaceText(const QString& key) {
    if (key == QLatin1String("data.train.path")) return QObject::tr("Choose a dataset.");
    if (key == QLatin1String("data.eval.path")) return QObject::tr("Choose a held-out dataset.");
    if (key == QLatin1String("model.from")) return QObject::tr("Choose a model.");
    const config::KeyInfo* info = config::keyInfo(key.toStdString());
    const QString label = info ? schemaText(info->label) : key;
    return info && info->type == config::KeyType::kModel ? QObject::tr("Choose a model for “%1”.").arg(label) : QObject::tr("Choose a file for “%1”.").arg(label);
}

}  // namespace assay::presenters
