#include <assay/client/local_engine.h>
#include <assay/client/ssh_tunnel.h>
#include <assay/core/paths.h>
#include <assay/presenters/engine_session.h>

#include "threaded_client.h"

namespace assay::presenters {

QString EngineTarget::name() const {
    if (kind == Kind::kLocal) return QObject::tr("this machine");
    QString text = address.section(QStringLiteral("://"), 1);
    return text.section(QLatin1Char('@'), -1);
}

Result<EngineTarget> parseTarget(const QString& text) {
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty() || trimmed == QLatin1String("local")) return EngineTarget{};
    if (trimmed.startsWith(QLatin1String("local:"))) return EngineTarget{EngineTarget::Kind::kLocal, trimmed.mid(6)};
    if (trimmed.startsWith(QLatin1String("ssh://"))) {
        ASSAY_TRY(auto target, client::parseSshUrl(trimmed.toStdString()));
        return EngineTarget{EngineTarget::Kind::kSsh, QStringLiteral("ssh://") + QString::fromStdString(target.text())};
    }
    if (trimmed.startsWith(QLatin1String("ws://")) || trimmed.startsWith(QLatin1String("wss://"))) {
        ASSAY_TRY_VOID(client::checkEngineUrl(trimmed.toStdString()));
        return EngineTarget{EngineTarget::Kind::kUrl, trimmed};
    }
    return fail(ErrorCode::kBadUsage, "an engine is named by ssh://host, ws://host:port or wss://host:port, not by \"" + trimmed.left(80).toStdString() + "\"",
                "for a machine that you reach by ssh, write ssh:// and its name");
}

QString targetText(const EngineTarget& target) {
    if (target.kind != EngineTarget::Kind::kLocal) return target.address;
    return target.address.isEmpty() ? QStringLiteral("local") : QStringLiteral("local:") + target.address;
}

namespace {

client::EndpointSource endpointSource(const EngineTarget& target) {
    const std::string address = target.address.toStdString();
    switch (target.kind) {
        case EngineTarget::Kind::kLocal: {
            const std::string store = address.empty() ? defaultStore() : address;
            return [store] { return client::ensureLocalEngine({.store = store}); };
        }
        case EngineTarget::Kind::kSsh: {
            auto parsed = client::parseSshUrl(address);
            if (!parsed) return [error = parsed.error()]() -> Result<client::Endpoint> { return fail(error); };
            return client::sshEndpointSource(*parsed, {});
        }
        case EngineTarget::Kind::kUrl: break;
    }
    return [address]() -> Result<client::Endpoint> {
        client::Endpoint endpoint;
        endpoint.url = address;
        endpoint.token = client::tokenForUrl(address, defaultStore());
        return endpoint;
    };
}

}  // namespace

ClientFactory threadedClientFactory(const std::string& clientVersion) {
    return [clientVersion](const EngineTarget& target) -> std::unique_ptr<client::EngineClient> {
        client::RemoteOptions options;
        options.clientName = "assay-studio";
        options.clientVersion = clientVersion;
        return std::make_unique<ThreadedEngineClient>(endpointSource(target), options);
    };
}

int runningClientThreads() { return ThreadedCore::running(); }

}  // namespace assay::presenters
