#include "import/documents.h"

#include <zlib.h>
#include <zstd.h>

#include "support.h"

namespace assay::data {
namespace {

std::vector<std::string> texts(const Documents& docs) { return {docs.texts.begin(), docs.texts.end()}; }

class Import : public testing::Test {
protected:
    std::unique_ptr<Documents> read(const std::string& name, std::string_view bytes, config::Document document = config::Document::kLine,
                                    std::vector<std::pair<std::string, std::string>> columns = {}) {
        config::DataSource source;
        source.path = folder_.write(name, bytes);
        source.columns = std::move(columns);
        auto docs = readDocuments(source, document);
        EXPECT_TRUE(docs) << docs.error().text();
        return docs ? std::move(*docs) : nullptr;
    }
    ErrorCode code(const std::string& name, std::string_view bytes, const std::string& format = "auto") {
        config::DataSource source;
        source.path = folder_.write(name, bytes);
        source.format = format;
        auto docs = readDocuments(source, config::Document::kLine);
        return docs ? ErrorCode::kInternal : docs.error().code;
    }
    TempFolder folder_;
};

TEST_F(Import, LinesEndAtNewlinesOnly) {
    auto docs = read("a.txt", "\xEF\xBB\xBF" "a\u2028b\r\nc\u0085\rd\n\ne");
    EXPECT_EQ(texts(*docs), (std::vector<std::string>{"a\u2028b", "c\u0085", "d", "e"}));
    EXPECT_EQ(docs->dropped(), (std::map<std::string, int64_t>{{"empty", 1}}));
    EXPECT_EQ(docs->lines, (std::vector<int64_t>{1, 2, 3, 5}));
}

TEST_F(Import, ParagraphsAndWholeFile) {
    EXPECT_EQ(texts(*read("a.txt", "a\nb\n \n\nc\r\n\r\nd", config::Document::kParagraph)), (std::vector<std::string>{"a\nb", "c", "d"}));
    EXPECT_EQ(texts(*read("a.txt", "a\n\nb\n", config::Document::kFile)), (std::vector<std::string>{"a\n\nb\n"}));
}

TEST_F(Import, BadRowsAreDroppedAndCounted) {
    auto docs = read("a.txt", std::string("good\nb\xE9" "d\nnul\0in\n", 16));
    EXPECT_EQ(docs->texts.size(), 2u);
    EXPECT_EQ(docs->dropped(), (std::map<std::string, int64_t>{{"not_utf8", 1}}));
    ASSERT_EQ(docs->problems.size(), 2u);
    EXPECT_EQ(docs->problems[0].line, 2);
    EXPECT_EQ(docs->problems[1].reason, "nul_byte");
}

TEST_F(Import, JsonRowsOfEveryShape) {
    auto docs = read("a.jsonl",
                     "\xEF\xBB\xBF{\"text\":\"one\"}\r\n\n{\"prompt\":\"a\",\"completion\":\"b\"}\n{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":null}]}\n"
                     "{\"text\":\"\\ud83d\"}\n{\"text\":5}\n{\"other\":\"x\"}\n[1]\n{\"text\":\"cut");
    EXPECT_EQ(texts(*docs), (std::vector<std::string>{"one", "ab", "hi\n"}));
    EXPECT_EQ(docs->dropped(), (std::map<std::string, int64_t>{{"bad_json", 2}, {"not_text", 1}, {"missing_column", 1}, {"not_an_object", 1}}));
    EXPECT_EQ(docs->problems[0].line, 5);
    EXPECT_EQ(texts(*read("b.json", " [{\"body\":\"x\"},{\"body\":\"y\"}]", config::Document::kLine, {{"text", "body"}})), (std::vector<std::string>{"x", "y"}));
}

TEST_F(Import, CsvWithQuotes) {
    EXPECT_EQ(texts(*read("a.csv", "id;text\r\n1;\"a;b\nc\"\"d\"\r\n2;e\r\n3\r\n")), (std::vector<std::string>{"a;b\nc\"d", "e"}));
    EXPECT_EQ(code("b.csv", "x,y\n1,2\n"), ErrorCode::kInvalidFile);
}

TEST_F(Import, WrongFilesAreNamed) {
    EXPECT_EQ(code("empty.txt", ""), ErrorCode::kInvalidFile);
    EXPECT_EQ(code("utf16.txt", std::string("\xFF\xFE" "a\0", 4)), ErrorCode::kInvalidFile);
    EXPECT_EQ(code("a.parquet", "PAR1"), ErrorCode::kUnsupported);
    EXPECT_EQ(code("a.txt", "x", "arrow"), ErrorCode::kUnsupported);
    EXPECT_EQ(code("a.txt", "x", "cvs"), ErrorCode::kBadUsage);
}

std::string gzip(std::string_view plain) {
    z_stream z{};
    deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(plain.size() + 100, '\0');
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    z.avail_in = static_cast<uInt>(plain.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    deflate(&z, Z_FINISH);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
}
std::string zstd(std::string_view plain) {
    std::string out(ZSTD_compressBound(plain.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3));
    return out;
}

TEST_F(Import, CompressedFilesWithSeveralParts) {
    const std::vector<std::string> expected{"one", "two"};
    EXPECT_EQ(texts(*read("a.txt.gz", gzip("one\n") + gzip("two\n"))), expected);
    EXPECT_EQ(texts(*read("a.txt.zst", zstd("one\n") + zstd("two\n"))), expected);
    std::string big;
    for (int i = 0; i < 200000; ++i) big += std::to_string(i * 7919) + "\n";
    EXPECT_EQ(read("b.txt.gz", gzip(big))->texts.size(), 200000u);
    EXPECT_EQ(code("cut.txt.gz", gzip(big).substr(0, 1000)), ErrorCode::kInvalidFile);
    EXPECT_EQ(code("cut.txt.zst", zstd(big).substr(0, 1000)), ErrorCode::kInvalidFile);
}

TEST_F(Import, InspectTellsWhatIsWrong) {
    auto report = inspectFiles({folder_.write("a.jsonl", "{\"text\":\"x\",\"id\":1}\n{\n{\"text\":\"\"}\n")});
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ((*report)["format"], "jsonl");
    EXPECT_EQ((*report)["rows"], 3);
    EXPECT_EQ((*report)["usable"], 1);
    EXPECT_EQ((*report)["columns"], (Json::array({"text", "id"})));
    EXPECT_EQ((*report)["problems"][0]["line"], 2);
    EXPECT_EQ((*report)["problems"][0]["reason"], "bad_json");
    EXPECT_EQ((*report)["problems"][1]["reason"], "empty");
}

}  // namespace
}  // namespace assay::data
