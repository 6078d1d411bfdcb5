#include <assay/models/format.h>
#include <assay/presenters/engines_presenter.h>
#include <assay/presenters/settings.h>

#include <QCoreApplication>
#include <QPointer>

namespace assay::presenters {
namespace {

const QString kList = QStringLiteral("engines.list"), kTarget = QStringLiteral("engine.target");
constexpr int kTestMs = 45000;   // ssh may ask an agent, and starts the engine over there

QString words(const std::string& text) { return models::plain(QString::fromStdString(text)); }

}  // namespace

EnginesPresenter::EnginesPresenter(AppContext& context, ClientFactory testFactory, QObject* parent)
    : QObject(parent), context_(context),
      factory_(testFactory ? std::move(testFactory) : threadedClientFactory(QCoreApplication::applicationVersion().toStdString())) {
    testTimer_.setSingleShot(true);
    testTimer_.setInterval(kTestMs);
    connect(&testTimer_, &QTimer::timeout, this, [this] {
        finishTest(Test::kFailed, Error(ErrorCode::kUnreachable, "nothing answered within 45 s", "check the address and that the machine is on"), {});
    });
    connect(&context.session, &EngineSession::linkChanged, this, [this] {
        if (!context_.session.isLive()) info_ = nullptr;
        refreshInfo();
        Q_EMIT changed();
    });
    connect(&context.session, &EngineSession::troubleChanged, this, &EnginesPresenter::changed);
    refreshInfo();
}

EnginesPresenter::~EnginesPresenter() = default;

QStringList EnginesPresenter::remembered() const {
    QStringList list;
    if (const Json saved = context_.settings.value(kList); saved.is_array())
        for (const Json& entry : saved)
            if (entry.is_string()) list.append(QString::fromStdString(entry.get<std::string>()));
    return list;
}

void EnginesPresenter::remember(QStringList addresses) {
    Json list = Json::array();
    for (const QString& address : addresses) list.push_back(address.toStdString());
    context_.settings.set(kList, std::move(list));
    Q_EMIT changed();
}

QList<EnginesPresenter::Engine> EnginesPresenter::engines() const {
    const EngineTarget& attached = context_.session.target();
    // A store named on the command line is this machine's engine of this start.
    QList<Engine> list{{attached.kind == EngineTarget::Kind::kLocal ? attached : EngineTarget{}, attached.kind == EngineTarget::Kind::kLocal, false}};
    QStringList addresses = remembered();
    if (attached.kind != EngineTarget::Kind::kLocal && !addresses.contains(targetText(attached))) addresses.append(targetText(attached));
    for (const QString& address : addresses)
        if (auto target = parseTarget(address); target && target->kind != EngineTarget::Kind::kLocal) list.append({*target, *target == attached, true});
    return list;
}

void EnginesPresenter::refreshInfo() {
    if (!context_.session.isLive()) return;
    context_.session.call(QStringLiteral("engine.info"), Json::object(), this, [this](Result<Json> reply) {
        if (!reply) return;
        info_ = std::move(*reply);
        Q_EMIT changed();
    }, 10);
}

QString EnginesPresenter::addressProblem(const QString& text) const {
    if (text.trimmed().isEmpty()) return tr("Write an address, e.g. ssh://gpu-box.");
    const auto target = parseTarget(text);
    if (!target) return words(target.error().message);
    if (target->kind == EngineTarget::Kind::kLocal) return tr("This machine's engine is in the list already.");
    return {};
}

void EnginesPresenter::add(const QString& address) {
    auto target = parseTarget(address);
    if (!target) return context_.notifier.error(tr("The engine cannot be added"), target.error());
    QStringList list = remembered();
    const QString text = targetText(*target);
    if (list.contains(text) || target->kind == EngineTarget::Kind::kLocal) return;
    remember(list << text);
}

void EnginesPresenter::remove(const QString& address) {
    QStringList list = remembered();
    const auto at = list.indexOf(address);
    if (at >= 0) list.removeAt(at);
    if (targetText(context_.session.target()) == address) detach();
    remember(list);
    if (at < 0) return;
    context_.notifier.notify({.title = tr("%1 was forgotten").arg(models::shortened(address, 60)), .detail = tr("Its runs are not touched."), .actionText = tr("Undo"),
                              .action = [self = QPointer<EnginesPresenter>(this), address] {
                                  if (self) self->add(address);
                              }});
}

void EnginesPresenter::attach(const QString& address) {
    auto target = parseTarget(address);
    if (!target) return context_.notifier.error(tr("The window cannot be attached"), target.error());
    if (target->kind != EngineTarget::Kind::kLocal) add(address);
    context_.settings.set(kTarget, targetText(*target).toStdString());
    info_ = nullptr;
    context_.session.connectTo(*target);
    Q_EMIT changed();
}

void EnginesPresenter::detach() { attach(QStringLiteral("local")); }

void EnginesPresenter::test(const QString& address) {
    tested_ = address.trimmed();
    testError_.reset();
    testText_.clear();
    tester_.reset();
    auto target = parseTarget(tested_);
    if (!target) return finishTest(Test::kFailed, target.error(), {});
    test_ = Test::kRunning;
    testTimer_.start();
    Q_EMIT changed();
    tester_ = factory_(*target);
    const auto onState = [this, now = tester_.get()](client::LinkState state, const std::optional<Error>& reason) {
        if (now != tester_.get() || test_ != Test::kRunning) return;
        if (state == client::LinkState::kLive)
            finishTest(Test::kGood, {}, tr("Assay %1 answers; protocol level %2").arg(words(now->identity().version)).arg(now->identity().negotiatedLevel));
        else if (state == client::LinkState::kClosed)
            finishTest(Test::kFailed, reason.value_or(Error(ErrorCode::kUnreachable, "the engine cannot be reached")), {});
    };
    tester_->setStateHandler(onState);
    if (tester_->state() == client::LinkState::kLive) onState(client::LinkState::kLive, {});
}

void EnginesPresenter::finishTest(Test state, std::optional<Error> error, const QString& text) {
    testTimer_.stop();
    test_ = state;
    testError_ = std::move(error);
    testText_ = text;
    // Not from inside its own handler.
    QTimer::singleShot(0, this, [this] {
        if (test_ != Test::kRunning) tester_.reset();
    });
    Q_EMIT changed();
}

QString EnginesPresenter::testText() const { return testError_ ? words(testError_->message) : testText_; }
QString EnginesPresenter::testHint() const { return testError_ ? words(testError_->hint) : QString(); }

void EnginesPresenter::startLocal() { attach(targetText(context_.session.target().kind == EngineTarget::Kind::kLocal ? context_.session.target() : EngineTarget{})); }

bool EnginesPresenter::canStopLocal() const { return context_.session.isLive() && context_.session.target().kind == EngineTarget::Kind::kLocal; }

void EnginesPresenter::stopLocal() {
    if (!canStopLocal()) return;
    context_.session.call(QStringLiteral("engine.shutdown"), Json::object(), this, [this](Result<Json> reply) {
        if (!reply && reply.error().code != ErrorCode::kUnreachable) return context_.notifier.error(tr("The engine cannot be stopped"), reply.error());
        // Otherwise the link would come back by starting it again.
        context_.session.disconnectBecause(Error(ErrorCode::kCancelled, "the engine was stopped from this window"));
    });
}

}  // namespace assay::presenters
