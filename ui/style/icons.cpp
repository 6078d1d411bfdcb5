#include <assay/style/icons.h>

#include "fonts.h"

#include <assay/style/tokens.h>

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace assay::style {
namespace {

QByteArray drawing(const QString& name) {
    static QHash<QString, QByteArray> drawings;  // GUI thread
    const auto known = drawings.constFind(name);
    if (known != drawings.constEnd()) return *known;
    ensureResources();
    QFile file(QStringLiteral(":/assay/icons/%1.svg").arg(name));
    QByteArray bytes;
    if (file.open(QIODevice::ReadOnly)) bytes = file.readAll();
    drawings.insert(name, bytes);
    return bytes;
}

void drawPlaceholder(QPainter& painter, const QRectF& rect) {
#ifndef NDEBUG
    painter.fillRect(rect.adjusted(2, 2, -2, -2), QColor(0xFF00FF));
#else
    Q_UNUSED(painter);
    Q_UNUSED(rect);
#endif
}

void drawTinted(QPainter& painter, const QString& name, const QColor& color, const QRectF& rect) {
    QByteArray svg = drawing(name);
    if (svg.isEmpty()) return drawPlaceholder(painter, rect);
    const QByteArray tint = color.name(QColor::HexRgb).toLatin1();
    svg.replace("currentColor", tint).replace("#000", tint);
    QSvgRenderer renderer(svg);
    painter.save();
    painter.setOpacity(painter.opacity() * color.alphaF());
    renderer.render(&painter, rect);
    painter.restore();
}

QColor colorOf(QIcon::Mode mode, QIcon::State state) {
    if (mode == QIcon::Disabled) return tokens().text3;
    if (mode == QIcon::Selected || state == QIcon::On) return tokens().accent;
    return tokens().text2;
}

// Draws with the colours of the present theme each time, so that a theme switch needs no new icon.
class TintedEngine final : public QIconEngine {
public:
    explicit TintedEngine(QString name) : name_(std::move(name)) {}
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const int side = qMin(rect.width(), rect.height());
        const QRectF square(rect.x() + (rect.width() - side) / 2.0, rect.y() + (rect.height() - side) / 2.0, side, side);
        drawTinted(*painter, name_, colorOf(mode, state), square);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override { return scaledPixmap(size, mode, state, 1); }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
        return style::pixmap(name_, colorOf(mode, state), qMin(size.width(), size.height()), 1);  // size is in device pixels
    }
    QString iconName() override { return name_; }
    QString key() const override { return QStringLiteral("assay"); }
    QIconEngine* clone() const override { return new TintedEngine(name_); }

private:
    QString name_;
};

}  // namespace

QIcon icon(const QString& name) {
    return QIcon(new TintedEngine(name));
}

QPixmap pixmap(const QString& name, const QColor& color, int size, qreal devicePixelRatio) {
    const QString key = QStringLiteral("assay/%1/%2/%3/%4").arg(name, color.name(QColor::HexArgb)).arg(size).arg(devicePixelRatio);
    QPixmap picture;
    if (QPixmapCache::find(key, &picture)) return picture;
    picture = QPixmap(QSize(size, size) * devicePixelRatio);
    picture.setDevicePixelRatio(devicePixelRatio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    drawTinted(painter, name, color, QRectF(0, 0, size, size));
    painter.end();
    QPixmapCache::insert(key, picture);
    return picture;
}

}  // namespace assay::style
