#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/paths.h>
#include <assay/core/process.h>
#include <assay/report/report.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "command.h"
#include "registry.h"
#include "run/fetch.h"
#include "run/job.h"
#include "text/format.h"

namespace assay::cli {
namespace {

constexpr int kCurvePoints = 1000;  // per curve: more than a page can show
constexpr const char* kCurves[] = {"train/loss", "eval/loss", "train/grad_norm", "train/lr", "train/tokens_per_s"};

struct Options {
    std::vector<std::string> ids;
    std::string out;
    report::CompareOptions compare;
};

Result<void> addSeries(client::SyncClient& engine, const Json& run, std::vector<report::Series>& series) {
    const std::string id = jsonStringOr(run, "id", "");
    ASSAY_TRY(const Json reply, engine.callAgain("metrics.names", {{"run", id}}));
    std::set<std::string> names;
    for (const Json& name : reply.value("names", Json::array()))
        if (name.is_string()) names.insert(name.get<std::string>());
    for (const char* name : kCurves) {
        if (!names.count(name)) continue;
        ASSAY_TRY(const Json curve, engine.callAgain("metrics.query", {{"run", id}, {"name", name}, {"max_points", kCurvePoints}}));
        series.push_back({id, jsonStringOr(run, "name", id), name, curve.value("points", Json::array())});
    }
    if (auto children = run.find("children"); children != run.end() && children->is_array())
        for (const Json& child : *children)
            if (child.is_object()) ASSAY_TRY_VOID(addSeries(engine, child, series));
    return {};
}

bool isPdf(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return ending == ".pdf";
}

std::string studioPath() { return executableFolder() + "/assay-studio"; }

// A folder of its own for what is handed over: other users must not read it, and it goes whatever happens.
class PrivateFolder {
public:
    static Result<PrivateFolder> make() {
        std::error_code code;
        std::filesystem::path base = std::filesystem::temp_directory_path(code);
        std::string path = (code ? std::string("/tmp") : base.string()) + "/assay-report-XXXXXX";
        if (!::mkdtemp(path.data())) return fail(systemError("making a temporary folder", path, errno));
        return PrivateFolder(std::move(path));
    }
    explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
    PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    PrivateFolder& operator=(PrivateFolder&& other) noexcept {
        std::swap(path_, other.path_);
        return *this;
    }
    ~PrivateFolder() {
        if (!path_.empty()) (void)removeTree(path_);
    }
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

// What the child says until it closes its output. It is ended when that takes longer than a drawing may.
Result<std::string> outputOf(const ProcessHandle& child) {
    constexpr auto kLimit = std::chrono::minutes(2);
    constexpr size_t kMost = size_t{1} << 20;
    const auto end = std::chrono::steady_clock::now() + kLimit;
    std::string out;
    pollfd files[2] = {{child.stdoutFd, POLLIN, 0}, {child.stderrFd, POLLIN, 0}};
    int open = 2;
    while (open > 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
        if (left <= 0) {
            ::kill(child.pid, SIGKILL);
            return fail(ErrorCode::kInternal, "assay-studio took more than two minutes to draw the report");
        }
        if (::poll(files, 2, static_cast<int>(left)) < 0 && errno != EINTR) return fail(systemError("waiting for", studioPath(), errno));
        for (pollfd& file : files) {
            if (file.fd < 0 || !(file.revents & (POLLIN | POLLHUP | POLLERR))) continue;
            char bytes[4096];
            const ssize_t n = ::read(file.fd, bytes, sizeof bytes);
            if (n > 0 && &file == files && out.size() < kMost) out.append(bytes, static_cast<size_t>(n));
            if (n == 0 || (n < 0 && errno != EINTR)) {
                file.fd = -1;
                --open;
            }
        }
    }
    return out;
}

Result<report::Written> drawPdf(const std::string& path, const report::ReportInput& input) {
    ASSAY_TRY(const PrivateFolder folder, PrivateFolder::make());
    const std::string file = folder.path() + "/input.json";
    ASSAY_TRY_VOID(writeFileDurably(file, dumpJson(report::reportInputToJson(input)), 0600));
    ProcessSpec spec;
    spec.argv = {studioPath(), "--render-report", file, "--out", path};
    spec.environment = {{"QT_QPA_PLATFORM", "offscreen"}};
    spec.outputPipes = true;
    spec.newSession = false;  // Ctrl-C reaches it too
    ASSAY_TRY(const ProcessHandle child, launchProcess(spec));
    auto said = outputOf(child);
    for (const int descriptor : {child.stdinFd, child.stdoutFd, child.stderrFd})
        if (descriptor >= 0) ::close(descriptor);
    int status = 0;
    while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!said) return fail(std::move(said).error());
    const std::string line = said->substr(0, said->find('\n'));
    const auto answer = parseJson(line, "answer of assay-studio");
    if (!answer || !answer->is_object())
        return fail(ErrorCode::kInternal, WIFSIGNALED(status) ? fmt::format("assay-studio was ended by signal {} while it drew the report", WTERMSIG(status)) : std::string("assay-studio did not say what became of the report"),
                    "write .html instead and print it from a browser");
    if (auto error = answer->find("error"); error != answer->end()) return fail(errorFromJson(*error));
    return report::Written{jsonStringOr(*answer, "path", path), jsonStringOr(*answer, "sha256", "")};
}

Result<int> makeReport(Context& context, const Options& options) {
    if (isPdf(options.out) && ::access(studioPath().c_str(), X_OK) != 0)  // before anything is fetched
        return fail(ErrorCode::kUnsupported, "a PDF is drawn by assay-studio, which is not installed beside assay", "install the studio, or give an .html file, which prints well, or .csv or .json");
    report::ReportInput input;
    ASSAY_TRY(input.runs, fetchRuns(context, options.ids));
    ASSAY_TRY(input.comparison, report::buildComparison(input.runs, options.compare));
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    for (const Json& run : input.runs) ASSAY_TRY_VOID(addSeries(*engine, run, input.series));
    input.version = ASSAY_VERSION;
    input.time = isoTime(wallSeconds());
    const std::string out = outputFolder(options.out);
    ASSAY_TRY(const report::Written written, isPdf(out) ? drawPdf(out, input) : report::writeReport(out, input));
    context.out.result({{"path", written.path}, {"sha256", written.sha256}}, [&] { return safeText(written.path); });
    return 0;
}

}  // namespace

void addReport(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("report", "a comparison as a file that leaves the house", [o](Context& c) { return makeReport(c, *o); });
    app->add_option("ID", o->ids, "runs, or run:ID/SET-UP")->required();
    app->add_option("--out", o->out, "F.html, F.pdf, F.csv or F.json")->required();
    app->add_option("--baseline", o->compare.baseline, "set-up, run or name that the others are compared with");
    app->add_option("--target", o->compare.target, "METRIC<=VALUE");
}

}  // namespace assay::cli
