#pragma once
// Text of several lines in a dimmed colour that follows the theme; plain, selectable, never in the tab order.

#include <assay/style/theme_notifier.h>
#include <assay/style/tokens.h>

#include <QLabel>
#include <QLayout>
#include <QList>
#include <algorithm>

namespace assay::pages {

inline QLabel* makeWrappedLabel(style::Type type, int dim, const char* name, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setFont(style::font(type));
    label->setObjectName(QString::fromLatin1(name));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setFocusPolicy(Qt::NoFocus);
    const auto recolour = [label, dim] {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, dim == 3 ? style::tokens().text3 : dim == 2 ? style::tokens().text2 : style::tokens().text);
        label->setPalette(palette);
    };
    recolour();
    QObject::connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, label, recolour);
    return label;
}

// A scroll area asks for the least height only, which knows no wrapping: what stands in one keeps the height of its lines.
inline void holdHeight(QLabel* label, int width) { label->setMinimumHeight(label->text().isEmpty() ? 0 : label->heightForWidth(width)); }

// The same for a whole column: what its parts need at this width, told to the widget that the scroll area holds.
inline void holdColumn(QWidget* inside, const QList<QWidget*>& parts, int width, int spacing, int margins) {
    int height = margins;
    for (QWidget* one : parts) {
        if (one->isHidden()) continue;
        if (one->layout()) one->layout()->invalidate();
        height += std::max(one->hasHeightForWidth() ? one->heightForWidth(width) : 0, one->sizeHint().height()) + spacing;
    }
    inside->setMinimumHeight(height);
}

}  // namespace assay::pages
