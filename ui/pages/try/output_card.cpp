#include "output_card.h"

#include <assay/models/format.h>
#include <assay/models/run_text.h>
#include <assay/style/theme_notifier.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/text_views.h>

#include <QLocale>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>

namespace assay::pages {
namespace {

constexpr int kMostLogits = 4;

}  // namespace

OutputCard::OutputCard(int side, QWidget* parent) : QWidget(parent), card_(new widgets::Card(tr("Output"), this)) {
    const QString suffix = QString::number(side + 1);
    setObjectName(QStringLiteral("try-output-") + suffix);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card_);
    card_->setBodyMargins(0);
    card_->body()->setSpacing(0);
    status_ = new widgets::Badge({}, style::Tone::kNeutral, this);
    status_->setObjectName(QStringLiteral("try-status-") + suffix);
    card_->addHeaderWidget(status_);
    open_ = widgets::makeButton({}, widgets::ButtonKind::kQuiet, QStringLiteral("external"), this);
    open_->setObjectName(QStringLiteral("try-open-") + suffix);
    open_->setAccessibleName(tr("Open the run"));
    open_->setToolTip(tr("Open the run"));
    connect(open_, &QPushButton::clicked, this, &OutputCard::openRun);
    card_->addHeaderWidget(open_);
    error_ = new widgets::ErrorPanel(this);
    error_->setObjectName(QStringLiteral("try-error-") + suffix);
    card_->body()->addWidget(error_);
    text_ = new QPlainTextEdit(this);
    text_->setObjectName(QStringLiteral("try-text-") + suffix);
    text_->setAccessibleName(tr("Generated text"));
    text_->setReadOnly(true);
    text_->setFrameShape(QFrame::NoFrame);
    text_->setStyleSheet(QStringLiteral("QPlainTextEdit { border: 0; }"));   // the card has the line
    text_->setTabChangesFocus(true);
    text_->document()->setDocumentMargin(12);
    card_->body()->addWidget(text_, 1);
    figures_ = new widgets::PlainLabel({}, this, style::Type::kSmall);
    figures_->setObjectName(QStringLiteral("try-figures-") + suffix);
    figures_->setDim(2);
    figures_->setContentsMargins(12, 6, 12, 6);
    card_->body()->addWidget(figures_);
    using Column = models::JsonTableModel::Column;
    model_ = new models::JsonTableModel(
        {Column{.key = QStringLiteral("rank"), .title = tr("Rank"), .tip = {}, .text = [](const Json& row) { return QString::number(jsonIntegerOr(row, "id", 0) + 1); }, .number = [](const Json& row) { return jsonDoubleOr(row, "id", 0) + 1; }},
         Column{.key = QStringLiteral("text"), .title = tr("Token text"), .tip = tr("The most likely first tokens after the prompt; spaces are shown as ·"), .text = [](const Json& row) { return QString::fromStdString(jsonStringOr(row, "text", "")); }, .number = {}},
         Column{.key = QStringLiteral("token"), .title = tr("Token id"), .tip = tr("Its number in the vocabulary"), .text = [](const Json& row) { return QString::number(jsonIntegerOr(row, "token", 0)); },
                .number = [](const Json& row) { return jsonDoubleOr(row, "token", 0); }},
         Column{.key = QStringLiteral("logit"), .title = tr("Logit"), .tip = {}, .text = [](const Json& row) { return QLocale().toString(numberFromJson(row.value("logit", Json())), 'f', 3); },
                .number = [](const Json& row) { return numberFromJson(row.value("logit", Json())); }},
         Column{.key = QStringLiteral("share"), .title = tr("Share of listed"), .tip = tr("Probability among the tokens listed here; the rest of the vocabulary is not counted"),
                .text = [](const Json& row) { return models::formatPercent(jsonDoubleOr(row, "share", 0)); }, .number = [](const Json& row) { return jsonDoubleOr(row, "share", 0); }}},
        this);
    top_ = new widgets::TableView(this);
    top_->setObjectName(QStringLiteral("try-top-") + suffix);
    top_->setAccessibleName(tr("Largest logits after the prompt"));
    top_->setModel(model_);
    card_->body()->addWidget(top_);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, [this] { mark(from_); });
    clear();
}

void OutputCard::clear() {
    card_->setTitle(tr("Output"));
    status_->hide();
    open_->hide();
    error_->clear();
    text_->clear();
    text_->setPlaceholderText(tr("What the model writes appears here."));
    figures_->hide();
    top_->hide();
    from_ = -1;
}

void OutputCard::set(const presenters::TryPresenter::Side& side, size_t index) {
    card_->setTitle(side.modelName.isEmpty() ? (index == 0 ? tr("First model") : tr("Second model")) : side.modelName);
    status_->setVisible(!side.status.isEmpty());
    status_->set(side.status == QLatin1String("sending") ? tr("sending") : models::statusText(side.status), static_cast<style::Tone>(models::statusTone(side.status)));
    open_->setVisible(!side.run.isEmpty());
    error_->clear();
    if (side.error) error_->show(models::plain(QString::fromStdString(side.error->message)), models::plain(QString::fromStdString(side.error->hint)));
    text_->setPlaceholderText(side.isActive() ? tr("Waiting for the first token…") : QString());
    if (text_->toPlainText() != side.text) {
        // Follows the end while it grows, unless someone has scrolled up to read.
        const bool atEnd = text_->verticalScrollBar()->value() >= text_->verticalScrollBar()->maximum();
        text_->setPlainText(side.text);
        if (atEnd && side.isActive()) text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->maximum());
    }
    mark(side.differsAt);
    QStringList figures;
    if (side.tokens > 0) figures << tr("%n token(s)", nullptr, static_cast<int>(side.tokens));
    if (side.tokensPerSecond > 0) figures << tr("%1 tokens/s").arg(models::formatNumber(side.tokensPerSecond, 3));
    if (side.promptTokens > 0) figures << tr("%n prompt token(s)", nullptr, static_cast<int>(side.promptTokens));
    if (!side.stopReason.isEmpty()) figures << tr("stopped by: %1").arg(side.stopReason);
    figures_->setFullText(figures.join(QStringLiteral(" · ")));
    figures_->setVisible(!figures.isEmpty());
    QList<Json> rows;
    for (const auto& one : side.top) rows.append(Json{{"id", rows.size()}, {"token", one.id}, {"text", (one.text.isEmpty() ? models::notMeasured() : widgets::tokenText(one.text)).toStdString()}, {"logit", jsonNumber(one.logit)}, {"share", one.probability}});
    model_->setRows(rows);
    top_->setVisible(!rows.isEmpty());
    top_->fitHeight(kMostLogits);
}

// From the first token that differs on. Text is only coloured, never made into markup.
void OutputCard::mark(int from) {
    from_ = from;
    QList<QTextEdit::ExtraSelection> marks;
    if (from >= 0 && from < text_->document()->characterCount() - 1) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(text_->document());
        mark.cursor.setPosition(from);
        mark.cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
        mark.format.setBackground(style::toneBackground(style::Tone::kWarn));
        mark.format.setForeground(style::toneText(style::Tone::kWarn));
        marks.append(mark);
    }
    text_->setExtraSelections(marks);
}

}  // namespace assay::pages
