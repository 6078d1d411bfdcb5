#pragma once
// One function per command, each in the file of its name under commands/.

namespace assay::cli {

class Commands;

void addAttach(Commands&);
void addBench(Commands&);
void addChatRender(Commands&);
void addCheck(Commands&);
void addCompare(Commands&);
void addDataExport(Commands&);
void addDataImport(Commands&);
void addDataInspect(Commands&);
void addDataList(Commands&);
void addDataPrepare(Commands&);
void addDetokenize(Commands&);
void addDoctor(Commands&);
void addEngineStart(Commands&);
void addEngineStatus(Commands&);
void addEngineStop(Commands&);
void addEngineToken(Commands&);
void addEval(Commands&);
void addGenerate(Commands&);
void addPlan(Commands&);
void addQuantize(Commands&);
void addReport(Commands&);
void addRun(Commands&);
void addRunsFork(Commands&);
void addRunsList(Commands&);
void addRunsLog(Commands&);
void addRunsMetrics(Commands&);
void addRunsRemove(Commands&);
void addRunsResume(Commands&);
void addRunsShow(Commands&);
void addRunsVerifyResume(Commands&);
void addRunsStop(Commands&);
void addTokenize(Commands&);
void addTool(Commands&);

}  // namespace assay::cli
