#pragma once
class QObject;

namespace assay::shell {
class MainWindow;
}

namespace assay::studio {

// ASSAY_STUDIO_TIMING=1: prints when the window was first painted and when its first list was there.
void reportTiming(shell::MainWindow& window);

}  // namespace assay::studio
