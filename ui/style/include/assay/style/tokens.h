#pragma once
// The one table of colours, sizes and type from which palette, style sheet, charts and the printed report are made.
// GUI thread, except the pure functions.

#include <QColor>
#include <QFont>
#include <QString>
#include <array>

class QApplication;

namespace assay::style {

enum class Theme { kLight, kDark };
enum class ThemeChoice { kLight, kDark, kSystem };

struct Tokens {
    QColor background, surface, sunken, line, text, text2, text3;
    QColor accent, accentBackground, onAccent;
    QColor good, goodBackground, warn, warnBackground, bad, badBackground;
    std::array<QColor, 7> data;
};
const Tokens& tokens(Theme theme);
const Tokens& tokens();      // of the present theme
Theme theme();

enum class Tone { kNeutral, kAccent, kGood, kWarn, kBad };
QColor toneText(Tone tone);
QColor toneBackground(Tone tone);
QColor dataColor(int index);                        // any index; wraps
enum class Marker { kCircle, kSquare, kDiamond, kTriangle, kTriangleDown, kCross, kPlus };
Marker dataMarker(int index);                       // pairs with dataColor: told apart without colour
double contrastRatio(const QColor& a, const QColor& b);   // WCAG 2.1

namespace size {   // 4-px grid
inline constexpr int kUnit = 4, kGap = 12, kPagePadding = 20, kCardPadding = 12, kRadius = 8, kSmallRadius = 6;
inline constexpr int kControlHeight = 28, kRowHeight = 30, kRailWidth = 176, kRailCollapsed = 52, kStatusBar = 26;
}  // namespace size

enum class Type { kBody, kSecondary, kSmall, kTitle, kCardTitle, kFigure, kMono };
QFont font(Type type);       // Inter with tabular figures; Noto Sans CJK behind it; mono: the system's fixed face

// Fusion base style, fonts, palette and style sheet. Follows the desktop while the choice is kSystem.
void install(QApplication& application, ThemeChoice choice);
void setTheme(ThemeChoice choice);
ThemeChoice themeChoice();
// What the desktop prefers, told by whoever listens to it (style knows no D-Bus); shown while the choice is kSystem.
void setSystemTheme(Theme theme);

// Emits themeChanged() after palette and sheet are in place: custom-painted widgets repaint, charts recolour.
class ThemeNotifier;
ThemeNotifier& themeNotifier();

}  // namespace assay::style
