#pragma once
// Work that a command does itself: progress on the terminal, Ctrl+C stops it.
#include <assay/core/error.h>

#include <stop_token>
#include <string>
#include <unistd.h>
#include <utility>

#include "context.h"
#include "interrupt.h"
#include "text/progress_view.h"

namespace assay::cli {

// Calls work() with `progress` and `stop` of `options` set; the line of progress is gone when it returns.
template <class Options, class Work>
auto doLocally(Context& context, const std::string& name, Options& options, Work&& work) {
    ProgressView view(terminalOf(STDERR_FILENO), context.options.quiet);
    const InterruptGuard interrupted(true);
    std::stop_source stop;
    options.stop = stop.get_token();
    options.progress = [&](const Progress& p) {
        if (interrupted.count() > 0) stop.request_stop();
        view.draw({stageOf(name, p)});
    };
    auto report = std::forward<Work>(work)();
    view.clear();
    return report;
}

}  // namespace assay::cli
