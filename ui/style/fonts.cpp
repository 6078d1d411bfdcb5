#include "fonts.h"

#include <assay/style/tokens.h>

#include <QFontDatabase>
#include <QGuiApplication>

// Outside every namespace, as Qt demands; a static library's resources are not registered by themselves.
static void registerResources() {
    Q_INIT_RESOURCE(assay_style);
}

namespace assay::style {
namespace {

QString monoFamily() {
    static const QString family = [] {
        const QString wished = QStringLiteral("DejaVu Sans Mono");
        return QFontDatabase::families().contains(wished) ? wished : QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    }();
    return family;
}

QFont made(int pixels, QFont::Weight weight) {
    QFont font;
    font.setFamilies({QStringLiteral("Assay Inter"), QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Noto Sans")});
    font.setPixelSize(pixels);
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);  // true shapes at fractional scales, and equal advances
    return font;
}

}  // namespace

void ensureResources() {
    static const bool done = [] {
        registerResources();
        return true;
    }();
    Q_UNUSED(done);
}

void ensureFonts() {
    if (!qGuiApp) return;
    static const bool done = [] {
        ensureResources();
        for (const char* weight : {"Regular", "Medium", "SemiBold"})
            QFontDatabase::addApplicationFont(QStringLiteral(":/assay/fonts/AssayInter-%1.otf").arg(QLatin1String(weight)));
        return true;
    }();
    Q_UNUSED(done);
}

QFont font(Type type) {
    ensureFonts();
    switch (type) {
        case Type::kSecondary: return made(12, QFont::Normal);
        case Type::kSmall: return made(11, QFont::Normal);
        case Type::kCardTitle: return made(13, QFont::Medium);
        case Type::kTitle:
        case Type::kFigure: {
            QFont font = made(18, QFont::DemiBold);
            font.setLetterSpacing(QFont::AbsoluteSpacing, -0.3);
            return font;
        }
        case Type::kMono: {
            QFont font;
            font.setFamilies({monoFamily(), QStringLiteral("Noto Sans Mono CJK SC"), QStringLiteral("Noto Sans CJK SC")});
            font.setStyleHint(QFont::Monospace);
            font.setFixedPitch(true);
            font.setPixelSize(12);
            return font;
        }
        case Type::kBody: break;
    }
    return made(13, QFont::Normal);
}

}  // namespace assay::style
