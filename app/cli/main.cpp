#include <QCoreApplication>
#include <csignal>

#include "command.h"

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // `assay runs list | head` ends quietly
    std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit of its size is an error of its writer, who tidies up
    int none = 1;
    QCoreApplication application(none, argv);  // sees argv[0] only: options are parsed by the command line's own rules
    QCoreApplication::setApplicationName(QStringLiteral("assay"));
    return assay::cli::runProgram(argc, argv);
}
