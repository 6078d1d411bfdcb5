// A write that does not fit: the error says so, the old content stays, no temporary file is left.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "assay/core/durable.h"
#include "temp_folder.h"

namespace assay {
namespace {

// Mounts a file system of 128 KiB that only this process sees; false where the kernel does not let us.
bool mountTiny(const std::string& folder) {
    const int flags = ::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
    return ::unshare(flags) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=128k") == 0;
}

// Runs in a child process; returns 0 when all is as it should be, else the number of the check that failed.
int checkFull(const std::string& folder) {
    ErrorCode expected = ErrorCode::kDiskFull;
    if (!mountTiny(folder)) {  // the nearest thing: a limit on the size of files
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{128 << 10, 128 << 10};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
        expected = ErrorCode::kIo;
    }
    const std::string path = folder + "/file";
    if (!writeFileDurably(path, "old")) return 2;
    if (expected == ErrorCode::kDiskFull) {
        if (!requireFreeSpace(folder, 1 << 10)) return 10;
        auto room = requireFreeSpace(folder, 1 << 20);
        if (room || room.error().code != ErrorCode::kDiskFull || room.error().hint.empty()) return 11;
        if (room.error().message.find("1048576") == std::string::npos) return 12;
    }
    auto full = writeFileDurably(path, std::string(1 << 20, 'x'));
    if (full) return 3;
    if (full.error().code != expected) return 4;
    if (full.error().message.find(path) == std::string::npos) return 5;
    if (expected == ErrorCode::kDiskFull && full.error().hint.empty()) return 6;
    if (readFile(path).value_or("") != "old") return 7;
    if (test::entriesIn(folder) != 1) return 8;
    return writeFileDurably(path, "new") ? 0 : 9;  // and it goes on once the write fits
}

TEST(DiskFull, oldContentStaysAndTheErrorSaysWhy) {
    test::TempFolder folder;
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) ::_exit(checkFull(folder.path()));
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << "number of the failed check";
}

}  // namespace
}  // namespace assay
