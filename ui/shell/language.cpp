#include <assay/shell/language.h>

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>
#include <memory>

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

}  // namespace

QStringList languages() { return {QStringLiteral("en"), QStringLiteral("zh_CN")}; }

QString languageName(const QString& code) { return code == QLatin1String("zh_CN") ? QStringLiteral("简体中文") : QStringLiteral("English"); }

QString resolvedLanguage(const QString& choice) {
    if (choice == QLatin1String("pseudo") || languages().contains(choice)) return choice;
    return QLocale::system().language() == QLocale::Chinese ? QStringLiteral("zh_CN") : QStringLiteral("en");
}

void installLanguage(const QString& choice) {
    static std::unique_ptr<QTranslator> installed;
    if (installed) {
        QCoreApplication::removeTranslator(installed.get());
        installed.reset();
    }
    const QString code = resolvedLanguage(choice);
    present() = code;
    // The words decide about the figures too: an English window on a German desktop writes 1,234.5 everywhere.
    const QLocale locale = code == QLatin1String("zh_CN") ? QLocale(QLocale::Chinese, QLocale::China) : QLocale(QLocale::English, QLocale::UnitedStates);
    QLocale::setDefault(locale);
    if (code == QLatin1String("pseudo")) {
        installed = std::make_unique<PseudoTranslator>();
    } else if (code != QLatin1String("en")) {
        installed = std::make_unique<QTranslator>();
        if (!installed->load(QStringLiteral(":/i18n/assay_%1.qm").arg(code))) {
            installed.reset();
            return;   // no translation was built in: English words
        }
    }
    if (installed) QCoreApplication::installTranslator(installed.get());
}

QString installedLanguage() { return present(); }

}  // namespace assay::shell
