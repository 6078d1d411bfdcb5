#include <assay/shell/language.h>

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <memory>
#include <vector>

namespace assay::shell {
namespace {

QString& present() {
    static QString code = QStringLiteral("en");
    return code;
}

// Shows what was not made for long words, and what was never marked for translation: it has no brackets.
class PseudoTranslator final : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* text, const char*, int) const override {
        const QString source = QString::fromUtf8(text);
        if (source.isEmpty()) return source;
        const qsizetype more = std::max<qsizetype>(1, source.size() * 4 / 10 - 2);
        return QLatin1Char('[') + source + QString(more, QChar(0x00B7)) + QLatin1Char(']');
    }
};

using Translators = std::vector<std::unique_ptr<QTranslator>>;

void add(Translators& translators, std::unique_ptr<QTranslator> translator) {
    QCoreApplication::installTranslator(translator.get());
    translators.push_back(std::move(translator));
}

// A file that is not there leaves the English words.
void load(Translators& translators, const QString& name, const QString& folder) {
    auto translator = std::make_unique<QTranslator>();
    if (translator->load(name, folder)) add(translators, std::move(translator));
}

}  // namespace

QStringList languages() { return {QStringLiteral("en"), QStringLiteral("zh_CN")}; }

QString languageName(const QString& code) { return code == QLatin1String("zh_CN") ? QStringLiteral("简体中文") : QStringLiteral("English"); }

QString resolvedLanguage(const QString& choice) {
    if (choice == QLatin1String("pseudo") || languages().contains(choice)) return choice;
    return QLocale::system().language() == QLocale::Chinese ? QStringLiteral("zh_CN") : QStringLiteral("en");
}

void installLanguage(const QString& choice) {
    static Translators installed;
    for (const auto& translator : installed) QCoreApplication::removeTranslator(translator.get());
    installed.clear();
    const QString code = resolvedLanguage(choice);
    present() = code;
    // The words decide about the figures too: an English window on a German desktop writes 1,234.5 everywhere.
    const QLocale locale = code == QLatin1String("zh_CN") ? QLocale(QLocale::Chinese, QLocale::China) : QLocale(QLocale::English, QLocale::UnitedStates);
    QLocale::setDefault(locale);
    if (code == QLatin1String("pseudo")) {
        add(installed, std::make_unique<PseudoTranslator>());
        return;
    }
    // Qt's own words (file dialogs, menus of text fields), then ours: the one installed last is asked first. English has a
    // file too, for its plurals.
    load(installed, QStringLiteral("qtbase_%1").arg(code), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    load(installed, QStringLiteral("assay_%1").arg(code), QStringLiteral(":/i18n"));
}

QString installedLanguage() { return present(); }

}  // namespace assay::shell
