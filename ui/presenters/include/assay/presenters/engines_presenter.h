#pragma once
// The engines that are known: this machine's, and those of other machines that were added. One is attached at a time.

#include <assay/presenters/app_context.h>
#include <assay/presenters/engine_session.h>

#include <QTimer>
#include <optional>

namespace assay::presenters {

class EnginesPresenter final : public QObject {
    Q_OBJECT
public:
    struct Engine {
        EngineTarget target;
        bool attached = false, removable = false;
        QString name() const { return target.name(); }
        QString address() const { return targetText(target); }
    };
    enum class Test { kNone, kRunning, kGood, kFailed };

    // The factory makes the short-lived client of a test; empty: threads of its own, as the window's.
    explicit EnginesPresenter(AppContext& context, ClientFactory testFactory = {}, QObject* parent = nullptr);
    ~EnginesPresenter() override;

    QList<Engine> engines() const;
    const Json& info() const { return info_; }          // engine.info of the attached one; null while unknown
    void refreshInfo();

    // Checked as it is typed: empty when it names an engine, else why it does not.
    QString addressProblem(const QString& text) const;
    void add(const QString& address);                    // remembered, not attached
    void remove(const QString& address);
    void attach(const QString& address);
    void detach();                                       // back to this machine's engine
    void test(const QString& address);
    Test testState() const { return test_; }
    const QString& testedAddress() const { return tested_; }
    QString testText() const;                            // version, or what went wrong
    QString testHint() const;
    void startLocal();
    void stopLocal();                                    // active runs go on
    bool canStopLocal() const;

Q_SIGNALS:
    void changed();

private:
    void finishTest(Test state, std::optional<Error> error, const QString& text);
    QStringList remembered() const;
    void remember(QStringList addresses);
    AppContext& context_;
    ClientFactory factory_;
    std::unique_ptr<client::EngineClient> tester_;
    QTimer testTimer_;
    Json info_;
    Test test_ = Test::kNone;
    QString tested_, testText_;
    std::optional<Error> testError_;
};

}  // namespace assay::presenters
