#include <assay/widgets/bar_rows.h>

#include <assay/style/theme_notifier.h>

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "label_style.h"

namespace assay::widgets {
namespace {

constexpr int kBarRowHeight = 22, kBarRowGap = 8, kLeastBar = 48;

double spanOf(const BarRows::Row& row) {
    double most = std::isfinite(row.value) ? row.value : 0;
    if (std::isfinite(row.expected)) most = std::max(most, row.expected * (1 + row.band));
    return std::max(most, 0.0);
}

QColor toneBar(style::Tone tone) {
    const style::Tokens& t = style::tokens();
    switch (tone) {
        case style::Tone::kGood: return t.good;
        case style::Tone::kWarn: return t.warn;
        case style::Tone::kBad: return t.bad;
        case style::Tone::kNeutral: return t.text3;
        case style::Tone::kAccent: break;
    }
    return t.accent;
}

}  // namespace

BarRows::BarRows(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("bar-rows"));
    setFont(style::font(style::Type::kSecondary));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, qOverload<>(&QWidget::update));
}

void BarRows::setRows(std::vector<Row> rows, bool oneScale) {
    rows_ = std::move(rows);
    oneScale_ = oneScale;
    QStringList said;
    for (Row& row : rows_) {
        row.label = oneLine(row.label);
        row.text = oneLine(row.text);
        said << (row.text.isEmpty() ? row.label : row.label + QLatin1Char(' ') + row.text);
    }
    setAccessibleDescription(said.join(QStringLiteral(" · ")));
    updateGeometry();
    update();
}

QSize BarRows::sizeHint() const { return {260, kBarRowHeight * static_cast<int>(rows_.size())}; }
QSize BarRows::minimumSizeHint() const { return {160, sizeHint().height()}; }

void BarRows::paintEvent(QPaintEvent*) {
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    // One column of names and one of figures, as wide as the widest; the bars have what is left, names give way first.
    int names = 0, figures = 0;
    double most = 0;
    for (const Row& row : rows_) {
        names = std::max(names, fontMetrics().horizontalAdvance(row.label) + 1);
        figures = std::max(figures, row.text.isEmpty() ? 0 : fontMetrics().horizontalAdvance(row.text) + 1 + kBarRowGap);
        most = std::max(most, spanOf(row));
    }
    names = std::max(0, std::min(names, width() - figures - kBarRowGap - kLeastBar));
    const double left = names + kBarRowGap, room = std::max(0.0, width() - left - figures);
    int y = 0;
    for (const Row& row : rows_) {
        painter.setPen(row.strong ? t.text : t.text2);
        painter.drawText(QRect(0, y, names, kBarRowHeight), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, fontMetrics().elidedText(row.label, Qt::ElideRight, names));
        if (!row.text.isEmpty()) {
            painter.setPen(t.text);
            painter.drawText(QRect(width() - figures, y, figures, kBarRowHeight), Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, row.text);
        }
        const double scale = (oneScale_ ? most : spanOf(row)) > 0 ? room / (oneScale_ ? most : spanOf(row)) : 0;
        const bool expects = std::isfinite(row.expected);
        const double middle = y + kBarRowHeight / 2.0;
        painter.setPen(Qt::NoPen);
        if (expects && row.band > 0) {
            const double from = row.expected * std::max(0.0, 1 - row.band) * scale, to = row.expected * (1 + row.band) * scale;
            painter.setBrush(t.sunken);
            painter.drawRect(QRectF(left + from, middle - 7, std::max(1.0, to - from), 14));
        }
        const auto bar = [&](double value, double top, double height, const QColor& color) {
            if (!std::isfinite(value) || value <= 0) return;
            painter.setBrush(color);
            painter.drawRoundedRect(QRectF(left, top, std::max(2.0, value * scale), height), std::min(2.0, height / 2), std::min(2.0, height / 2));
        };
        if (expects) bar(row.expected, middle - 6, 5, t.text3);
        bar(row.value, expects ? middle + 1 : middle - 3, expects ? 5 : 6, toneBar(row.tone));
        y += kBarRowHeight;
    }
}

}  // namespace assay::widgets
