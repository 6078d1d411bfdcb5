// A folder of text files as one source.
#include <zlib.h>

#include "prepare_support.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

TEST(TextFolder, FilesInTheOrderOfTheirPaths) {
    TempFolder folder;
    fs::create_directories(folder / "docs/b");
    folder.write("docs/c.md", "five\n");
    folder.write("docs/b/one.txt", "two\nthree\n");
    folder.write("docs/a.rst", "one\n");
    folder.write("docs/b/empty.txt", "");
    folder.write("docs/picture.png", "\x89PNG");
    gzFile packed = gzopen((folder / "docs/b/z.txt.gz").c_str(), "wb");
    ASSERT_TRUE(packed);
    EXPECT_EQ(gzwrite(packed, "four\n", 5), 5);
    gzclose(packed);
    auto spec = bytesSpec(folder / "docs", 64);
    spec.eval = spec.train[0];
    spec.eval->split = {config::SplitRule::Kind::kLast, 40};
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.documents, 3);
    EXPECT_EQ(report.evalDocuments, 2);
    auto held = readFile(report.path + "/eval.txt");
    ASSERT_TRUE(held);
    EXPECT_EQ(*held, "four\nfive");
    EXPECT_TRUE(prepared(spec, cacheIn(folder)).cacheHit);
    folder.write("docs/d.txt", "six\n");
    const auto more = prepared(spec, cacheIn(folder));
    EXPECT_FALSE(more.cacheHit);
    EXPECT_EQ(more.documents + more.evalDocuments, 6);
    // A document a file: five files that hold something, and the new one.
    spec.document = config::Document::kFile;
    const auto files = prepared(spec, cacheIn(folder));
    EXPECT_EQ(files.documents + files.evalDocuments, 5);
}

TEST(TextFolder, FaultsNameTheirFileAndFoldersWithoutTextAreRefused) {
    TempFolder folder;
    fs::create_directories(folder / "docs");
    folder.write("docs/a.txt", "one\ntwo\n");
    folder.write("docs/b.txt", "sound\nnot \xFF UTF-8\n");
    const auto report = prepared(bytesSpec(folder / "docs", 64), cacheIn(folder));
    EXPECT_EQ(report.documents, 3);
    EXPECT_EQ(report.dropped, (std::map<std::string, int64_t>{{"not_utf8", 1}}));
    EXPECT_EQ(report.problems[0]["row"], 4);
    EXPECT_EQ(report.problems[0]["line"], 2);
    fs::create_directories(folder / "other");
    folder.write("other/a.bin", "x");
    auto refused = prepareDataset(bytesSpec(folder / "other", 64), cacheIn(folder));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidFile);
    EXPECT_NE(refused.error().hint.find(".txt"), std::string::npos);
}

TEST(OtherFiles, AreNotTakenForText) {
    TempFolder folder;
    for (const auto& [name, bytes, word] : {std::tuple{"m.gguf", std::string("GGUF\3\0\0\0", 8), "GGUF"}, {"a.pdf", std::string("%PDF-1.7\n"), "PDF"}, {"m.safetensors", std::string("\x40\0\0\0\0\0\0\0{\"a\":", 13), "safetensors"}, {"x.docx", std::string("PK\3\4..."), "zip"}}) {
        auto refused = prepareDataset(bytesSpec(folder.write(name, bytes), 64), cacheIn(folder));
        ASSERT_FALSE(refused) << name;
        EXPECT_NE(refused.error().message.find(word), std::string::npos) << refused.error().text();
    }
    auto spec = bytesSpec(folder.write("b.pdf", "%PDF-1.7\n"), 64);  // asked for as text
    spec.train[0].format = "text";
    EXPECT_EQ(prepared(spec, cacheIn(folder)).documents, 1);
}

TEST(OtherColumns, TheHintNamesTheColumnThatWasAskedForAndThoseThatAreThere) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("a.jsonl", "{\"text\":\"x\",\"id\":1}\n"), 64);
    spec.train[0].columns = {{"text", "body"}};
    auto refused = prepareDataset(spec, cacheIn(folder));
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("\"body\""), std::string::npos) << refused.error().text();
    EXPECT_NE(refused.error().text().find("columns are "), std::string::npos) << refused.error().text();
}

}  // namespace
}  // namespace assay::data
