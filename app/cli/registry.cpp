// Every command of the program: one line each, in the order of `assay --help`.
#include "registry.h"

#include "command.h"

namespace assay::cli {

void addAllCommands(Commands& commands) {
    constexpr void (*kCommands[])(Commands&) = {
        addRun,        addRunsList,    addRunsShow,   addRunsStop,    addRunsResume, addRunsFork,    addRunsRemove,
        addRunsLog,    addRunsMetrics, addRunsVerifyResume, addCheck,      addDataInspect, addDataPrepare, addDataExport, addDataImport, addDataList, addTokenize,   addDetokenize, addChatRender,
        addEval,       addGenerate,    addQuantize,   addBench,       addCompare,    addReport,      addEngineStart,
        addEngineStop, addEngineStatus, addEngineToken, addAttach,    addDoctor,     addPlan,
        addTool,
    };
    for (auto* add : kCommands) add(commands);
}

}  // namespace assay::cli
