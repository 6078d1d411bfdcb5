#pragma once
#include <QObject>

namespace assay::style {

class ThemeNotifier final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
Q_SIGNALS:
    void themeChanged();
};

}  // namespace assay::style
