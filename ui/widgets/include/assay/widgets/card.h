#pragma once
// The surfaces a page is made of: cards in a grid, a header above them, figures and badges inside.

#include <assay/style/tokens.h>

#include <QFrame>
#include <QLabel>
#include <optional>

class QHBoxLayout;
class QPushButton;
class QVBoxLayout;

namespace assay::widgets {

// White surface with a 1-px line; a header row (title left, what is added right) and a body.
class Card final : public QFrame {
    Q_OBJECT
public:
    explicit Card(const QString& title = {}, QWidget* parent = nullptr);   // empty title: no header row
    void setTitle(const QString& title);
    void setNote(const QString& text);          // secondary text at the right of the header
    void addHeaderWidget(QWidget* widget);      // at the right, before earlier ones stay
    QVBoxLayout* body();                        // padding kCardPadding
    void setBodyMargins(int margin);            // 0 for tables, editors and charts that touch the line: they lose their frame

protected:
    bool event(QEvent* event) override;

private:
    void ensureHeader();
    void flatten();
    bool bare_ = false;
    QLabel* title_ = nullptr;
    QLabel* note_ = nullptr;
    QWidget* header_ = nullptr;
    QHBoxLayout* headerRow_ = nullptr;
    QVBoxLayout* body_ = nullptr;
};

// Title of a page, badges beside it, buttons at the right.
class PageHeader final : public QWidget {
    Q_OBJECT
public:
    explicit PageHeader(const QString& title, QWidget* parent = nullptr);
    void setTitle(const QString& title);        // elided in the middle; full text as tool tip
    void addBadge(QWidget* badge);
    void addAction(QWidget* button);
    void addLeading(QWidget* widget);           // before the title, e.g. a back button

private:
    QLabel* title_;
    QHBoxLayout* badges_;
    QHBoxLayout* actions_;
    QHBoxLayout* leading_;
};

// One text line that elides and never interprets markup. Use it for everything that came from data.
class PlainLabel : public QLabel {
    Q_OBJECT
public:
    explicit PlainLabel(const QString& text = {}, QWidget* parent = nullptr, style::Type type = style::Type::kBody);
    void setFullText(const QString& text);
    void setElideMode(Qt::TextElideMode mode);
    void setTone(style::Tone tone);
    void setDim(int level);                     // 0 text, 2 text2, 3 text3
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    QString full_;
    Qt::TextElideMode mode_ = Qt::ElideRight;
    style::Type type_;
    int dim_ = 0;
    std::optional<style::Tone> tone_;
};

class Badge final : public QWidget {   // rounded, small; tone says state
    Q_OBJECT
public:
    explicit Badge(const QString& text = {}, style::Tone tone = style::Tone::kNeutral, QWidget* parent = nullptr);
    void set(const QString& text, style::Tone tone);
    QSize sizeHint() const override;
    QString text() const { return text_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString text_;
    style::Tone tone_;
};

// Small caption, big figure, small remark.
class StatTile final : public QWidget {
    Q_OBJECT
public:
    explicit StatTile(const QString& caption, QWidget* parent = nullptr);
    void set(const QString& figure, const QString& remark = {});
    void setTone(style::Tone tone);

private:
    QLabel *caption_, *figure_, *remark_;
};

// "Nothing here yet": icon, one sentence, one button.
class EmptyState final : public QWidget {
    Q_OBJECT
public:
    EmptyState(const QString& icon, const QString& sentence, const QString& button, QWidget* parent = nullptr);
    void set(const QString& sentence, const QString& button);
Q_SIGNALS:
    void clicked();

private:
    QLabel *icon_, *sentence_;
    QPushButton* button_;
};

// What happened, why, what to do; details fold out; copy button. Hidden until it has something to say.
class ErrorPanel final : public QFrame {
    Q_OBJECT
public:
    explicit ErrorPanel(QWidget* parent = nullptr);
    void show(const QString& what, const QString& hint, const QString& technical = {});
    void showWarning(const QString& what, const QString& hint, const QString& action = {});
    void clear();
Q_SIGNALS:
    void actionClicked();

private:
    struct Private;
    Private* d_;
};

}  // namespace assay::widgets
