#include "label_style.h"

#include <assay/models/format.h>
#include <assay/style/theme_notifier.h>

#include <QPalette>
#include <QStyle>
#include <QVariant>

namespace assay::widgets {

QColor dimColor(int level) {
    const style::Tokens& t = style::tokens();
    return level == 3 ? t.text3 : level == 2 ? t.text2 : t.text;
}

void colorLabel(QLabel* label, const QColor& color) {
    QPalette palette = label->palette();
    for (const QPalette::ColorGroup group : {QPalette::Active, QPalette::Inactive}) palette.setColor(group, QPalette::WindowText, color);
    palette.setColor(QPalette::Disabled, QPalette::WindowText, style::tokens().text3);
    label->setPalette(palette);
}

void dress(QLabel* label, style::Type type, int dim) {
    label->setTextFormat(Qt::PlainText);
    label->setFont(style::font(type));
    colorLabel(label, dimColor(dim));
    QObject::connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, label, [label, dim] { colorLabel(label, dimColor(dim)); });
}

void setSurface(QWidget* widget, const QString& name) {
    widget->setAttribute(Qt::WA_StyledBackground);
    widget->setProperty("surface", name);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

QString plainTip(const QString& text) {
    // A tool tip is taken as rich text when it looks like markup; escaped text inside one element never is.
    return text.isEmpty() ? QString() : QStringLiteral("<span style=\"white-space:pre-wrap\">%1</span>").arg(text.toHtmlEscaped());
}

QString oneLine(const QString& text) {
    QString line = text;
    line.replace(QLatin1Char('\n'), QLatin1Char(' ')).replace(QLatin1Char('\t'), QLatin1Char(' '));
    return models::plain(line);
}

}  // namespace assay::widgets
