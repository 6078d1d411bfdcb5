#include <fmt/format.h>

#include "run/follow.h"

namespace assay::cli {

int showOutcome(Context& context, const Followed& followed, const Json& extra) {
    Json document = runDocument(followed.run);
    document.update(extra);
    const int code = followed.detached ? 130 : exitCodeOfRun(followed.run);
    context.out.result(document, [&] { return fmt::format("run {}\n{}", jsonStringOr(followed.run, "id", ""), stageTable(followed.run)); });
    if (!followed.detached && code != 0) context.out.error(errorOfRun(followed.run));
    return code;
}

}  // namespace assay::cli
