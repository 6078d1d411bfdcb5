#include "assay/core/paths.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "assay/core/durable.h"
#include "temp_folder.h"

namespace assay {
namespace {

class Paths : public ::testing::Test {
protected:
    void SetUp() override {
        for (const char* name : {"ASSAY_CACHE", "ASSAY_STORE", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
            ::unsetenv(name);
        ::setenv("HOME", "/home/someone", 1);
    }
};

TEST_F(Paths, followTheEnvironmentInTheDocumentedOrder) {
    EXPECT_EQ(cacheRoot(), "/home/someone/.cache/assay");
    EXPECT_EQ(defaultStore(), "/home/someone/.local/share/assay");
    ::setenv("XDG_CACHE_HOME", "/x/cache", 1);
    ::setenv("XDG_DATA_HOME", "/x/data", 1);
    EXPECT_EQ(cacheRoot(), "/x/cache/assay");
    EXPECT_EQ(defaultStore(), "/x/data/assay");
    ::setenv("ASSAY_CACHE", "/own/cache", 1);
    ::setenv("ASSAY_STORE", "/own/store", 1);
    EXPECT_EQ(assetsRoot(), "/own/cache/assets");
    EXPECT_EQ(defaultStore(), "/own/store");
    ::unsetenv("HOME");
    EXPECT_EQ(cacheRoot(), "/own/cache");
}

TEST_F(Paths, assetsResolveInsideTheirFolderOnly) {
    test::TempFolder folder;
    ::setenv("ASSAY_CACHE", folder.path().c_str(), 1);
    ASSERT_TRUE(makeFolders((folder / "assets/kjv")));
    ASSERT_TRUE(writeFileDurably((folder / "assets/kjv/kjv.txt"), "x"));
    EXPECT_EQ(resolveAsset("asset:kjv/kjv.txt").value(), (folder / "assets/kjv/kjv.txt"));
    EXPECT_EQ(resolveAsset("plain/path").value(), "plain/path");
    for (const char* escape :
         {"asset:", "asset:/etc/passwd", "asset:../secret", "asset:kjv/../../secret", "asset:.."})
        EXPECT_EQ(resolveAsset(escape).error().code, ErrorCode::kBadUsage) << escape;
    auto absent = resolveAsset("asset:kjv/other.txt");
    ASSERT_FALSE(absent);
    EXPECT_EQ(absent.error().code, ErrorCode::kNotFound);
    EXPECT_NE(absent.error().hint.find("packaging/dev deps"), std::string::npos);
}

TEST_F(Paths, relativePathsAreTakenFromTheGivenFolder) {
    EXPECT_EQ(absolutePath("/specs/a", "corpus.txt"), "/specs/a/corpus.txt");
    EXPECT_EQ(absolutePath("/specs/a", "../x/./y"), "/specs/x/y");
    for (const char* kept : {"/abs/path", "asset:kjv/kjv.txt", "run:0123456789abc", "blob:abc", ""})
        EXPECT_EQ(absolutePath("/specs", kept), kept);
    EXPECT_EQ(absolutePath("sub", "f"), (std::filesystem::current_path() / "sub/f").string());
}

TEST_F(Paths, executableFolderHoldsThisTest) {
    EXPECT_TRUE(std::filesystem::exists(executableFolder() + "/test_core"));
}

}  // namespace
}  // namespace assay
