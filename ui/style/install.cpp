// Theme state and its application to palette, style and sheet.
#include "assay_style.h"
#include "fonts.h"
#include "sheet.h"

#include <assay/style/theme_notifier.h>
#include <assay/style/tokens.h>

#include <QApplication>
#include <QPalette>
#include <QStyleFactory>
#include <QToolTip>

namespace assay::style {
namespace {

struct State {
    ThemeChoice choice = ThemeChoice::kLight;
    Theme system = Theme::kLight;
    Theme shown = Theme::kLight;
    bool installed = false;
};
State& state() {
    static State state;
    return state;
}

Theme wanted() {
    if (state().choice == ThemeChoice::kSystem) return state().system;
    return state().choice == ThemeChoice::kDark ? Theme::kDark : Theme::kLight;
}

QPalette paletteFor(const Tokens& t) {
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, const QColor& color, const QColor& disabled) {
        palette.setColor(QPalette::Active, role, color);
        palette.setColor(QPalette::Inactive, role, color);
        palette.setColor(QPalette::Disabled, role, disabled);
    };
    set(QPalette::Window, t.background, t.background);
    set(QPalette::WindowText, t.text, t.text3);
    set(QPalette::Base, t.surface, t.background);
    set(QPalette::AlternateBase, t.surface, t.background);
    set(QPalette::Text, t.text, t.text3);
    set(QPalette::PlaceholderText, t.text3, t.text3);
    set(QPalette::Button, t.surface, t.background);
    set(QPalette::ButtonText, t.text, t.text3);
    set(QPalette::BrightText, t.onAccent, t.text3);
    set(QPalette::Highlight, t.accentBackground, t.sunken);
    set(QPalette::HighlightedText, t.text, t.text3);
    set(QPalette::Link, t.accent, t.text3);
    set(QPalette::LinkVisited, t.accent, t.text3);
    set(QPalette::ToolTipBase, t.surface, t.surface);
    set(QPalette::ToolTipText, t.text, t.text);
    set(QPalette::Light, t.surface, t.surface);
    set(QPalette::Midlight, t.sunken, t.sunken);
    set(QPalette::Mid, t.line, t.line);
    set(QPalette::Dark, t.line, t.line);
    set(QPalette::Shadow, t.line, t.line);
    return palette;
}

void apply() {
    const Theme next = wanted();
    const bool changed = next != state().shown;
    state().shown = next;
    if (!state().installed) return;
    QApplication::setPalette(paletteFor(tokens()));
    QToolTip::setPalette(paletteFor(tokens()));
    qApp->setStyleSheet(sheetFor(tokens()));
    if (changed) Q_EMIT themeNotifier().themeChanged();
}

}  // namespace

Theme theme() {
    return state().shown;
}

ThemeChoice themeChoice() {
    return state().choice;
}

void install(QApplication& application, ThemeChoice choice) {
    if (!state().installed) {
        // Until the desktop has been asked, its palette tells whether it is dark.
        if (application.palette().color(QPalette::Window).lightness() < 128) state().system = Theme::kDark;
    }
    ensureFonts();
    application.setStyle(new AssayStyle);
    application.setFont(font(Type::kBody));
    QToolTip::setFont(font(Type::kSecondary));
    state().installed = true;
    setTheme(choice);
}

void setTheme(ThemeChoice choice) {
    state().choice = choice;
    apply();
}

void setSystemTheme(Theme theme) {
    if (state().system == theme) return;
    state().system = theme;
    if (state().choice == ThemeChoice::kSystem) apply();
}

ThemeNotifier& themeNotifier() {
    static ThemeNotifier notifier;
    return notifier;
}

}  // namespace assay::style
