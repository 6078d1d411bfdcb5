// Try it: prompt a model, or two side by side, and see where their outputs part.
#include <assay/models/format.h>
#include <assay/models/json_table_model.h>
#include <assay/models/run_text.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/try_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/table_view.h>

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include "make_pages.h"
#include "model_box.h"
#include "try/output_card.h"
#include "wrapped_label.h"

namespace assay::pages {
namespace {

using presenters::TryPresenter;

constexpr int kHistoryWidth = 232, kPromptHeight = 80, kNarrow = 960;

class TryPage final : public Page {
    Q_OBJECT
public:
    TryPage(presenters::AppContext& context, QWidget* parent) : Page(parent), context_(context), presenter_(context) {
        setObjectName(QStringLiteral("page-try"));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(style::size::kPagePadding, 16, style::size::kPagePadding, 12);
        layout->setSpacing(style::size::kGap);
        auto* header = new widgets::PageHeader(tr("Try it"), this);
        stop_ = button("try-stop", tr("Stop"), widgets::ButtonKind::kNormal, QStringLiteral("stop"));
        connect(stop_, &QPushButton::clicked, &presenter_, &TryPresenter::stop);
        header->addAction(stop_);
        run_ = button("try-run", tr("Run"), widgets::ButtonKind::kPrimary, QStringLiteral("play"));
        connect(run_, &QPushButton::clicked, this, [this] {
            readForm();
            presenter_.run();
        });
        header->addAction(run_);
        layout->addWidget(header);
        auto* columns = new QHBoxLayout;
        columns->setSpacing(style::size::kGap);
        layout->addLayout(columns, 1);
        auto* main = new QVBoxLayout;
        main->setSpacing(style::size::kGap);
        main->addWidget(makeForm());
        compared_ = new widgets::PlainLabel({}, this, style::Type::kSecondary);
        compared_->setObjectName(QStringLiteral("try-compared"));
        compared_->setDim(2);
        main->addWidget(compared_);
        auto* outputs = new QHBoxLayout;
        outputs->setSpacing(style::size::kGap);
        for (int i = 0; i < 2; ++i) {
            outputs_[i] = new OutputCard(i, this);
            connect(outputs_[i], &OutputCard::openRun, this, [this, i] { presenter_.openRun(i); });
            outputs->addWidget(outputs_[i], 1);
        }
        main->addLayout(outputs, 1);
        columns->addLayout(main, 1);
        columns->addWidget(makeHistory());
        auto* key = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return), this);
        connect(key, &QShortcut::activated, run_, &QPushButton::click);
        run_->setToolTip(tr("Ctrl+Enter"));
        connect(&presenter_, &TryPresenter::formChanged, this, &TryPage::showForm);
        connect(&presenter_, &TryPresenter::changed, this, &TryPage::refresh);
        connect(&presenter_, &TryPresenter::historyChanged, this, &TryPage::fillHistory);
        showForm();
        refresh();
        fillHistory();
    }

    ~TryPage() override { disconnect(&presenter_, nullptr, this, nullptr); }

    void open(const Json& argument) override {
        if (argument.is_object()) {
            TryPresenter::Form form = presenter_.form();
            if (const QString model = QString::fromStdString(jsonStringOr(argument, "model", "")); !model.isEmpty()) {
                form.models[0] = model;
                form.models[1].clear();
                // A quantized set-up is looked at beside what it was made from.
                if (const auto* choice = presenter_.models().find(model); choice && !choice->base.isEmpty()) {
                    form.models[0] = choice->base;
                    form.models[1] = model;
                }
                presenter_.setForm(form);
            }
        }
        prompt_->setFocus();
    }
    Json saveState() const override { return presenter_.state(); }
    void restoreState(const Json& state) override { presenter_.restore(state); }

protected:
    void resizeEvent(QResizeEvent* event) override {
        Page::resizeEvent(event);
        history_->setVisible(width() >= kNarrow);
    }

private:
    QPushButton* button(const char* name, const QString& text, widgets::ButtonKind kind, const QString& icon) {
        auto* made = widgets::makeButton(text, kind, icon, this);
        made->setObjectName(QString::fromLatin1(name));
        made->setAccessibleName(text);
        return made;
    }

    QWidget* makeForm() {
        auto* card = new widgets::Card({}, this);
        QVBoxLayout* body = card->body();
        body->setSpacing(8);
        const auto named = [](QWidget* widget, const char* name, const QString& title) {
            widget->setObjectName(QString::fromLatin1(name));
            widget->setAccessibleName(title);
            if (auto* inner = widget->findChild<QLineEdit*>(QStringLiteral("qt_spinbox_lineedit"))) inner->setAccessibleName(title);
        };
        auto* models = new QHBoxLayout;
        models->setSpacing(8);
        for (int i = 0; i < 2; ++i) {
            models_[i] = new ModelBox(presenter_.models(), i == 0 ? QString() : tr("no second model"), card);
            named(models_[i], i == 0 ? "try-model" : "try-second", i == 0 ? tr("Model") : tr("Second model"));
            connect(models_[i], &ModelBox::chosen, this, &TryPage::readForm);
            models->addWidget(models_[i], 1);
        }
        body->addLayout(models);
        prompt_ = new QPlainTextEdit(card);
        named(prompt_, "try-prompt", tr("Prompt"));
        prompt_->setPlaceholderText(tr("Write the text the model goes on with"));
        prompt_->setTabChangesFocus(true);
        prompt_->setFixedHeight(kPromptHeight);
        connect(prompt_, &QPlainTextEdit::textChanged, this, &TryPage::readForm);
        body->addWidget(prompt_);
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        const auto add = [&](QWidget* control, const char* name, const QString& title, const QString& tip) {
            named(control, name, title);
            control->setToolTip(tip);
            auto* label = new widgets::PlainLabel(title, card, style::Type::kSecondary);
            label->setDim(2);
            label->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
            row->addWidget(label);
            row->addWidget(control);
            row->addSpacing(4);
        };
        const auto spin = [&](int low, int high) {
            auto* box = new QSpinBox(card);
            box->setRange(low, high);
            box->setFixedWidth(76);
            connect(box, &QSpinBox::valueChanged, this, &TryPage::readForm);
            return box;
        };
        add(tokens_ = spin(1, 100000), "try-tokens", tr("Tokens"), tr("Most tokens to generate"));
        temperature_ = new QDoubleSpinBox(card);
        temperature_->setRange(0, 10);
        temperature_->setSingleStep(0.1);
        temperature_->setFixedWidth(76);
        connect(temperature_, &QDoubleSpinBox::valueChanged, this, &TryPage::readForm);
        add(temperature_, "try-temperature", tr("Temperature"), tr("0 takes the most likely token each time"));
        add(top_ = spin(0, 100), "try-top", tr("Top"), tr("How many of the largest logits after the prompt are listed"));
        chat_ = new QCheckBox(tr("Chat template"), card);
        named(chat_, "try-chat", tr("Chat template"));
        chat_->setToolTip(tr("Puts the prompt into the chat template of the model, as one message of the user; a model without a template refuses"));
        connect(chat_, &QCheckBox::toggled, this, &TryPage::readForm);
        row->addWidget(chat_);
        row->addStretch(1);
        body->addLayout(row);
        why_ = new widgets::PlainLabel({}, card, style::Type::kSmall);
        why_->setObjectName(QStringLiteral("try-why"));
        why_->setDim(3);
        body->addWidget(why_);
        return card;
    }

    QWidget* makeHistory() {
        history_ = new widgets::Card(tr("Earlier prompts"), this);
        history_->setFixedWidth(kHistoryWidth);
        history_->setBodyMargins(4);
        list_ = new QListWidget(history_);
        list_->setObjectName(QStringLiteral("try-history"));
        list_->setAccessibleName(tr("Earlier prompts"));
        list_->setFrameShape(QFrame::NoFrame);
        list_->setStyleSheet(QStringLiteral("QListWidget { border: 0; }"));   // the card has the line
        list_->setTextElideMode(Qt::ElideRight);
        list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        list_->setUniformItemSizes(true);
        for (const auto signal : {&QListWidget::itemActivated, &QListWidget::itemClicked}) connect(list_, signal, this, [this](QListWidgetItem* item) { presenter_.openEntry(item->data(Qt::UserRole).toString()); });
        history_->body()->addWidget(list_, 1);
        none_ = makeWrappedLabel(style::Type::kSecondary, 3, "try-history-none", history_);
        none_->setText(tr("What you try is kept here, and as runs tagged try-it."));
        none_->setContentsMargins(8, 8, 8, 8);
        history_->body()->addWidget(none_);
        history_->body()->addStretch(0);
        return history_;
    }

    void readForm() {
        if (showing_) return;
        TryPresenter::Form form = presenter_.form();
        form.prompt = prompt_->toPlainText();
        for (int i = 0; i < 2; ++i) form.models[i] = models_[i]->reference();
        form.maxTokens = tokens_->value();
        form.top = top_->value();
        form.chat = chat_->isChecked();
        form.temperature = temperature_->value();
        presenter_.setForm(form);
    }

    void showForm() {
        showing_ = true;
        const TryPresenter::Form& form = presenter_.form();
        for (int i = 0; i < 2; ++i) models_[i]->setReference(form.models[i]);
        if (prompt_->toPlainText() != form.prompt) prompt_->setPlainText(form.prompt);
        tokens_->setValue(form.maxTokens);
        top_->setValue(form.top);
        chat_->setChecked(form.chat);
        temperature_->setValue(form.temperature);
        showing_ = false;
        showRun();
    }

    void showRun() {
        const QString why = presenter_.whyNotRun();
        run_->setEnabled(why.isEmpty());
        run_->setToolTip(why.isEmpty() ? tr("Ctrl+Enter") : why);
        why_->setFullText(!why.isEmpty() && !presenter_.isRunning() ? why : QString());
        why_->setVisible(!why_->text().isEmpty());
        stop_->setVisible(presenter_.isRunning());
    }

    void refresh() {
        showRun();
        const auto& sides = presenter_.sides();
        for (size_t i = 0; i < 2; ++i) {
            if (i < sides.size()) outputs_[i]->set(sides[i], i);
            outputs_[i]->setVisible(i < sides.size() || i == 0);
            if (i >= sides.size() && i == 0) outputs_[i]->clear();
        }
        compared_->setFullText(presenter_.comparisonText());
        compared_->setVisible(!compared_->text().isEmpty());
        if (!std::exchange(told_, true)) Q_EMIT contentShown();
    }

    void fillHistory() {
        const QSignalBlocker quiet(list_);
        const QString current = list_->currentItem() ? list_->currentItem()->data(Qt::UserRole).toString() : QString();
        list_->clear();
        for (const TryPresenter::Entry& entry : presenter_.history()) {
            auto* item = new QListWidgetItem(models::shortened(entry.prompt, 200), list_);
            item->setData(Qt::UserRole, entry.key);
            item->setSizeHint(QSize(0, style::size::kControlHeight));
            item->setToolTip(QStringLiteral("%1\n%2").arg(entry.models, entry.when));
            if (entry.key == current) list_->setCurrentItem(item);
        }
        none_->setVisible(list_->count() == 0);
        list_->setVisible(list_->count() > 0);
    }

    presenters::AppContext& context_;
    TryPresenter presenter_;
    QPushButton *run_, *stop_;
    ModelBox* models_[2];
    QPlainTextEdit* prompt_;
    QSpinBox *tokens_, *top_;
    QDoubleSpinBox* temperature_;
    QCheckBox* chat_;
    widgets::PlainLabel *why_, *compared_;
    OutputCard* outputs_[2];
    widgets::Card* history_;
    QListWidget* list_;
    QLabel* none_;
    bool showing_ = false, told_ = false;
};

}  // namespace

Page* makeTryPage(presenters::AppContext& context, QWidget* parent) { return new TryPage(context, parent); }

}  // namespace assay::pages

#include "try_page.moc"
