#pragma once
// A session on a fake engine, and what pages share, for tests.

#include <assay/client/fake_client.h>
#include <assay/presenters/app_context.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/settings.h>

#include <QTest>

namespace assay::presenters {

struct FakeEngine {
    client::FakeEngineClient* client = nullptr;   // owned by the session
    std::unique_ptr<EngineSession> session;
    Settings settings{QString()};
    Navigator navigator;
    Notifier notifier;
    CommandRegistry commands;
    QList<std::pair<QString, Json>> visited;
    QList<Notice> notices;

    FakeEngine() {
        auto made = std::make_unique<client::FakeEngineClient>();
        client = made.get();
        auto holder = std::make_shared<std::unique_ptr<client::EngineClient>>(std::move(made));
        session = std::make_unique<EngineSession>([holder](const EngineTarget&) { return std::move(*holder); });
        QObject::connect(&navigator, &Navigator::requested, [this](const QString& page, const Json& argument) { visited.append({page, argument}); });
        QObject::connect(&notifier, &Notifier::notified, [this](const Notice& notice) { notices.append(notice); });
    }
    AppContext context() { return {*session, settings, navigator, notifier, commands}; }
    void connect() {
        session->connectTo({});
        settle();
    }
    // Hands out everything that is due, and what that causes.
    void settle() {
        for (int quiet = 0; quiet < 2;) {
            QCoreApplication::processEvents();
            quiet = client->deliver() ? 0 : quiet + 1;
        }
    }
    // Delivers until it is so; false after some seconds.
    bool until(const std::function<bool()>& so) {
        return QTest::qWaitFor([&] {
            client->deliver();
            return so();
        });
    }
    std::vector<Json> callsOf(const std::string& method) const {
        std::vector<Json> found;
        for (const auto& [name, params] : client->calls())
            if (name == method) found.push_back(params);
        return found;
    }
};

}  // namespace assay::presenters
