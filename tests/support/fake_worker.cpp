// A worker that does what a script says, for tests of the engine without LibTorch. The script is the file
// $ASSAY_FAKE_SCRIPTS/<spec name up to / or space>.<kind> (or <spec name>.<kind>.resume for a resumed session, when there is one), one
// command a line:
// Ranks beside rank 0 ($RANK) follow <script>.rank<N>.
//   metrics FROM TO [VALUE]   rows of train/loss (VALUE or 1/(step+1)) for the steps FROM..TO
//   slow FROM TO MS           the same, one row every MS milliseconds
//   record JSON               an event record
//   raw TEXT                  a line as it is;  torn TEXT: without its newline
//   checkpoint STEP           a manifest on disk, and its record
//   file PATH                 an empty file in the run folder (folders are made)
//   print TEXT                to stdout
//   waitfile PATH             until the file exists
//   waitterm                  until SIGTERM;  hang: for ever, deaf to SIGTERM
//   die SIGNAL | exit CODE    without an end record
//   end OUTCOME               done | cancelled | failed: end record and exit
#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/log.h>
#include <assay/protocol/event_writer.h>
#include <assay/protocol/job.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <sstream>

using namespace assay;

namespace {

bool asked = false;

// Waits for SIGTERM, which is blocked in every thread, at most so long; negative: for ever.
void waitForTerm(double milliseconds) {
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    const auto nanoseconds = static_cast<int64_t>(milliseconds * 1e6);
    const timespec limit{static_cast<time_t>(nanoseconds / 1'000'000'000), static_cast<long>(nanoseconds % 1'000'000'000)};
    if ((milliseconds < 0 ? ::sigwaitinfo(&term, nullptr) : ::sigtimedwait(&term, nullptr, &limit)) == SIGTERM) asked = true;
}

int finish(protocol::EventWriter& events, const std::string& outcome) {
    Json end = {{"outcome", outcome}};
    if (outcome == "failed") end["error"] = errorToJson(Error(ErrorCode::kNonFinite, "loss is NaN at step 7", "lower the learning rate"));
    events.record("end", end);
    if (!events.flush()) return 1;
    return static_cast<int>(outcome == "done" ? protocol::WorkerExit::kDone : outcome == "cancelled" ? protocol::WorkerExit::kCancelled : protocol::WorkerExit::kFailed);
}

void rawBytes(const std::string& path, const std::string& text) {
    int fd = ::open(path.c_str(), O_WRONLY | O_APPEND);
    if (fd < 0 || ::write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
    ::close(fd);
}

int run(const protocol::WorkerJob& job) {
    const char* number = std::getenv("RANK");
    const int rank = number ? std::atoi(number) : 0;
    const std::string path = job.runFolder + "/events.rank" + std::to_string(rank) + ".jsonl";
    auto opened = protocol::EventWriter::open(path, job.runId, rank, job.attempt);
    if (!opened) return std::fprintf(stderr, "%s\n", opened.error().text().c_str()), 1;
    protocol::EventWriter& events = **opened;
    const char* folder = std::getenv("ASSAY_FAKE_SCRIPTS");
    std::string script = std::string(folder ? folder : ".") + "/" + jsonStringOr(job.spec, "name", "").substr(0, jsonStringOr(job.spec, "name", "").find_first_of("/ ")) + "." + jsonStringOr(job.spec, "kind", "");
    if (rank > 0) script += ".rank" + std::to_string(rank);
    if (job.resume && std::filesystem::exists(script + ".resume")) script += ".resume";
    auto text = readFile(script);
    if (!text) return std::fprintf(stderr, "%s\n", text.error().text().c_str()), 1;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        std::string rest;
        std::getline(words >> std::ws, rest);
        std::istringstream arguments(rest);
        if (command == "metrics" || command == "slow") {
            int64_t from = 0, to = 0;
            double third = std::nan("");
            arguments >> from >> to;
            if (!(arguments >> third)) third = std::nan("");
            for (int64_t s = from; s <= to && !asked; ++s) {
                const double value = command == "slow" || std::isnan(third) ? 1.0 / static_cast<double>(s + 1) : third;
                events.metric({s, static_cast<double>(s) * 0.5, s * 100, {{"train/loss", value}, {"train/lr", 1e-3}}});
                if (command == "slow") waitForTerm(third);
                else if (s % 10'000 == 9'999) (void)events.flush();  // slower than the queue fills
            }
        } else if (command == "record") {
            auto json = parseJson(rest, "record");
            if (!json) return 1;
            events.record(jsonStringOr(*json, "type", ""), *json);
        } else if (command == "raw" || command == "torn") {
            (void)events.flush();
            rawBytes(path, rest + (command == "raw" ? "\n" : ""));
        } else if (command == "checkpoint") {
            const std::string place = job.runFolder + "/checkpoints/step-" + rest;
            if (!makeFolders(place) || !writeFileDurably(place + "/manifest.json", "{\"files\":[]}")) return 1;
            events.record("checkpoint", {{"step", std::stoll(rest)}, {"path", "checkpoints/step-" + rest}, {"bytes", 14}, {"seconds", 0.01}});
        } else if (command == "file") {
            const std::string target = job.runFolder + "/" + rest;
            if (!makeFolders(std::filesystem::path(target).parent_path()) || !writeFileDurably(target, "x")) return 1;
        } else if (command == "print") {
            std::printf("%s\n", rest.c_str());
            std::fflush(stdout);
        } else if (command == "waitfile") {
            while (!std::filesystem::exists(rest) && !asked) waitForTerm(10);
        } else if (command == "waitterm") {
            (void)events.flush();
            while (!asked) waitForTerm(-1);
        } else if (command == "hang") {
            (void)events.flush();
            while (true) ::pause();  // SIGTERM stays blocked
        } else if (command == "die") {
            (void)events.flush();
            ::kill(::getpid(), std::stoi(rest));
        } else if (command == "exit") {
            (void)events.flush();
            ::_exit(std::stoi(rest));
        } else if (command == "end") {
            return finish(events, asked && rest != "failed" ? "cancelled" : rest);
        }
        waitForTerm(0);
        if (asked) return finish(events, "cancelled");
    }
    return finish(events, "done");
}

}  // namespace

int main(int argc, char** argv) {
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &term, nullptr);
    if (argc != 3 || std::string(argv[1]) != "--job") return 2;
    auto json = readJsonFile(argv[2]);
    if (!json) return std::fprintf(stderr, "%s\n", json.error().text().c_str()), 2;
    auto job = protocol::jobFromJson(*json);
    if (!job) return std::fprintf(stderr, "%s\n", job.error().text().c_str()), 2;
    return run(*job);
}
