#pragma once
// Tools (PROTOCOL.md, "Tools"): what is computed without a run, in a process of its own, so that neither a crash nor a
// large model file reaches the engine.

#include <assay/core/json.h>

#include <QThreadPool>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace assay::server {

struct ToolOptions {
    std::string program;  // path of `assay`
    std::string store;    // its folder, handed to the tool
    double seconds = 120;
    uint64_t memoryBytes = uint64_t{8} << 30;  // of the tool's own memory; files it maps do not count
};
// $ASSAY_TOOL_PROGRAM, else the sibling of the running program.
std::string defaultToolProgram();
bool isTool(std::string_view name);
Error unknownTool(std::string_view name);

// Runs one tool to its end; looks at `cancelled` all the while. Blocks; any thread.
Result<Json> runTool(const ToolOptions& options, const std::string& name, const Json& params, const std::atomic<bool>& cancelled);

class ToolRunner {
public:
    explicit ToolRunner(ToolOptions options);
    ~ToolRunner();  // waits; callers cancel first
    // `done` is called on another thread. At most four run at once, the others wait in order.
    void start(std::string name, Json params, std::shared_ptr<std::atomic<bool>> cancelled, std::function<void(Result<Json>)> done);

private:
    ToolOptions options_;
    QThreadPool pool_;
};

}  // namespace assay::server
