#pragma once
// The language of the window. Needs a QCoreApplication.

#include <QString>
#include <QStringList>

namespace assay::shell {

QStringList languages();                          // "en", "zh_CN"
QString languageName(const QString& code);        // in that language itself
// The one in force for a choice: "" is the system's; "pseudo" (tests) makes every text 40 % longer and bracketed.
QString resolvedLanguage(const QString& choice);
// Installs translations and the default QLocale for numbers and dates; widgets made afterwards speak it.
void installLanguage(const QString& choice);

QString installedLanguage();   // what installLanguage settled on

}  // namespace assay::shell
