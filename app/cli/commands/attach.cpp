#include <assay/client/ssh_tunnel.h>
#include <fmt/format.h>

#include "command.h"
#include "interrupt.h"
#include "registry.h"
#include "text/format.h"

namespace assay::cli {
namespace {

Result<int> attach(Context& context, const std::string& url) {
    ASSAY_TRY(const client::SshTarget target, client::parseSshUrl(url));
    ASSAY_TRY(const std::unique_ptr<client::SshTunnel> tunnel, client::SshTunnel::open(target, context.options.storeGiven ? context.options.store : std::string()));
    const client::Endpoint endpoint = tunnel->endpoint();
    // A client stays attached, so that an engine that was started for us does not leave while the tunnel is held.
    ASSAY_TRY(const std::unique_ptr<client::SyncClient> engine,
              client::SyncClient::connect([endpoint]() -> Result<client::Endpoint> { return endpoint; }, context.remoteOptions()));
    ASSAY_TRY(const client::AttachedNote note, client::AttachedNote::write(endpoint));
    const std::string version = engine->identity().version;
    const InterruptGuard guard(true);
    context.out.result({{"url", endpoint.url}, {"engine_version", version}, {"host", target.host}}, [&] {
        return fmt::format("attached to {} (engine {})\nuse it with: assay --engine {} …\nCtrl-C ends the tunnel\n", target.text(), safeText(version), endpoint.url);
    });
    while (guard.count() == 0)
        if (tunnel->waitForEnd(0.1)) {
            const std::string words = tunnel->lastWords();
            return fail(ErrorCode::kUnreachable, fmt::format("the ssh connection to {} ended{}", target.text(), words.empty() ? "" : ": " + words), "attach again");
        }
    return 0;
}

}  // namespace

void addAttach(Commands& commands) {
    auto url = std::make_shared<std::string>();
    CLI::App* app = commands.add("attach", "hold a tunnel to the engine of another machine open", [url](Context& c) { return attach(c, *url); });
    app->add_option("URL", *url, "ssh://[USER@]HOST[:PORT]")->required();
}

}  // namespace assay::cli
