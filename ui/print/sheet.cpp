#include "sheet.h"

#include <assay/charts/frame.h>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QTextOption>
#include <algorithm>
#include <cmath>

namespace assay::print {
namespace {

constexpr double kScale = 12.5;   // device units a pixel: 1,200 dpi
constexpr int kWrap = Qt::TextWordWrap;
constexpr double kPad = 5;

// Between words; inside a word only when it is wider than the line, as hashes and long names are.
QTextOption wrapping(int alignment) {
    QTextOption option{static_cast<Qt::Alignment>(alignment)};
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    return option;
}

QFont sized(QFont font, double pixels, QFont::Weight weight = QFont::Normal) {
    font.setPixelSize(static_cast<int>(std::lround(pixels)));
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

}  // namespace

Sheet::Sheet(QPdfWriter& writer, const QString& title, const QString& footer, int pages)
    : writer_(writer), title_(title), footer_(footer), tokens_(style::tokens(style::Theme::kLight)), pagesTotal_(pages) {
    writer_.setResolution(1200);
    writer_.setPageSize(QPageSize(QPageSize::A4));
    writer_.setPageMargins(QMarginsF(0, 0, 0, 0));
    painter_.begin(&writer_);
    painter_.scale(kScale, kScale);
    right_ = writer_.width() / kScale - left_;
    pageHeight_ = writer_.height() / kScale;
    bottom_ = pageHeight_ - 56;
    y_ = top_;
    small_ = sized(style::font(style::Type::kSmall), 10);
    body_ = sized(style::font(style::Type::kBody), 11);
    strong_ = sized(style::font(style::Type::kBody), 13, QFont::DemiBold);
    mono_ = sized(style::font(style::Type::kMono), 10);
    figure_ = sized(style::font(style::Type::kFigure), 16, QFont::DemiBold);
    figure_.setLetterSpacing(QFont::AbsoluteSpacing, 0);   // drawn tighter, a copied figure loses its space before %
}

Sheet::~Sheet() {
    if (!painter_.isActive()) return;
    footer();
    painter_.end();
}

void Sheet::footer() {
    const double y = pageHeight_ - 40;
    painter_.setPen(QPen(tokens_.line, 0.75));
    painter_.drawLine(QPointF(left_, y - 4), QPointF(right_, y - 4));
    text(QRectF(left_, y, width() - 90, 16), charts::label(footer_, small_, width() - 96), small_, tokens_.text2, Qt::AlignLeft | Qt::AlignVCenter);
    text(QRectF(right_ - 90, y, 90, 16), QCoreApplication::translate("print", "page %1 of %2").arg(page_).arg(std::max(page_, pagesTotal_)), small_, tokens_.text2, Qt::AlignRight | Qt::AlignVCenter);
    if (page_ > 1) {
        text(QRectF(left_, 22, width(), 14), charts::label(title_, small_, width()), small_, tokens_.text3, Qt::AlignLeft | Qt::AlignVCenter);
    }
}

void Sheet::newPage() {
    footer();
    writer_.newPage();
    ++page_;
    y_ = top_;
}

void Sheet::need(double height) {
    if (y_ + height > bottom_ && y_ > top_) newPage();
}

void Sheet::space(double height) { y_ += height; }

double Sheet::textHeight(const QString& text, const QFont& font, double width) {
    painter_.setFont(font);
    return std::ceil(painter_.boundingRect(QRectF(0, 0, width, 1e6), text, wrapping(Qt::AlignLeft)).height());
}

void Sheet::text(const QRectF& rect, const QString& text, const QFont& font, const QColor& color, int flags) {
    painter_.setFont(font);
    painter_.setPen(color);
    if (flags & kWrap) painter_.drawText(rect, text, wrapping(flags & ~kWrap));
    else painter_.drawText(rect, flags, text);
}

void Sheet::heading(const QString& words, const QString& hint, double keep) {
    need(30 + keep);
    y_ += 14;
    const double width = QFontMetricsF(strong_).horizontalAdvance(words);
    text(QRectF(left_, y_, this->width(), 18), words, strong_, tokens_.text, Qt::AlignLeft | Qt::AlignVCenter);
    if (!hint.isEmpty()) text(QRectF(left_ + width + 12, y_ + 1, this->width() - width - 12, 18), hint, small_, tokens_.text2, Qt::AlignLeft | Qt::AlignVCenter);
    y_ += 20;
    painter_.setPen(QPen(tokens_.line, 0.75));
    painter_.drawLine(QPointF(left_, y_), QPointF(right_, y_));
    y_ += 6;
}

void Sheet::paragraph(const QString& words, const QFont& font, const QColor& color) {
    if (words.isEmpty()) return;
    QFont used = sized(font, std::max(10, font.pixelSize()), static_cast<QFont::Weight>(font.weight()));
    used.setLetterSpacing(QFont::AbsoluteSpacing, 0);   // it would be scaled with the page
    const double height = textHeight(words, used, width());
    need(std::min(height, bottom_ - top_));
    text(QRectF(left_, y_, width(), height + 2), words, used, color, Qt::AlignLeft | kWrap);
    y_ += height + 3;
}

void Sheet::facts(const std::vector<std::pair<QString, QString>>& facts) {
    if (facts.empty()) return;
    need(44);
    const double room = width() / static_cast<double>(std::max<size_t>(4, facts.size()));
    for (size_t i = 0; i < facts.size(); ++i) {
        const double x = left_ + room * static_cast<double>(i);
        text(QRectF(x, y_, room - 6, 14), facts[i].first, small_, tokens_.text2, Qt::AlignLeft | Qt::AlignVCenter);
        text(QRectF(x, y_ + 14, room - 6, 22), facts[i].second, figure_, tokens_.text, Qt::AlignLeft | Qt::AlignVCenter);
    }
    y_ += 44;
}

void Sheet::definitions(const std::vector<std::pair<QString, QString>>& rows) {
    const double term = 150;
    for (const auto& [name, words] : rows) {
        const double height = std::max(textHeight(words, small_, width() - term - 10), textHeight(name, small_, term)) + 5;
        need(height);
        QFont bold = small_;
        bold.setWeight(QFont::Medium);
        text(QRectF(left_, y_, term, height), name, bold, tokens_.text, Qt::AlignLeft | kWrap);
        text(QRectF(left_ + term + 10, y_, width() - term - 10, height), words, small_, tokens_.text2, Qt::AlignLeft | kWrap);
        y_ += height;
    }
}

void Sheet::tableHeader(const std::vector<Column>& columns, const std::vector<double>& edges) {
    double height = 0;
    for (size_t c = 0; c < columns.size(); ++c) {
        const QString words = columns[c].unit.isEmpty() ? columns[c].title : columns[c].title + QLatin1Char('\n') + columns[c].unit;
        height = std::max(height, textHeight(words, small_, edges[c + 1] - edges[c] - 2 * kPad));
    }
    for (size_t c = 0; c < columns.size(); ++c) {
        const QString words = columns[c].unit.isEmpty() ? columns[c].title : columns[c].title + QLatin1Char('\n') + columns[c].unit;
        text(QRectF(edges[c] + kPad, y_, edges[c + 1] - edges[c] - 2 * kPad, height), words, small_, tokens_.text2, (columns[c].right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBottom | kWrap);
    }
    y_ += height + 4;
    painter_.setPen(QPen(tokens_.text3, 0.75));
    painter_.drawLine(QPointF(left_, y_), QPointF(right_, y_));
}

void Sheet::table(const std::vector<Column>& columns, const std::vector<Row>& rows) {
    double fixed = 0;
    int shared = 0;
    for (const Column& column : columns) column.width > 0 ? fixed += column.width : ++shared;
    std::vector<double> edges{left_};
    for (const Column& column : columns) edges.push_back(edges.back() + (column.width > 0 ? column.width : (width() - fixed) / std::max(shared, 1)));
    need(60);
    tableHeader(columns, edges);
    auto fontOf = [&](const Column& column) { return column.mono ? mono_ : small_; };
    for (const Row& row : rows) {
        const double indent = row.marker >= 0 ? 14 : 0;
        double height = 12;
        std::vector<double> heights;
        for (size_t c = 0; c < columns.size() && c < static_cast<size_t>(row.cells.size()); ++c) {
            heights.push_back(textHeight(row.cells[static_cast<int>(c)], fontOf(columns[c]), edges[c + 1] - edges[c] - 2 * kPad - (c == 0 ? indent : 0)));
            height = std::max(height, heights.back() + (c == 0 && !row.badges.isEmpty() ? 13 : 0));
        }
        height = std::min(height, bottom_ - top_ - 80) + 7;
        if (y_ + height > bottom_) {
            newPage();
            tableHeader(columns, edges);
        }
        if (row.best) painter_.fillRect(QRectF(left_, y_ + 0.5, width(), height - 0.5), tokens_.accentBackground);
        if (row.marker >= 0) {
            painter_.setRenderHint(QPainter::Antialiasing, true);
            const auto& data = tokens_.data;
            charts::drawMarker(painter_, row.marker, QPointF(left_ + kPad + 4, y_ + 3.5 + QFontMetricsF(small_).height() / 2), 3.6, data[static_cast<size_t>(row.marker) % data.size()], tokens_.surface);
        }
        for (size_t c = 0; c < columns.size() && c < static_cast<size_t>(row.cells.size()); ++c) {
            const double shift = c == 0 ? indent : 0;
            const QRectF cell(edges[c] + kPad + shift, y_ + 3.5, edges[c + 1] - edges[c] - 2 * kPad - shift, height - 7);
            const QString& words = row.cells[static_cast<int>(c)];
            const bool dim = words == QLatin1String("not measured") || words == QStringLiteral("—");
            text(cell, words, fontOf(columns[c]), dim ? tokens_.text2 : tokens_.text, (columns[c].right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop | kWrap);
            if (c == 0 && !row.badges.isEmpty()) {
                QFont tiny = sized(small_, 9);
                text(QRectF(cell.left(), cell.top() + heights[0], cell.width() + 40, 13), row.badges, tiny, row.best ? tokens_.accent : tokens_.text2, Qt::AlignLeft | Qt::AlignVCenter);
            }
        }
        y_ += height;
        painter_.setPen(QPen(tokens_.line, 0.75));
        painter_.drawLine(QPointF(left_, y_), QPointF(right_, y_));
    }
    y_ += 6;
}

void Sheet::drawing(double height, const std::function<void(QPainter&, const QRectF&)>& draw) {
    need(height);
    painter_.save();
    draw(painter_, QRectF(left_, y_, width(), height));
    painter_.restore();
    y_ += height + 4;
}

void Sheet::twoDrawings(double height, const std::function<void(QPainter&, const QRectF&)>& a, const std::function<void(QPainter&, const QRectF&)>& b) {
    need(height);
    const double half = (width() - 14) / 2;
    painter_.save();
    a(painter_, QRectF(left_, y_, half, height));
    painter_.restore();
    if (b) {
        painter_.save();
        b(painter_, QRectF(left_ + half + 14, y_, half, height));
        painter_.restore();
    }
    y_ += height + 4;
}

}  // namespace assay::print
