#pragma once
// An AppContext over a FakeEngineClient, for presenter and page tests.

#include <assay/client/fake_client.h>
#include <assay/presenters/app_context.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/settings.h>

#include <QCoreApplication>
#include <QEvent>

namespace assay::test {

struct Context {
    client::FakeEngineClient* engine = nullptr;   // of the session; replaced by each connectTo
    int connections = 0;
    presenters::EngineSession session{[this](const presenters::EngineTarget&) {
        auto made = std::make_unique<client::FakeEngineClient>();
        engine = made.get();
        ++connections;
        if (prepare) prepare(*engine);
        return made;
    }};
    presenters::Settings settings{QString()};
    presenters::Navigator navigator;
    presenters::Notifier notifier;
    presenters::CommandRegistry commands;
    presenters::AppContext app{session, settings, navigator, notifier, commands};
    std::function<void(client::FakeEngineClient&)> prepare;   // run on each new connection

    std::vector<std::pair<std::string, Json>> callsBefore;
    std::vector<std::pair<QString, Json>> visited;    // navigate() calls
    std::vector<presenters::Notice> notices;

    Context() {
        QObject::connect(&session, &presenters::EngineSession::linkChanged, &session, [this] {
            if (!engine || session.link() != presenters::Link::kClosed) return;
            callsBefore = engine->calls();   // the session lets it go
            engine = nullptr;
        });
        QObject::connect(&navigator, &presenters::Navigator::requested, &navigator, [this](const QString& page, const Json& argument) { visited.emplace_back(page, argument); });
        QObject::connect(&notifier, &presenters::Notifier::notified, &notifier, [this](const presenters::Notice& notice) { notices.push_back(notice); });
    }

    // Live, with an empty list unless `prepare` says otherwise; everything due is delivered.
    void connect(const presenters::EngineTarget& target = {}) {
        session.connectTo(target);
        settle();
    }
    // Delivers replies and events and runs what the loop holds until nothing is left.
    void settle() {
        for (int round = 0, quiet = 0; round < 100 && quiet < 2; ++round) {   // a timer may ask for more after a quiet round
            const size_t ran = engine ? engine->deliver() : 0;
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            quiet = ran ? 0 : quiet + 1;
        }
    }
    const std::vector<std::pair<std::string, Json>>& calls() const { return engine ? engine->calls() : callsBefore; }
    // How often a method was called, and its newest parameters.
    int countOf(const std::string& method) const {
        int n = 0;
        for (const auto& [name, params] : calls()) n += name == method;
        return n;
    }
    Json lastOf(const std::string& method) const {
        for (auto it = calls().rbegin(); it != calls().rend(); ++it)
            if (it->first == method) return it->second;
        return nullptr;
    }
};

inline Json runRow(const std::string& id, const std::string& name, const std::string& status) {
    return {{"id", id},           {"name", name},      {"kind", "train"}, {"status", status},        {"reason", ""},  {"parent", ""},
            {"role", ""},         {"group", ""},       {"created_at", "2026-01-02T03:04:05.000Z"},   {"started_at", nullptr}, {"ended_at", nullptr},
            {"running_seconds", 12.5}, {"attempt", 1}, {"fork_of", ""},   {"summary", Json::object()}, {"tags", Json::array()}, {"progress", nullptr}, {"error", nullptr}};
}

inline Json runList(std::initializer_list<Json> rows, int64_t asOf = 0) {
    Json list = Json::array();
    for (const Json& row : rows) list.push_back(row);
    const size_t total = list.size();
    return {{"runs", std::move(list)}, {"total", total}, {"as_of_seq", asOf}};
}

}  // namespace assay::test
