#include <assay/models/format.h>
#include <assay/presenters/engines_presenter.h>
#include <assay/presenters/link_status.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>

#include <QHBoxLayout>
#include <QLineEdit>
#include <QShowEvent>
#include <QTimer>
#include <QVBoxLayout>

#include "engines/engine_row.h"
#include "make_pages.h"

namespace assay::pages {
namespace {

using presenters::EnginesPresenter;
using widgets::Card;   // lupdate takes a qualified return type of a member for its class
using presenters::Severity;

style::Tone toneOf(Severity severity) {
    switch (severity) {
        case Severity::kGood: return style::Tone::kGood;
        case Severity::kWarning: return style::Tone::kWarn;
        case Severity::kError: return style::Tone::kBad;
        case Severity::kInfo: break;
    }
    return style::Tone::kNeutral;
}

QLabel* sentence(const QString& text, QWidget* parent, style::Type type = style::Type::kBody) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setFont(style::font(type));
    return label;
}

class EnginesPage final : public Page {
    Q_OBJECT
public:
    EnginesPage(presenters::AppContext& context, QWidget* parent) : Page(parent), context_(context), presenter_(context) {
        setObjectName(QStringLiteral("page-engines"));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(style::size::kPagePadding, 16, style::size::kPagePadding, 16);
        layout->setSpacing(style::size::kGap);
        auto* header = new widgets::PageHeader(tr("Engines"), this);
        layout->addWidget(header);
        auto* intro = sentence(tr("An engine works on the queue of one machine and keeps its runs. The window can be attached to one at a time; runs go on without it."), this);
        layout->addWidget(intro);
        auto* columns = new QHBoxLayout;
        columns->setSpacing(style::size::kGap);
        auto* left = new QVBoxLayout;
        auto* right = new QVBoxLayout;
        for (QVBoxLayout* column : {left, right}) column->setSpacing(style::size::kGap);
        columns->addLayout(left, 5);
        columns->addLayout(right, 4);
        layout->addLayout(columns, 1);
        list_ = new widgets::Card(tr("Known engines"), this);
        list_->setObjectName(QStringLiteral("engines-list"));
        left->addWidget(list_);
        left->addWidget(makeAdd());
        left->addStretch(1);
        right->addWidget(makeAttached());
        right->addWidget(makeDeploy());
        right->addStretch(1);
        connect(&presenter_, &EnginesPresenter::changed, this, &EnginesPage::refresh);
        minute_.setInterval(30000);
        connect(&minute_, &QTimer::timeout, &presenter_, &EnginesPresenter::refreshInfo);
        refresh();
    }

protected:
    void showEvent(QShowEvent* event) override {
        Page::showEvent(event);
        presenter_.refreshInfo();
        minute_.start();
    }
    void hideEvent(QHideEvent* event) override {
        minute_.stop();
        Page::hideEvent(event);
    }

private:
    Card* makeAdd() {
        auto* card = new widgets::Card(tr("Add an engine"), this);
        card->setObjectName(QStringLiteral("engines-add"));
        card->body()->addWidget(sentence(tr("Address: ssh://[user@]host for a machine that you reach by ssh, or ws://host:port."), card, style::Type::kSecondary));
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        address_ = new QLineEdit(card);
        address_->setObjectName(QStringLiteral("engine-address"));
        address_->setAccessibleName(tr("Address of an engine"));
        address_->setPlaceholderText(QStringLiteral("ssh://gpu-box"));
        test_ = widgets::makeButton(tr("Test"), widgets::ButtonKind::kNormal, {}, card);
        test_->setObjectName(QStringLiteral("engine-address-test"));
        attach_ = widgets::makeButton(tr("Add and attach"), widgets::ButtonKind::kPrimary, {}, card);
        attach_->setObjectName(QStringLiteral("engine-address-attach"));
        row->addWidget(address_, 1);
        row->addWidget(test_);
        row->addWidget(attach_);
        card->body()->addLayout(row);
        result_ = sentence({}, card, style::Type::kSecondary);
        result_->setObjectName(QStringLiteral("engine-test-result"));
        result_->setTextInteractionFlags(Qt::TextSelectableByMouse);
        card->body()->addWidget(result_);
        connect(address_, &QLineEdit::textChanged, this, [this] { refreshAddress(false); });
        connect(address_, &QLineEdit::editingFinished, this, [this] { refreshAddress(true); });
        connect(test_, &QPushButton::clicked, this, [this] { presenter_.test(address_->text()); });
        connect(attach_, &QPushButton::clicked, this, [this] {
            presenter_.attach(address_->text());
            address_->clear();
        });
        return card;
    }

    Card* makeAttached() {
        auto* card = new widgets::Card(tr("Attached"), this);
        card->setObjectName(QStringLiteral("engines-attached"));
        facts_ = new widgets::KeyValueList(card);
        facts_->setObjectName(QStringLiteral("engine-facts"));
        card->body()->addWidget(facts_);
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        start_ = widgets::makeButton(tr("Start the engine"), widgets::ButtonKind::kPrimary, {}, card);
        start_->setObjectName(QStringLiteral("engine-start"));
        stop_ = widgets::makeButton(tr("Stop the engine"), widgets::ButtonKind::kNormal, {}, card);
        stop_->setObjectName(QStringLiteral("engine-stop"));
        stop_->setToolTip(tr("Active runs go on; the queue waits until the engine is started again."));
        detach_ = widgets::makeButton(tr("Detach"), widgets::ButtonKind::kNormal, {}, card);
        detach_->setObjectName(QStringLiteral("engine-detach"));
        detach_->setToolTip(tr("Back to the engine of this machine; the other one goes on."));
        connect(start_, &QPushButton::clicked, &presenter_, &EnginesPresenter::startLocal);
        connect(stop_, &QPushButton::clicked, &presenter_, &EnginesPresenter::stopLocal);
        connect(detach_, &QPushButton::clicked, &presenter_, &EnginesPresenter::detach);
        for (QPushButton* button : {start_, stop_, detach_}) row->addWidget(button);
        row->addStretch(1);
        card->body()->addLayout(row);
        return card;
    }

    Card* makeDeploy() {
        auto* card = new widgets::Card(tr("Set up another machine"), this);
        card->setObjectName(QStringLiteral("engines-deploy"));
        const QStringList steps = {
            tr("1.  Build or copy Assay there, so that its folder bin holds assay, assay-engine and assay-worker."),
            tr("2.  Put that folder on the PATH that ssh sees, or name the program in ASSAY_REMOTE_PROGRAM."),
            tr("3.  Check from here that it answers:"),
            tr("4.  Add ssh://HOST above. The engine is started over there when it does not run, and its port stays closed to the network: everything goes through ssh."),
        };
        for (const QString& step : steps) {
            card->body()->addWidget(sentence(step, card, style::Type::kSecondary));
            if (step != steps[2]) continue;
            auto* command = sentence(QStringLiteral("  ssh HOST assay --version"), card, style::Type::kMono);
            command->setTextInteractionFlags(Qt::TextSelectableByMouse);
            card->body()->addWidget(command);
        }
        return card;
    }

    void refresh() {
        refreshList();
        refreshAttached();
        refreshAddress(false);
    }

    void refreshList() {
        const auto engines = presenter_.engines();
        QStringList shape;
        for (const auto& engine : engines) shape.append(engine.address() + (engine.attached ? QStringLiteral("*") : QString()));
        if (shape != shape_) {   // rows are kept while nothing changes, so that focus stays where it is
            shape_ = shape;
            for (EngineRow* row : rows_) row->deleteLater();
            rows_.clear();
            for (const auto& engine : engines) {
                auto* row = new EngineRow(engine, list_);
                connect(row, &EngineRow::attachWanted, &presenter_, &EnginesPresenter::attach);
                connect(row, &EngineRow::testWanted, this, [this](const QString& address) {
                    address_->setText(address);
                    presenter_.test(address);
                });
                connect(row, &EngineRow::removeWanted, &presenter_, &EnginesPresenter::remove);
                list_->body()->addWidget(row);
                rows_.append(row);
            }
        }
        const auto status = presenters::describeLink(context_.session);
        for (qsizetype i = 0; i < engines.size(); ++i) rows_[i]->setState(engines[i].attached ? status.state : QString(), toneOf(status.tone));
    }

    void refreshAttached() {
        const Json& info = presenter_.info();
        const auto identity = context_.session.identity();
        const auto text = [&](const char* key) { return info.is_object() ? models::plain(QString::fromStdString(jsonStringOr(info, key, ""))) : models::notMeasured(); };
        const bool live = context_.session.isLive();
        facts_->setRows({
            {tr("Engine"), context_.session.target().name(), {}},
            {tr("State"), presenters::describeLink(context_.session).state, {}},
            {tr("Version"), text("version"), {}},
            {tr("Protocol level"), live ? QString::number(identity.negotiatedLevel) : models::notMeasured(), {}},
            {tr("Store"), text("store"), text("store")},
            {tr("Address"), text("url"), {}},
            {tr("Up for"), info.is_object() ? models::formatSeconds(jsonDoubleOr(info, "uptime_seconds", 0)) : models::notMeasured(), {}},
            {tr("Active runs"), info.is_object() ? models::formatCount(jsonDoubleOr(info, "runs_active", 0)) : models::notMeasured(), {}},
        });
        const bool local = context_.session.target().kind == presenters::EngineTarget::Kind::kLocal;
        start_->setVisible(local && context_.session.link() == presenters::Link::kClosed);
        stop_->setVisible(local && live);
        detach_->setVisible(!local);
    }

    // What is wrong is said when the person has finished typing; what is right may be said at once.
    void refreshAddress(bool finished) {
        const QString typed = address_->text();
        const QString problem = presenter_.addressProblem(typed);
        const bool running = presenter_.testState() == EnginesPresenter::Test::kRunning;
        test_->setEnabled(problem.isEmpty() && !running);
        attach_->setEnabled(problem.isEmpty());
        QString text;
        style::Tone tone = style::Tone::kNeutral;
        if (!typed.trimmed().isEmpty() && presenter_.testedAddress() == typed.trimmed() && presenter_.testState() != EnginesPresenter::Test::kNone) {
            const bool good = presenter_.testState() == EnginesPresenter::Test::kGood;
            text = running ? tr("Asking %1…").arg(typed.trimmed()) : presenter_.testText();
            if (!presenter_.testHint().isEmpty()) text += QLatin1Char('\n') + presenter_.testHint();
            tone = running ? style::Tone::kNeutral : good ? style::Tone::kGood : style::Tone::kBad;
        } else if (finished && !typed.trimmed().isEmpty() && !problem.isEmpty()) {
            text = problem;
            tone = style::Tone::kBad;
        }
        result_->setText(text);
        result_->setVisible(!text.isEmpty());
        QPalette palette = result_->palette();
        palette.setColor(QPalette::WindowText, tone == style::Tone::kNeutral ? style::tokens().text2 : style::toneText(tone));
        result_->setPalette(palette);
    }

    presenters::AppContext& context_;
    EnginesPresenter presenter_;
    QTimer minute_;
    widgets::Card* list_;
    widgets::KeyValueList* facts_;
    QLineEdit* address_;
    QLabel* result_;
    QPushButton *test_, *attach_, *start_, *stop_, *detach_;
    QList<EngineRow*> rows_;
    QStringList shape_;
};

}  // namespace

Page* makeEnginesPage(presenters::AppContext& context, QWidget* parent) { return new EnginesPage(context, parent); }

}  // namespace assay::pages

#include "engines_page.moc"
