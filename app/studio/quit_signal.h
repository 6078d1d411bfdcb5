#pragma once
#include <functional>

namespace assay::studio {

// SIGTERM, SIGINT and SIGHUP end the window as its close button does: what was set up is saved.
void onQuitSignal(std::function<void()> quit);

}  // namespace assay::studio
