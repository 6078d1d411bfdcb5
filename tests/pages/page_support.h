#pragma once
// A page on screen (offscreen platform), the parts of it by name, pictures of it on request.

#include <assay/pages/page.h>
#include <assay/style/tokens.h>

#include <QDir>
#include <QTest>

#include "context.h"

namespace assay::test {

template <class T = QWidget>
T* part(QWidget& page, const char* name) {
    return page.findChild<T*>(QLatin1String(name));
}

// With $ASSAY_PICTURES: NAME-light.png and NAME-dark.png there.
inline void picture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("ASSAY_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    for (const auto& [theme, word] : {std::pair{style::ThemeChoice::kDark, "dark"}, std::pair{style::ThemeChoice::kLight, "light"}}) {
        style::setTheme(theme);
        QCoreApplication::processEvents();
        widget.grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, QLatin1String(word)));
    }
}

// Every control that Tab reaches has a name to be found and to be read by.
inline QStringList unnamed(QWidget& page) {
    QStringList found;
    for (QWidget* widget : page.findChildren<QWidget*>()) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisibleTo(&page)) continue;
        if (widget->objectName().isEmpty() || widget->accessibleName().isEmpty())
            found.append(QStringLiteral("%1 \"%2\"").arg(QLatin1String(widget->metaObject()->className()), widget->objectName()));
    }
    return found;
}

}  // namespace assay::test
