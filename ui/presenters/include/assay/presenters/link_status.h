#pragma once
// The state of the link in words: one line for the status bar, and for the banner what happened and what to do.

#include <assay/presenters/app_context.h>
#include <assay/presenters/engine_session.h>

#include <optional>

namespace assay::presenters {

struct LinkStatus {
    QString state;                          // "Live", "Stale since 12:04", "Reconnecting", "Closed: wrong token"
    Severity tone = Severity::kInfo;
    bool banner = false;                    // something to tell above the page
    QString title, advice, technical;       // what happened; what to do; the error as it came
    bool canRetry = false, offerEngines = false;
};
LinkStatus describeLink(Link link, const std::optional<Error>& error, const QDateTime& staleSince, const EngineTarget& target, const std::optional<Error>& trouble = {});
LinkStatus describeLink(const EngineSession& session);

}  // namespace assay::presenters
