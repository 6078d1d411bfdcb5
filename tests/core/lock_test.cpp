#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "assay/core/durable.h"
#include "temp_folder.h"

namespace assay {
namespace {

TEST(FileLock, secondHolderIsToldWhoHoldsIt) {
    test::TempFolder folder;
    const std::string path = (folder / "lock");
    {
        auto first = FileLock::acquire(path, "pid 17, the first");
        ASSERT_TRUE(first);
        auto second = FileLock::acquire(path, "the second");
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, ErrorCode::kBusy);
        EXPECT_NE(second.error().message.find("pid 17, the first"), std::string::npos);
        FileLock moved = std::move(*first);
        EXPECT_FALSE(FileLock::acquire(path, "x"));
    }
    auto third = FileLock::acquire(path, "3");
    ASSERT_TRUE(third);
    EXPECT_EQ(readFile(path).value(), "3");  // a shorter note replaces a longer one
}

TEST(FileLock, isReleasedWhenTheHolderIsKilled) {
    test::TempFolder folder;
    const std::string path = (folder / "lock");
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
        auto lock = FileLock::acquire(path, "child");
        [[maybe_unused]] ssize_t n = ::write(ready[1], lock ? "y" : "n", 1);
        while (true)
            ::pause();
    }
    char answer = 0;
    ASSERT_EQ(::read(ready[0], &answer, 1), 1);
    ASSERT_EQ(answer, 'y');
    EXPECT_EQ(FileLock::acquire(path, "parent").error().code, ErrorCode::kBusy);
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    EXPECT_TRUE(FileLock::acquire(path, "parent"));
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST(FileLock, missingFolderIsNotFound) {
    test::TempFolder folder;
    EXPECT_EQ(FileLock::acquire((folder / "no/lock"), "x").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace assay
