#pragma once
namespace assay::cli {

struct Terminal {
    bool terminal = false;  // the descriptor is one, and TERM is not "dumb"
    bool color = false;     // NO_COLOR is not set
    int columns = 80;
};
Terminal terminalOf(int descriptor);
int tableWidth();  // of stdout; 0 when it is not a terminal: nothing is cut

}  // namespace assay::cli
