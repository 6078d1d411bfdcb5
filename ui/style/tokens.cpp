#include <assay/style/tokens.h>

#include <algorithm>
#include <cmath>

namespace assay::style {
namespace {

// Where a value of the first draft did not reach WCAG AA on the surfaces it stands on, it was moved as little as needed:
// light text 3, accent and good; dark text 3 (tests/style/contrast_test.cpp lists the pairs).
const Tokens kLightTokens = {
    .background = 0xF4F5F7, .surface = 0xFFFFFF, .sunken = 0xECEEF1, .line = 0xDADEE4,
    .text = 0x1A1F26, .text2 = 0x56606C, .text3 = 0x65707C,
    .accent = 0x215FE6, .accentBackground = 0xE6EEFF, .onAccent = 0xFFFFFF,
    .good = 0x187533, .goodBackground = 0xE2F4E7, .warn = 0x8A5B00, .warnBackground = 0xFFF3D6,
    .bad = 0xC3222F, .badBackground = 0xFDE7E8,
    .data = {QColor(0x2563EB), QColor(0xD97706), QColor(0x0F9D7A), QColor(0xC02F86), QColor(0x7A52CC), QColor(0x8A6A1F), QColor(0x0891B2)},
};
const Tokens kDarkTokens = {
    .background = 0x12151A, .surface = 0x1A1E25, .sunken = 0x0E1115, .line = 0x303742,
    .text = 0xE7EBF0, .text2 = 0xA7B0BC, .text3 = 0x8A94A1,
    .accent = 0x6AA1FF, .accentBackground = 0x1C2C4A, .onAccent = 0x0E1115,
    .good = 0x5CC27A, .goodBackground = 0x173222, .warn = 0xE0B04B, .warnBackground = 0x382C10,
    .bad = 0xFF7B7F, .badBackground = 0x3B1A1D,
    .data = {QColor(0x6AA1FF), QColor(0xF2A65A), QColor(0x4FC9A6), QColor(0xF07CBF), QColor(0xB196F5), QColor(0xCDB06B), QColor(0x4CC5DE)},
};

int wrapped(int index) {
    return ((index % 7) + 7) % 7;
}

double luminance(const QColor& color) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

}  // namespace

const Tokens& tokens(Theme theme) {
    return theme == Theme::kDark ? kDarkTokens : kLightTokens;
}

const Tokens& tokens() {
    return tokens(theme());
}

QColor toneText(Tone tone) {
    switch (tone) {
        case Tone::kAccent: return tokens().accent;
        case Tone::kGood: return tokens().good;
        case Tone::kWarn: return tokens().warn;
        case Tone::kBad: return tokens().bad;
        case Tone::kNeutral: break;
    }
    return tokens().text2;
}

QColor toneBackground(Tone tone) {
    switch (tone) {
        case Tone::kAccent: return tokens().accentBackground;
        case Tone::kGood: return tokens().goodBackground;
        case Tone::kWarn: return tokens().warnBackground;
        case Tone::kBad: return tokens().badBackground;
        case Tone::kNeutral: break;
    }
    return tokens().sunken;
}

QColor dataColor(int index) {
    return tokens().data[static_cast<size_t>(wrapped(index))];
}

Marker dataMarker(int index) {
    return static_cast<Marker>(wrapped(index));
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double one = luminance(a), two = luminance(b);
    return (std::max(one, two) + 0.05) / (std::min(one, two) + 0.05);
}

}  // namespace assay::style
