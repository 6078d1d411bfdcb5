#include "assay/core/durable.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "temp_folder.h"

namespace assay {
namespace {
namespace fs = std::filesystem;
using test::entriesIn;
using test::TempFolder;

std::string content(const std::string& path) {
    return readFile(path).value();
}

TEST(Durable, writesAndReplaces) {
    TempFolder folder;
    const std::string path = (folder / "a"), bytes("one\0two", 7);
    ASSERT_TRUE(writeFileDurably(path, bytes));
    EXPECT_EQ(content(path), bytes);
    ASSERT_TRUE(writeFileDurably(path, ""));
    EXPECT_EQ(content(path), "");
    EXPECT_EQ(entriesIn(folder.path()), 1u);
}

TEST(Durable, modeHoldsWhateverTheMask) {
    TempFolder folder;
    const mode_t before = ::umask(0077);
    auto done = writeFileDurably((folder / "open"), "x", 0644);
    ::umask(0);
    auto secret = writeFileDurably((folder / "secret"), "x", 0600);
    ::umask(before);
    ASSERT_TRUE(done && secret);
    struct stat status {};
    ::stat((folder / "open").c_str(), &status);
    EXPECT_EQ(status.st_mode & 0777, 0644u);
    ::stat((folder / "secret").c_str(), &status);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(Durable, failureLeavesTheOldContentAndNothingElse) {
    TempFolder folder;
    EXPECT_EQ(writeFileDurably((folder / "no/such/file"), "x").error().code, ErrorCode::kNotFound);
    fs::create_directory((folder / "folder"));
    EXPECT_EQ(writeFileDurably((folder / "folder"), "x").error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(entriesIn(folder.path()), 1u);
}

TEST(Durable, concurrentWritersLeaveOneWholeFile) {
    TempFolder folder;
    const std::string path = (folder / "shared");
    std::vector<std::thread> writers;
    for (char letter = 'a'; letter < 'e'; ++letter)
        writers.emplace_back([&, letter] {
            for (int i = 0; i < 10; ++i)
                EXPECT_TRUE(writeFileDurably(path, std::string(5000, letter)));
        });
    for (auto& writer : writers)
        writer.join();
    const std::string last = content(path);
    EXPECT_EQ(last, std::string(5000, last.at(0)));
    EXPECT_EQ(entriesIn(folder.path()), 1u);
}

TEST(Durable, readRefusesFoldersAbsentAndTooLargeFiles) {
    TempFolder folder;
    EXPECT_EQ(readFile(folder.path()).error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(readFile((folder / "absent")).error().code, ErrorCode::kNotFound);
    ASSERT_TRUE(writeFileDurably((folder / "ten"), "0123456789"));
    EXPECT_EQ(readFile((folder / "ten"), 9).error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(readFile((folder / "ten"), 10).value(), "0123456789");
    EXPECT_EQ(readFile("/dev/zero", 1000).error().code,
              ErrorCode::kInvalidFile);  // states no size, never ends
}

TEST(Durable, makeFoldersIsIdempotentAndNamesWhatIsInTheWay) {
    TempFolder folder;
    EXPECT_TRUE(makeFolders((folder / "a/b/c")));
    EXPECT_TRUE(makeFolders((folder / "a/b/c/")));
    EXPECT_TRUE(fs::is_directory((folder / "a/b/c")));
    ASSERT_TRUE(writeFileDurably((folder / "file"), "x"));
    EXPECT_FALSE(makeFolders((folder / "file/under")));
    auto taken = makeFolders((folder / "file"));
    ASSERT_FALSE(taken);
    EXPECT_NE(taken.error().message.find((folder / "file")), std::string::npos);
}

TEST(Durable, commitFolderMovesAWholeTree) {
    TempFolder folder;
    ASSERT_TRUE(makeFolders((folder / "staged/deep")));
    ASSERT_TRUE(makeFolders((folder / "place")));
    ASSERT_TRUE(writeFileDurably((folder / "staged/deep/x"), "1"));
    fs::create_symlink("nowhere", (folder / "staged/dangling"));
    ASSERT_TRUE(commitFolder((folder / "staged"), (folder / "place/done")));
    EXPECT_EQ(content((folder / "place/done/deep/x")), "1");
    EXPECT_FALSE(fs::exists((folder / "staged")));
}

TEST(Durable, commitFolderNeverReplaces) {
    TempFolder folder;
    ASSERT_TRUE(makeFolders((folder / "staged")));
    ASSERT_TRUE(makeFolders((folder / "empty")));  // plain rename(2) would replace this one
    EXPECT_FALSE(commitFolder((folder / "staged"), (folder / "empty")));
    EXPECT_TRUE(fs::is_directory((folder / "staged")));
    EXPECT_FALSE(commitFolder((folder / "absent"), (folder / "new")));
    EXPECT_FALSE(fs::exists((folder / "new")));
}

TEST(Durable, removeTreeAcceptsWhatIsAbsent) {
    TempFolder folder;
    ASSERT_TRUE(makeFolders((folder / "a/b")));
    EXPECT_TRUE(removeTree((folder / "a")));
    EXPECT_TRUE(removeTree((folder / "a")));
    EXPECT_EQ(entriesIn(folder.path()), 0u);
}

TEST(Durable, mapsFilesAndRefusesFolders) {
    TempFolder folder;
    ASSERT_TRUE(writeFileDurably((folder / "some"), "abc"));
    ASSERT_TRUE(writeFileDurably((folder / "none"), ""));
    MappedFile some = MappedFile::open((folder / "some")).value();
    EXPECT_EQ(some.bytes(), "abc");
    MappedFile moved = std::move(some);
    EXPECT_EQ(moved.bytes(), "abc");
    EXPECT_EQ(MappedFile::open((folder / "none")).value().bytes(), "");
    EXPECT_EQ(MappedFile::open(folder.path()).error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(MappedFile::open((folder / "absent")).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace assay
