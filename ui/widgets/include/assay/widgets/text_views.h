#pragma once
// Views of text: logs, YAML, tokens. All plain text.

#include <QPlainTextEdit>
#include <QWidget>
#include <vector>

class QLineEdit;

namespace assay::widgets {

// A log that follows its end unless scrolled up; search; at most some MB in memory, older text asked for when reached.
class LogView final : public QWidget {
    Q_OBJECT
public:
    explicit LogView(QWidget* parent = nullptr);
    void clear();
    void append(const QString& text);
    void prepend(const QString& text);
    QString text() const;
Q_SIGNALS:
    void olderNeeded();

private:
    QPlainTextEdit* edit_;
    QLineEdit* search_;
};

// YAML with line numbers, colours, error marks in the gutter and under the text, completion of keys.
class YamlEditor final : public QPlainTextEdit {
    Q_OBJECT
public:
    struct Mark {
        int line = 0, column = 0;   // 1-based
        QString message;
        bool error = true;          // else a warning
    };
    explicit YamlEditor(QWidget* parent = nullptr);
    void setMarks(std::vector<Mark> marks);
    void highlightLine(int line);                     // the line of the field under the cursor in the form; 0: none
    void setCompletions(const QStringList& keys);
    void replaceText(const QString& text);            // one undo step; keeps the cursor where the text allows
    // A long text comes piece by piece, so that the window lives; until filled() nobody can write, and the text is a part.
    bool isFilling() const;
    void finishFilling();                             // now
    static constexpr qsizetype kMostCharacters = qsizetype{1} << 20;   // what an experiment file may hold; longer pastes are refused
    static constexpr qsizetype kLongestLine = 65'536;
    void gotoPlace(int line, int column);
    int gutterWidth() const;

Q_SIGNALS:
    void filled();
    void pasteRefused(qsizetype characters);          // nothing was changed

protected:
    void insertFromMimeData(const QMimeData* source) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;               // tool tips of marks

private:
    friend class YamlGutter;
    void paintGutter(QPaintEvent* event);
    struct Private;
    Private* d_;
};

// What a token looks like: spaces as ·, line breaks as ↵, tabs as →, other control characters by their code.
QString tokenText(const QString& text);

// What the model sees: one box a token, coloured by whether it carries loss; special tokens and document borders marked.
class TokenView final : public QWidget {
    Q_OBJECT
public:
    struct Token {
        QString text;
        int id = 0;
        bool loss = false, special = false, border = false;   // border: a new document begins before it
    };
    explicit TokenView(QWidget* parent = nullptr);
    void setTokens(std::vector<Token> tokens);
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;   // id and bytes as a tool tip

private:
    int layoutTokens(int width);
    std::vector<Token> tokens_;
    std::vector<QRect> boxes_;
    int laidOutWidth_ = -1, height_ = 0;
};

}  // namespace assay::widgets
