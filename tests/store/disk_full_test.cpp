// The store on a full disk: the write says so and is undone, what is there can be read, and writing goes on when there is
// room again.
#include <assay/store/store.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "temp_folder.h"

using namespace assay;
using namespace assay::store;

namespace {

bool mountSmall(const std::string& folder) {
    const int flags = ::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
    return ::unshare(flags) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=4m") == 0;
}

// In a child process with a mount of its own; the number of the check that failed, 0: none.
int check(const std::string& folder) {
    bool mounted = mountSmall(folder);
    if (!mounted) {  // the nearest thing: a limit on the size of files
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{4 << 20, RLIM_INFINITY};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    }
    auto store = Store::open(folder + "/store");
    if (!store) return 2;
    int told = 0;
    (*store)->onTrouble([&] { ++told; });
    Json large = {{"text", std::string(100'000, 'x')}};
    int64_t written = 0;
    Error error;
    for (int i = 0; i < 1000; ++i) {
        auto done = (*store)->write(Promise::kDurable, [&](Writer& w) -> Result<void> {
            ASSAY_TRY(written, w.addEvent("r", "log", large));
            return {};
        });
        if (done) continue;
        error = done.error();
        break;
    }
    if (error.message.empty()) return 3;
    if (mounted && error.code != ErrorCode::kDiskFull) return 4;
    if (error.hint.empty()) return 5;
    if (mounted) {
        const auto trouble = (*store)->trouble();
        if (!trouble || trouble->code != ErrorCode::kDiskFull || trouble->hint.empty() || told != 1) return 12;
        if ((*store)->probe() || !(*store)->trouble() || told != 1) return 13;  // still full, and said once
    }
    int64_t last = -1;
    size_t readable = 0;
    if (!(*store)->read([&](Reader& r) -> Result<void> {
            ASSAY_TRY(last, r.lastSeq());
            ASSAY_TRY(auto events, r.events(0, 10'000, size_t{1} << 30));
            readable = events.size();
            return {};
        }))
        return 6;
    if (last < 1 || static_cast<int64_t>(readable) != last) return 7;
    if (mounted && ::mount("tmpfs", folder.c_str(), "tmpfs", MS_REMOUNT, "size=64m") != 0) return 8;
    if (!mounted) {
        const rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 9;
    }
    auto again = (*store)->write(Promise::kDurable, [&](Writer& w) -> Result<void> {
        ASSAY_TRY(written, w.addEvent("r", "log", large));
        return {};
    });
    if (!again) return 10;
    if ((*store)->trouble() || (mounted && told != 2)) return 14;
    return written == last + 1 ? 0 : 11;
}

}  // namespace

TEST(StoreDiskFull, IsReportedUndoneAndOutlived) {
    test::TempFolder folder;
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) ::_exit(check(folder.path()));
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << "see check() for what this number means";
}
