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
using testing::entriesIn;
using testing::TempFolder;

std::string content(const std::string& path) {
    return readFile(path).value();
}

TEST(Durable, writesAndReplaces) {
    TempFolder folder;
    const std::string path = folder.file("a"), bytes("one\0two", 7);
    ASSERT_TRUE(writeFileDurably(path, bytes));
    EXPECT_EQ(content(path), bytes);
    ASSERT_TRUE(writeFileDurably(path, ""));
    EXPECT_EQ(content(path), "");
    EXPECT_EQ(entriesIn(folder.path()), 1u);
}

TEST(Durable, modeHoldsWhateverTheMask) {
    TempFolder folder;
    const mode_t before = ::umask(0077);
    auto done = writeFileDurably(folder.file("open"), "x", 0644);
    ::umask(0);
    auto secret = writeFileDurably(folder.file("secret"), "x", 0600);
    ::umask(before);
    ASSERT_TRUE(done && secret);
    struct stat status {};
    ::stat(folder.file("open").c_str(), &status);
    EXPECT_EQ(status.st_mode & 0777, 0644u);
    ::stat(folder.file("secret").c_str(), &status);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(Durable, failureLeavesTheOldContentAndNothingElse) {
    TempFolder folder;
    EXPECT_EQ(writeFileDurably(folder.file("no/such/file"), "x").error().code, ErrorCode::kNotFound);
    fs::create_directory(folder.file("folder"));
    EXPECT_EQ(writeFileDurably(folder.file("folder"), "x").error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(entriesIn(folder.path()), 1u);
}

TEST(Durable, concurrentWritersLeaveOneWholeFile) {
    TempFolder folder;
    const std::string path = folder.file("shared");
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
    EXPECT_EQ(readFile(folder.file("absent")).error().code, ErrorCode::kNotFound);
    ASSERT_TRUE(writeFileDurably(folder.file("ten"), "0123456789"));
    EXPECT_EQ(readFile(folder.file("ten"), 9).error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(readFile(folder.file("ten"), 10).value(), "0123456789");
    EXPECT_EQ(readFile("/dev/zero", 1000).error().code,
              ErrorCode::kInvalidFile);  // states no size, never ends
}

TEST(Durable, makeFoldersIsIdempotentAndNamesWhatIsInTheWay) {
    TempFolder folder;
    EXPECT_TRUE(makeFolders(folder.file("a/b/c")));
    EXPECT_TRUE(makeFolders(folder.file("a/b/c/")));
    EXPECT_TRUE(fs::is_directory(folder.file("a/b/c")));
    ASSERT_TRUE(writeFileDurably(folder.file("file"), "x"));
    EXPECT_FALSE(makeFolders(folder.file("file/under")));
    auto taken = makeFolders(folder.file("file"));
    ASSERT_FALSE(taken);
    EXPECT_NE(taken.error().message.find(folder.file("file")), std::string::npos);
}

TEST(Durable, commitFolderMovesAWholeTree) {
    TempFolder folder;
    ASSERT_TRUE(makeFolders(folder.file("staged/deep")));
    ASSERT_TRUE(makeFolders(folder.file("place")));
    ASSERT_TRUE(writeFileDurably(folder.file("staged/deep/x"), "1"));
    fs::create_symlink("nowhere", folder.file("staged/dangling"));
    ASSERT_TRUE(commitFolder(folder.file("staged"), folder.file("place/done")));
    EXPECT_EQ(content(folder.file("place/done/deep/x")), "1");
    EXPECT_FALSE(fs::exists(folder.file("staged")));
}

TEST(Durable, commitFolderNeverReplaces) {
    TempFolder folder;
    ASSERT_TRUE(makeFolders(folder.file("staged")));
    ASSERT_TRUE(makeFolders(folder.file("empty")));  // plain rename(2) would replace this one
    EXPECT_FALSE(commitFolder(folder.file("staged"), folder.file("empty")));
    EXPECT_TRUE(fs::is_directory(folder.file("staged")));
    EXPECT_FALSE(commitFolder(folder.file("absent"), folder.file("new")));
    EXPECT_FALSE(fs::exists(folder.file("new")));
}

TEST(Durable, removeTreeAcceptsWhatIsAbsent) {
    TempFolder folder;
    ASSERT_TRUE(makeFolders(folder.file("a/b")));
    EXPECT_TRUE(removeTree(folder.file("a")));
    EXPECT_TRUE(removeTree(folder.file("a")));
    EXPECT_EQ(entriesIn(folder.path()), 0u);
}

TEST(Durable, mapsFilesAndRefusesFolders) {
    TempFolder folder;
    ASSERT_TRUE(writeFileDurably(folder.file("some"), "abc"));
    ASSERT_TRUE(writeFileDurably(folder.file("none"), ""));
    MappedFile some = MappedFile::open(folder.file("some")).value();
    EXPECT_EQ(some.bytes(), "abc");
    MappedFile moved = std::move(some);
    EXPECT_EQ(moved.bytes(), "abc");
    EXPECT_EQ(MappedFile::open(folder.file("none")).value().bytes(), "");
    EXPECT_EQ(MappedFile::open(folder.path()).error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(MappedFile::open(folder.file("absent")).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace assay
