#include "view_card.h"

#include <assay/widgets/text_views.h>

#include <QHBoxLayout>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>
#include <limits>

namespace assay::pages {
namespace {

std::vector<widgets::TokenView::Token> tokensOf(const Json& view) {
    std::vector<widgets::TokenView::Token> tokens;
    const auto list = view.is_object() ? view.find("tokens") : view.end();
    if (!view.is_object() || list == view.end() || !list->is_array()) return tokens;
    tokens.reserve(list->size());
    for (const Json& token : *list)
        if (token.is_object())
            tokens.push_back({QString::fromStdString(jsonStringOr(token, "text", "")), static_cast<int>(jsonIntegerOr(token, "id", 0)), jsonBoolOr(token, "loss", false),
                              jsonBoolOr(token, "special", false), jsonBoolOr(token, "border", false)});
    return tokens;
}

QString lineText(const Json& part) {
    const qint64 line = jsonIntegerOr(part, "line", 0);
    return line > 0 ? models::formatCount(static_cast<double>(line)) : QString();
}

}  // namespace

ViewCard::ViewCard(presenters::DataPresenter& presenter, QWidget* parent) : QWidget(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("data-view"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    card_ = new widgets::Card(tr("The model's view"), this);
    all->addWidget(card_);
    auto* chooser = new QWidget(card_);
    auto* line = new QHBoxLayout(chooser);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    auto* word = new widgets::PlainLabel(tr("Sequence"), chooser, style::Type::kSecondary);
    word->setDim(2);
    previous_ = widgets::makeButton({}, widgets::ButtonKind::kQuiet, QStringLiteral("chevron-left"), chooser);
    previous_->setObjectName(QStringLiteral("data-view-previous"));
    previous_->setAccessibleName(tr("Previous sequence"));
    previous_->setToolTip(tr("Previous sequence"));
    row_ = new QSpinBox(chooser);
    row_->setObjectName(QStringLiteral("data-view-row"));
    row_->setAccessibleName(tr("Sequence"));
    nameField(row_);
    row_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    row_->setGroupSeparatorShown(true);
    row_->setRange(1, std::numeric_limits<int>::max());
    row_->setFixedWidth(72);
    row_->setAlignment(Qt::AlignRight);
    row_->setKeyboardTracking(false);
    of_ = new widgets::PlainLabel({}, chooser, style::Type::kSecondary);
    of_->setDim(2);
    next_ = widgets::makeButton({}, widgets::ButtonKind::kQuiet, QStringLiteral("chevron-right"), chooser);
    next_->setObjectName(QStringLiteral("data-view-next"));
    next_->setAccessibleName(tr("Next sequence"));
    next_->setToolTip(tr("Next sequence"));
    for (QPushButton* button : {previous_, next_}) button->setFixedWidth(28);
    line->addWidget(word);
    line->addWidget(previous_);
    line->addWidget(row_);
    line->addWidget(of_);
    line->addWidget(next_);
    card_->addHeaderWidget(chooser);
    connect(previous_, &QPushButton::clicked, this, [this] { presenter_.setViewRow(presenter_.viewRow() - 1); });
    connect(next_, &QPushButton::clicked, this, [this] { presenter_.setViewRow(presenter_.viewRow() + 1); });
    connect(row_, qOverload<int>(&QSpinBox::valueChanged), this, [this](int row) { presenter_.setViewRow(row); });

    error_ = new widgets::ErrorPanel(card_);
    error_->setObjectName(QStringLiteral("data-view-error"));
    card_->body()->addWidget(error_);
    progress_ = new widgets::ProgressLine(card_);
    card_->body()->addWidget(progress_);
    scroll_ = new QScrollArea(card_);
    scroll_->setObjectName(QStringLiteral("data-view-scroll"));
    scroll_->setAccessibleName(tr("Tokens of the sequence"));
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->viewport()->setAutoFillBackground(false);
    auto* inside = new QWidget(scroll_);
    auto* inner = new QVBoxLayout(inside);
    inner->setContentsMargins(0, 0, 0, 0);
    tokens_ = new widgets::TokenView(inside);
    inner->addWidget(tokens_);
    inner->addStretch(1);
    scroll_->setWidget(inside);
    inside->setAutoFillBackground(false);   // the scroll area wants to fill it
    card_->body()->addWidget(scroll_, 1);
    legend_ = new QWidget(card_);
    auto* foot = new QHBoxLayout(legend_);
    foot->setContentsMargins(0, 0, 0, 0);
    foot->setSpacing(8);
    foot->addWidget(new widgets::Badge(tr("carries loss"), style::Tone::kGood, legend_));
    foot->addWidget(new widgets::Badge(tr("read only"), style::Tone::kNeutral, legend_));
    foot->addWidget(new widgets::Badge(tr("control token"), style::Tone::kAccent, legend_));
    summary_ = new widgets::PlainLabel({}, card_, style::Type::kSecondary);
    summary_->setObjectName(QStringLiteral("data-view-summary"));
    summary_->setDim(2);
    foot->addStretch(1);
    card_->body()->addWidget(summary_);
    card_->body()->addWidget(legend_);
    refresh();
}

void ViewCard::refresh() {
    const Json& view = presenter_.view();
    const bool known = view.is_object();
    showError(error_, tr("The sequence cannot be shown."), presenter_.viewError());
    progress_->setVisible(presenter_.isViewing() && !known);
    if (presenter_.isViewing() && !known) progress_->set(std::nan(""), tr("Tokenizing…"));
    else progress_->set(0, {});
    scroll_->setVisible(known || !presenter_.viewError());
    legend_->setVisible(known);
    summary_->setVisible(known);
    tokens_->setTokens(tokensOf(view));
    const qint64 rows = presenter_.viewRows(), row = presenter_.viewRow();
    {
        const QSignalBlocker quiet(row_);
        row_->setMaximum(static_cast<int>(std::clamp<qint64>(rows, 1, std::numeric_limits<int>::max())));
        row_->setValue(static_cast<int>(row));
    }
    of_->setFullText(rows > 0 ? tr("of %1").arg(models::formatCount(static_cast<double>(rows))) : QString());
    previous_->setEnabled(known && row > 1);
    next_->setEnabled(known && row < rows);
    row_->setEnabled(known);
    if (!known) return;
    const double total = jsonDoubleOr(view, "total", 0), loss = jsonDoubleOr(view, "loss_total", 0);
    QStringList parts = {tr("%1 tokens").arg(models::formatCount(total)), tr("%1 carry loss (%2)").arg(models::formatCount(loss), models::formatPercent(total > 0 ? loss / total : 0, 0))};
    if (auto documents = view.find("documents"); documents != view.end() && documents->is_array() && !documents->empty()) {
        const QString first = lineText(documents->front()), last = lineText(documents->back());
        const int count = static_cast<int>(documents->size());
        if (!first.isEmpty()) parts << (count == 1 ? tr("of line %1").arg(first) : tr("%n documents, lines %1 to %2, apart from one another", nullptr, count).arg(first, last));
        else parts << tr("%n documents, apart from one another", nullptr, count);
    }
    if (jsonBoolOr(view, "sampled", false)) parts << tr("of the first rows of a large file");
    if (static_cast<double>(tokensOf(view).size()) < total) parts << tr("the first 16,000 are shown");
    summary_->setFullText(parts.join(QStringLiteral(" · ")));
}

}  // namespace assay::pages
