#include "text/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace assay::cli {

Terminal terminalOf(int descriptor) {
    Terminal result;
    const char* term = std::getenv("TERM");
    const char* noColor = std::getenv("NO_COLOR");
    result.terminal = ::isatty(descriptor) && !(term && std::string_view(term) == "dumb");
    result.color = result.terminal && !(noColor && *noColor);
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) result.columns = size.ws_col;
    return result;
}

int tableWidth() {
    const Terminal out = terminalOf(STDOUT_FILENO);
    return out.terminal ? out.columns : 0;
}

}  // namespace assay::cli
