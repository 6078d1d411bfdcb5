#pragma once
// Pages of A4 that fill from the top: text, tables and drawings one below the other. Lengths are CSS pixels (1/96 inch).

#include <assay/style/tokens.h>

#include <QPainter>
#include <QPdfWriter>
#include <QStringList>
#include <functional>
#include <vector>

namespace assay::print {

struct Column {
    QString title, unit;
    bool right = false;       // numbers
    double width = 0;         // 0: shares what is left
    bool mono = false;
};
struct Row {
    QStringList cells;
    int marker = -1;          // data colour and shape before the first cell
    bool best = false;        // shaded
    QString badges;           // small, below the first cell
};

class Sheet {
public:
    // `pages`: how many there will be, for the footers; 0 while they are counted.
    Sheet(QPdfWriter& writer, const QString& title, const QString& footer, int pages);
    ~Sheet();

    double width() const { return right_ - left_; }
    double left() const { return left_; }
    double roomBelow() const { return bottom_ - y_; }
    QPainter& painter() { return painter_; }
    int pages() const { return page_; }

    void space(double height);
    void heading(const QString& text, const QString& hint = {}, double keep = 80);   // with at least `keep` below it on the page
    void paragraph(const QString& text, const QFont& font, const QColor& color);
    void facts(const std::vector<std::pair<QString, QString>>& facts);               // big figures with small names above
    void definitions(const std::vector<std::pair<QString, QString>>& rows);          // term left, text right
    void table(const std::vector<Column>& columns, const std::vector<Row>& rows);    // breaks over pages, headers repeated
    void drawing(double height, const std::function<void(QPainter&, const QRectF&)>& draw);
    void twoDrawings(double height, const std::function<void(QPainter&, const QRectF&)>& a, const std::function<void(QPainter&, const QRectF&)>& b);

private:
    void newPage();
    void footer();
    void need(double height);   // a new page when there is less
    double textHeight(const QString& text, const QFont& font, double width);
    void text(const QRectF& rect, const QString& text, const QFont& font, const QColor& color, int flags);
    void tableHeader(const std::vector<Column>& columns, const std::vector<double>& edges);

    QPdfWriter& writer_;
    QPainter painter_;
    QString title_, footer_;
    style::Tokens tokens_;
    QFont small_, body_, strong_, mono_, figure_;
    int page_ = 1, pagesTotal_;
    double left_ = 48, right_ = 0, top_ = 44, bottom_ = 0, pageHeight_ = 0, y_ = 0;
};

}  // namespace assay::print
