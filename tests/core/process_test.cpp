#include "assay/core/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "assay/core/durable.h"
#include "temp_folder.h"

namespace assay {
namespace {

ProcessSpec shell(const std::string& script, const std::string& output = {}) {
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", script};
    spec.outputPath = output;
    return spec;
}
// Waits for the end of a child without taking its status.
void waitForEnd(int pid) {
    siginfo_t info{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
}
ExitStatus finish(const ProcessHandle& process) {
    waitForEnd(process.pid);
    return reap(process.pid).value();
}

TEST(Process, passesArgumentsAndEnvironmentUntouched) {
    test::TempFolder folder;
    ProcessSpec spec = shell("printf '%s|' \"$0\" \"$1\" \"$ASSAY_X\" \"$HOME\"; pwd", (folder / "out"));
    spec.argv.insert(spec.argv.end(), {"a b", "$(date) '\"\n;"});
    spec.environment = {{"ASSAY_X", "1=2"}, {"HOME", "/nowhere"}};
    spec.workingFolder = "/usr";
    auto process = launchProcess(spec);
    ASSERT_TRUE(process) << process.error().text();
    EXPECT_EQ(finish(*process).code, 0);
    EXPECT_EQ(readFile((folder / "out")).value(), "a b|$(date) '\"\n;|1=2|/nowhere|/usr\n");
}

TEST(Process, appendsBothStreams) {
    test::TempFolder folder;
    ASSERT_TRUE(writeFileDurably((folder / "out"), "before\n"));
    finish(launchProcess(shell("echo out; echo err >&2", (folder / "out"))).value());
    EXPECT_EQ(readFile((folder / "out")).value(), "before\nout\nerr\n");
}

TEST(Process, exitCodesAndSignals) {
    ExitStatus code = finish(launchProcess(shell("exit 7")).value());
    EXPECT_TRUE(code.exited);
    EXPECT_EQ(code.code, 7);
    ExitStatus killed = finish(launchProcess(shell("kill -9 $$")).value());
    EXPECT_FALSE(killed.exited);
    EXPECT_EQ(killed.signal, SIGKILL);
}

TEST(Process, saysWhyAProgramDoesNotStart) {
    test::TempFolder folder;
    ProcessSpec spec;
    EXPECT_EQ(launchProcess(spec).error().code, ErrorCode::kBadUsage);
    spec.argv = {(folder / "absent")};
    auto absent = launchProcess(spec);
    ASSERT_FALSE(absent);
    EXPECT_EQ(absent.error().code, ErrorCode::kNotFound);
    EXPECT_NE(absent.error().message.find((folder / "absent")), std::string::npos);
    ASSERT_TRUE(writeFileDurably((folder / "text"), "no program", 0644));
    spec.argv = {(folder / "text")};
    EXPECT_EQ(launchProcess(spec).error().code, ErrorCode::kIo);  // not executable
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);               // no zombie is left of any of them
    EXPECT_EQ(errno, ECHILD);
}

TEST(Process, saysWhenFolderOrOutputIsWrong) {
    test::TempFolder folder;
    ProcessSpec spec = shell("true");
    spec.workingFolder = (folder / "gone");
    auto wrong = launchProcess(spec);
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("working folder " + (folder / "gone")), std::string::npos);
    wrong = launchProcess(shell("true", (folder / "gone/out")));
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("output file " + (folder / "gone/out")), std::string::npos);
}

TEST(Process, childSeesNoForeignDescriptors) {
    test::TempFolder folder;
    const int open = ::open("/dev/null", O_RDONLY);  // inheritable on purpose
    finish(launchProcess(shell("ls /proc/self/fd | sort -n | head -c 5", (folder / "out"))).value());
    ::close(open);
    // `ls` itself holds 0-2 and the folder it lists
    EXPECT_EQ(readFile((folder / "out")).value(), "0\n1\n2");
}

TEST(Process, worksWhenTheParentHasNoStandardStreams) {
    test::TempFolder folder;
    const std::string out = (folder / "out");
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
        for (int fd : {0, 1, 2})
            ::close(fd);
        ProcessSpec spec = shell("read line; echo got $line", out);
        spec.stdinPipe = true;
        auto process = launchProcess(spec);
        if (!process) ::_exit(1);
        if (::write(process->stdinFd, "hello\n", 6) != 6) ::_exit(2);
        int status = 0;
        ::waitpid(process->pid, &status, 0);
        spec.argv = {"/no/such/program"};
        auto absent = launchProcess(spec);
        ::_exit(status != 0 ? 3 : !absent && absent.error().code == ErrorCode::kNotFound ? 0 : 4);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(readFile(out).value(), "got hello\n");
}

TEST(Process, stdinPipeEndsWhenItsOwnerClosesIt) {
    ProcessSpec spec = shell("cat >/dev/null; exit 5");
    spec.stdinPipe = true;
    ProcessHandle process = launchProcess(spec).value();
    EXPECT_TRUE(isAlive(process));
    ::close(process.stdinFd);
    EXPECT_EQ(finish(process).code, 5);
}

TEST(Process, newSessionKeepsTerminalSignalsAway) {
    ProcessSpec spec = shell("cat >/dev/null");
    spec.stdinPipe = true;
    ProcessHandle apart = launchProcess(spec).value();
    EXPECT_EQ(::getsid(apart.pid), apart.pid);
    spec.newSession = false;
    ProcessHandle joined = launchProcess(spec).value();
    EXPECT_EQ(::getsid(joined.pid), ::getsid(0));
    for (const auto& process : {apart, joined}) {
        ::close(process.stdinFd);
        finish(process);
    }
}

TEST(Process, signalsBlockedOrIgnoredByTheParentReachTheChild) {
    sigset_t blocked, old;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &blocked, &old);
    auto before = ::signal(SIGPIPE, SIG_IGN);
    ProcessSpec spec = shell("kill -TERM $$; exit 1");
    ExitStatus term = finish(launchProcess(spec).value());
    ExitStatus pipe = finish(launchProcess(shell("kill -PIPE $$; exit 1")).value());
    ::signal(SIGPIPE, before);
    ::sigprocmask(SIG_SETMASK, &old, nullptr);
    EXPECT_EQ(term.signal, SIGTERM);
    EXPECT_EQ(pipe.signal, SIGPIPE);
}

TEST(Process, identityIsPidAndStartTime) {
    ProcessSpec spec = shell("cat >/dev/null");
    spec.stdinPipe = true;
    ProcessHandle process = launchProcess(spec).value();
    EXPECT_GT(process.startTicks, 0u);
    EXPECT_EQ(processStartTicks(process.pid), process.startTicks);
    EXPECT_TRUE(isAlive(process));
    ProcessHandle other = process;  // what a reused pid looks like: same number, another start
    ++other.startTicks;
    EXPECT_FALSE(isAlive(other));
    EXPECT_FALSE(reap(process.pid));  // still running
    ::close(process.stdinFd);
    waitForEnd(process.pid);
    EXPECT_FALSE(isAlive(process)) << "a zombie does nothing any more";
    EXPECT_TRUE(reap(process.pid));
    EXPECT_FALSE(processStartTicks(process.pid));
    EXPECT_FALSE(reap(process.pid));  // not ours any more
}

TEST(Process, commandNamesCannotForgeTheStartTime) {
    test::TempFolder folder;
    const std::string program = (folder / "a) S 1 (b");
    ASSERT_EQ(::symlink("/bin/sh", program.c_str()), 0);
    ProcessSpec spec;
    spec.argv = {program, "-c", "read line"};
    spec.stdinPipe = true;
    ProcessHandle process = launchProcess(spec).value();
    const double ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    EXPECT_NEAR(static_cast<double>(process.startTicks) / ticks, static_cast<double>(now.tv_sec), 60.0);
    ::close(process.stdinFd);
    finish(process);
}

}  // namespace
}  // namespace assay
