// Files row by row: what is a row, what its cells are, and what is told of rows that cannot be used.
#include <zlib.h>
#include <zstd.h>

#include "import/byte_stream.h"
#include "import/problems.h"
#include "import/source.h"
#include "support.h"

namespace assay::data {
namespace {

// All rows of a source as preparing reads them.
struct Documents {
    std::vector<std::string> texts;
    std::vector<int64_t> lines;
    Problems problems;
    OpenedSource source;
    int64_t rows = 0;
};

std::vector<std::string> texts(const Documents& docs) { return docs.texts; }

Result<std::unique_ptr<Documents>> readAll(const config::DataSource& source, config::Document document, size_t batchBytes = size_t{1} << 20, size_t batchRows = 4096) {
    auto out = std::make_unique<Documents>();
    ASSAY_TRY(out->source, openSource(source, document));
    ASSAY_TRY_VOID(requireMapping(out->source));
    RowRequest request = out->source.request;
    request.batchBytes = batchBytes;
    request.batchRows = batchRows;
    ASSAY_TRY(RowReaderPtr reader, openRows(request));
    RowMapper mapper(out->source.mapping);
    RowBatch batch;
    RowParts parts;
    for (;;) {
        ASSAY_TRY(const bool more, reader->next(batch));
        if (!more) break;
        for (size_t i = 0; i < batch.size(); ++i) {
            EXPECT_EQ(batch.row(i).number, ++out->rows);
            mapper.read(batch, i, parts);
            const auto& at = batch.row(i);
            if (!parts.usable()) {
                out->problems.add(parts.reason, at.number, at.line, parts.hint);
                continue;
            }
            if (!parts.notice.empty()) out->problems.add(parts.notice, at.number, at.line, parts.noticeHint, false);
            out->texts.push_back(plainText(parts));
            out->lines.push_back(at.line);
        }
    }
    if (reader->format() != "json") {  // what follows an array is not read
        EXPECT_EQ(reader->bytesDone(), reader->bytesTotal());
    }
    return out;
}

class Import : public testing::Test {
protected:
    // However the file falls into blocks, the rows are the same.
    std::unique_ptr<Documents> read(const std::string& name, std::string_view bytes, config::Document document = config::Document::kLine,
                                    std::vector<std::pair<std::string, std::string>> columns = {}) {
        config::DataSource source;
        source.path = folder_.write(name, bytes);
        source.columns = std::move(columns);
        auto docs = readAll(source, document);
        EXPECT_TRUE(docs) << docs.error().text();
        if (!docs) return nullptr;
        for (const size_t block : {1, 2, 7, 64}) {
            if (bytes.size() > 10000) break;
            auto again = readAll(source, document, block, block == 2 ? 1 : 4096);
            EXPECT_TRUE(again) << again.error().text();
            if (!again) continue;
            EXPECT_EQ((*again)->texts, (*docs)->texts) << block;
            EXPECT_EQ((*again)->lines, (*docs)->lines) << block;
            EXPECT_EQ((*again)->problems.dropped(), (*docs)->problems.dropped()) << block;
        }
        return std::move(*docs);
    }
    Error error(const std::string& name, std::string_view bytes, const std::string& format = "auto") {
        config::DataSource source;
        source.path = folder_.write(name, bytes);
        source.format = format;
        auto docs = readAll(source, config::Document::kLine);
        return docs ? Error(ErrorCode::kInternal, "no error") : docs.error();
    }
    ErrorCode code(const std::string& name, std::string_view bytes, const std::string& format = "auto") { return error(name, bytes, format).code; }
    TempFolder folder_;
};

using Dropped = std::map<std::string, int64_t>;

TEST_F(Import, LinesEndAtNewlinesOnly) {
    auto docs = read("a.txt", "\xEF\xBB\xBF" "a\u2028b\r\nc\u0085\rd\n\ne");
    EXPECT_EQ(texts(*docs), (std::vector<std::string>{"a\u2028b", "c\u0085", "d", "e"}));
    EXPECT_EQ(docs->problems.dropped(), (std::map<std::string, int64_t>{{"empty", 1}}));
    EXPECT_EQ(docs->lines, (std::vector<int64_t>{1, 2, 3, 5}));
}

TEST_F(Import, ParagraphsAndWholeFile) {
    EXPECT_EQ(texts(*read("a.txt", "a\nb\n \n\nc\r\n\r\nd", config::Document::kParagraph)), (std::vector<std::string>{"a\nb", "c", "d"}));
    EXPECT_EQ(texts(*read("a.txt", "a\n\nb\n", config::Document::kFile)), (std::vector<std::string>{"a\n\nb\n"}));
}

TEST_F(Import, BadRowsAreDroppedAndCounted) {
    auto docs = read("a.txt", std::string("good\nb\xE9" "d\nnul\0in\n", 16));
    EXPECT_EQ(docs->texts.size(), 2u);
    EXPECT_EQ(docs->problems.dropped(), (std::map<std::string, int64_t>{{"not_utf8", 1}}));
    ASSERT_EQ(docs->problems.list().size(), 2u);
    EXPECT_EQ(docs->problems.list()[0].line, 2);
    EXPECT_EQ(docs->problems.list()[1].reason, "nul_byte");
}

TEST_F(Import, JsonRowsOfEveryShape) {
    auto docs = read("a.jsonl",
                     "\xEF\xBB\xBF{\"text\":\"one\"}\r\n\n{\"prompt\":\"a\",\"completion\":\"b\"}\n{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":null}]}\n"
                     "{\"text\":\"\\ud83d\"}\n{\"text\":5}\n{\"other\":\"x\"}\n[1]\n{\"text\":\"cut");
    EXPECT_EQ(texts(*docs), (std::vector<std::string>{"one", "ab", "hi\n"}));
    EXPECT_EQ(docs->problems.dropped(), (std::map<std::string, int64_t>{{"bad_json", 2}, {"not_text", 1}, {"missing_column", 1}, {"not_an_object", 1}}));
    EXPECT_EQ(docs->problems.list()[0].reason, "mixed_shapes");  // of the second row
    EXPECT_EQ(docs->problems.list()[1].line, 5);
    EXPECT_EQ(texts(*read("b.json", " [{\"body\":\"x\"},{\"body\":\"y\"}]", config::Document::kLine, {{"text", "body"}})), (std::vector<std::string>{"x", "y"}));
}

TEST_F(Import, CsvWithQuotes) {
    EXPECT_EQ(texts(*read("a.csv", "id;text\r\n1;\"a;b\nc\"\"d\"\r\n2;e\r\n3\r\n")), (std::vector<std::string>{"a;b\nc\"d", "e"}));
    EXPECT_EQ(code("b.csv", "x,y\n1,2\n"), ErrorCode::kInvalidFile);
}

TEST_F(Import, WrongFilesAreNamed) {
    EXPECT_EQ(code("empty.txt", ""), ErrorCode::kInvalidFile);
    EXPECT_EQ(code("utf32.txt", std::string("\xFF\xFE\0\0a\0\0\0", 8)), ErrorCode::kInvalidFile);
    EXPECT_EQ(code("odd.txt", std::string("\xFF\xFE" "a\0b", 5)), ErrorCode::kInvalidFile);
    EXPECT_EQ(code("gz.txt.gz", "plain"), ErrorCode::kInvalidFile);
    // An empty folder has no data files (llamafactory#10260).
    std::filesystem::create_directories(folder_ / "nothing");
    config::DataSource source;
    source.path = folder_ / "nothing";
    auto opened = openSource(source, config::Document::kLine);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::kInvalidFile);
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


// ---- public faults (shared/reference/data.md section 6, studio_peers.md section 3a), by their places

TEST_F(Import, ByteOrderMarkChangesNothing_datasets8241_promptflow4172) {
    const std::string rows = "{\"text\":\"a\",\"n\":{\"x\":1}}\n{\"text\":\"b\",\"n\":{\"y\":[2]}}\n";
    EXPECT_EQ(texts(*read("a.jsonl", rows)), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(texts(*read("b.jsonl", "\xEF\xBB\xBF" + rows)), (std::vector<std::string>{"a", "b"}));
}

TEST_F(Import, Utf16ByItsMark) {
    const auto utf16 = [](const std::u16string& text, bool big) {
        std::string out = big ? "\xFE\xFF" : "\xFF\xFE";
        for (const char16_t c : text) {
            const char low = static_cast<char>(c & 255), high = static_cast<char>(c >> 8);
            out += big ? high : low;
            out += big ? low : high;
        }
        return out;
    };
    const std::vector<std::string> expected{"h\xC3\xA9", "\xF0\x9F\x98\x80\xE4\xB8\xAD"};
    EXPECT_EQ(texts(*read("a.txt", utf16(u"h\u00e9\r\n\U0001F600\u4e2d\n", false))), expected);
    EXPECT_EQ(texts(*read("b.txt", utf16(u"h\u00e9\r\n\U0001F600\u4e2d\n", true))), expected);
    // An unpaired surrogate costs its row.
    auto docs = read("c.txt", utf16(std::u16string(u"a\n") + char16_t(0xD83D) + u"\nb", false));
    EXPECT_EQ(texts(*docs), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(docs->problems.dropped(), (Dropped{{"not_utf8", 1}}));
}

TEST_F(Import, OtherEncodingsAreNamed) {
    auto docs = read("a.txt", "\xC4\xE3\xBA\xC3\xCA\xC0\xBD\xE7\xA3\xAC\xD5\xE2\xCA\xC7\xD6\xD0\xCE\xC4\nplain\n");  // 你好世界，这是中文
    ASSERT_EQ(docs->problems.list().size(), 1u);
    EXPECT_NE(docs->problems.list()[0].hint.find("GB18030"), std::string::npos) << docs->problems.list()[0].hint;
    docs = read("b.txt", "Le caf\xE9 est ferm\xE9\nplain\n");
    EXPECT_NE(docs->problems.list()[0].hint.find("WINDOWS-1252"), std::string::npos) << docs->problems.list()[0].hint;
}

TEST_F(Import, CrlfHeaderHasNoCarriageReturn_h2o336) {
    auto docs = read("a.csv", "prompt,completion\r\nx,y\r\n");
    EXPECT_EQ(docs->source.columns, (std::vector<std::string>{"prompt", "completion"}));
    EXPECT_EQ(texts(*docs), (std::vector<std::string>{"xy"}));
}

TEST_F(Import, EmptyAnswersAreCountedNotSilent_h2o451_llmfoundry445) {
    auto docs = read("a.csv", "prompt,completion\nq1,\nq2,\nq3,a\n");
    EXPECT_EQ(texts(*docs), (std::vector<std::string>{"q3a"}));
    EXPECT_EQ(docs->problems.dropped(), (Dropped{{"empty_completion", 2}}));
    EXPECT_EQ(docs->problems.list()[0].line, 2);
}

TEST_F(Import, DialectIsKept_datasets8358) {
    auto docs = read("a.csv", "id;text\n1;'a;b'\n2;'it''s'\n");
    EXPECT_EQ(texts(*docs), (std::vector<std::string>{"a;b", "it's"}));
    EXPECT_EQ(docs->source.details, (std::vector<std::pair<std::string, std::string>>{{"separator", ";"}, {"quote", "'"}}));
    // An apostrophe is no quote.
    EXPECT_EQ(texts(*read("b.csv", "id,text\n1,it's\n2,'tis\n")), (std::vector<std::string>{"it's", "'tis"}));
    EXPECT_EQ(texts(*read("c.tsv", "id\ttext\n1\ta,b\n")), (std::vector<std::string>{"a,b"}));
}

TEST_F(Import, RaggedRowIsFoundAtImport_autotrain840) {
    std::string csv = "prompt,completion\n";
    for (int i = 0; i < 17; ++i) csv += "a,b\n";
    csv += "a,b,c\nd,e\n";
    auto docs = read("a.csv", csv);
    ASSERT_EQ(docs->problems.list().size(), 1u);
    EXPECT_EQ(docs->problems.list()[0].reason, "ragged_row");
    EXPECT_EQ(docs->problems.list()[0].line, 19);
    EXPECT_NE(docs->problems.list()[0].hint.find("3 fields"), std::string::npos);
    EXPECT_EQ(docs->texts.size(), 18u);
}

TEST_F(Import, CsvTraps) {
    const std::string huge(200 << 10, 'x');  // beyond the field limit of Python's csv
    EXPECT_EQ(texts(*read("a.csv", "text\n\"" + huge + "\"\n")), (std::vector<std::string>{huge}));
    auto docs = read("b.csv", std::string("text,n\na\0b,1\n", 14));
    EXPECT_EQ(docs->texts, (std::vector<std::string>{std::string("a\0b", 3)}));
    EXPECT_EQ(docs->problems.list()[0].reason, "nul_byte");
    // A quote that never closes costs its line, not the rest of the file.
    docs = read("c.csv", "text,n\n\"open,1\nb,2\nc,3\n");
    EXPECT_EQ(docs->texts, (std::vector<std::string>{"b", "c"}));
    EXPECT_EQ(docs->problems.dropped(), (Dropped{{"unclosed_quote", 1}}));
    EXPECT_EQ(docs->problems.list()[0].line, 2);
    docs = read("d.csv", "text,text,\na,b,c\n");
    EXPECT_EQ(docs->source.columns, (std::vector<std::string>{"text", "text.1", "#3"}));
}

TEST_F(Import, OneBadLineCostsOneLine_llamafactory412_4353_8805) {
    auto docs = read("a.jsonl", "{\"text\":\"a\"}\n{\"text\":\"b\n{\"text\":\"c\"}\n");
    EXPECT_EQ(docs->texts, (std::vector<std::string>{"a", "c"}));
    EXPECT_EQ(docs->problems.list()[0].line, 2);
    EXPECT_EQ(texts(*read("b.json", "[{\"text\":\"a\"},\n {\"text\":[1]}, {\"text\":\"c\"}]\n")), (std::vector<std::string>{"a", "c"}));
}

TEST_F(Import, JsonArraysAndTheirWrappers) {
    auto docs = read("a.json", "[\n {\"text\":\"a]}\\\"\"},\n {\"text\":\"b\", \"n\":{\"m\":[1,{}]}}\n]\n");
    EXPECT_EQ(docs->texts, (std::vector<std::string>{"a]}\"", "b"}));
    EXPECT_EQ(docs->lines, (std::vector<int64_t>{2, 3}));
    for (const char* key : {"data", "rows"})
        EXPECT_EQ(texts(*read("b.json", std::string("{\"version\": [1, {\"a\": \"]\"}],\n \"") + key + "\": [{\"text\":\"a\"}, {\"text\":\"b\"}], \"more\": 1}")), (std::vector<std::string>{"a", "b"})) << key;
    EXPECT_EQ(texts(*read("c.json", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n")), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(code("cut.json", "[{\"text\":\"a\"}, {\"text\":\"b\"}"), ErrorCode::kInvalidFile);
    EXPECT_NE(error("cut2.json", "[{\"text\":\"a\"},\n {\"te").message.find("line 2"), std::string::npos);
    EXPECT_EQ(code("after.json", "[{\"text\":\"a\"}] x"), ErrorCode::kInvalidFile);
    EXPECT_EQ(code("comma.json", "[{\"text\":\"a\"} {\"text\":\"b\"}]"), ErrorCode::kInvalidFile);
    EXPECT_EQ(code("none.json", "{\n\"text\": {\"a\": \"b\"},\n\"data\": [{\"text\": 1}\n"), ErrorCode::kInvalidFile);
}

TEST_F(Import, DepthHasALimit) {
    const std::string deep = "{\"text\":" + std::string(1'000'000, '[') + "\n{\"text\":\"a\"}\n";
    auto docs = read("a.jsonl", deep);
    EXPECT_EQ(docs->texts, (std::vector<std::string>{"a"}));
    EXPECT_EQ(docs->problems.dropped(), (Dropped{{"bad_json", 1}}));
    EXPECT_EQ(code("a.json", std::string(1'000'000, '[')), ErrorCode::kInvalidFile);
}

TEST_F(Import, NullToolCallsAreAbsent_llamafactory10455) {
    auto docs = read("a.jsonl", "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"a\",\"tool_calls\":null}]}\n");
    EXPECT_EQ(docs->texts, (std::vector<std::string>{"q\na"}));
}

TEST_F(Import, TextAndListsOfPartsInOneConversation_llamafactory6298) {
    auto docs = read("a.jsonl", "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"q\"}]},{\"role\":\"assistant\",\"content\":\"a\"}]}\n"
                                "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image\",\"url\":\"x\"}]}]}\n");
    EXPECT_EQ(docs->texts, (std::vector<std::string>{"q\na"}));
    EXPECT_EQ(docs->problems.dropped(), (Dropped{{"not_text", 1}}));
}

TEST_F(Import, UnknownRolesAreNamed_llamafactory8197) {
    auto docs = read("a.jsonl", "{\"conversations\":[{\"from\":\"hummany\",\"value\":\"q\"},{\"from\":\"gpt\",\"value\":\"a\"}]}\n{\"conversations\":[{\"from\":\"user\",\"value\":\"q\"},{\"from\":\"gpt\",\"value\":\"a\"}]}\n");
    EXPECT_EQ(docs->texts.size(), 2u);
    ASSERT_EQ(docs->problems.list().size(), 1u);
    EXPECT_EQ(docs->problems.list()[0].reason, "unknown_role");
    EXPECT_EQ(docs->problems.list()[0].count, 1);
    EXPECT_NE(docs->problems.list()[0].hint.find("hummany"), std::string::npos);
}

TEST_F(Import, ToolRolesInPreferences_axolotl3217) {
    auto docs = read("a.jsonl", "{\"chosen\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"tool\",\"content\":\"t\"},{\"role\":\"assistant\",\"content\":\"a\"}],"
                                "\"rejected\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"b\"}]}\n");
    EXPECT_EQ(docs->source.mapping.shape, Shape::kPreference);
    EXPECT_TRUE(docs->problems.list().empty());
}

TEST_F(Import, ShapesAreKnownByTheirColumns) {
    const auto shape = [&](const std::string& row) { return std::string(shapeName(read("s.jsonl", row + "\n")->source.mapping.shape)); };
    EXPECT_EQ(shape(R"({"text":"a"})"), "text");
    EXPECT_EQ(shape(R"({"instruction":"i","input":"","output":"o"})"), "alpaca");
    EXPECT_EQ(shape(R"({"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"a"}]})"), "messages");
    EXPECT_EQ(shape(R"({"messages":[{"role":"user","content":"q"}],"tools":[]})"), "messages");
    EXPECT_EQ(shape(R"({"prompt":"p","completion":"c"})"), "prompt_completion");
    EXPECT_EQ(shape(R"({"prompt":"p","chosen":"c","rejected":"r"})"), "preference");
    EXPECT_EQ(shape(R"({"prompt":"p","completion":"c","label":true})"), "kto");
    EXPECT_EQ(shape(R"({"text":"a","label":1})"), "classification");
}

TEST_F(Import, MixedShapesAreTold) {
    std::string rows;
    for (int i = 0; i < 120; ++i) rows += "{\"text\":\"a\"}\n";
    rows += "{\"prompt\":\"p\",\"completion\":\"c\"}\n";
    auto docs = read("a.jsonl", rows);
    EXPECT_EQ(docs->source.mapping.shape, Shape::kText);
    EXPECT_EQ(docs->source.mapping.shapes, (std::vector<std::pair<Shape, int64_t>>{{Shape::kText, 120}, {Shape::kPrompt, 1}}));
    EXPECT_EQ(docs->texts.back(), "pc");
    ASSERT_EQ(docs->problems.list().size(), 1u);
    EXPECT_EQ(docs->problems.list()[0].reason, "mixed_shapes");
    EXPECT_EQ(docs->problems.list()[0].row, 121);
}

TEST_F(Import, GivenColumns) {
    EXPECT_EQ(texts(*read("a.csv", "q,a\nx,y\n", config::Document::kLine, {{"prompt", "q"}, {"completion", "a"}})), (std::vector<std::string>{"xy"}));
    config::DataSource source;
    source.path = folder_ / "a.csv";
    source.columns = {{"txet", "q"}};
    EXPECT_EQ(openSource(source, config::Document::kLine).error().code, ErrorCode::kBadUsage);
    source.columns = {{"prompt", "nope"}};
    EXPECT_EQ(openSource(source, config::Document::kLine).error().code, ErrorCode::kInvalidFile);
    source.columns = {{"chosen", "q"}};
    EXPECT_EQ(openSource(source, config::Document::kLine).error().code, ErrorCode::kBadUsage);
}

TEST_F(Import, BombsAreRefused) {
    // 1.2 GiB of one byte.
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    std::string packed, plain(4 << 20, 'a'), out(1 << 16, '\0');
    plain.back() = '\n';
    for (int i = 0; i < 300; ++i) {
        ZSTD_inBuffer in{plain.data(), plain.size(), 0};
        size_t left = 1;
        while (in.pos < in.size || (i == 299 && left != 0)) {
            ZSTD_outBuffer to{out.data(), out.size(), 0};
            left = ZSTD_compressStream2(context.get(), &to, &in, i == 299 ? ZSTD_e_end : ZSTD_e_continue);
            packed.append(out, 0, to.pos);
        }
    }
    auto bytes = openBytes(folder_.write("bomb.txt.zst", packed));
    ASSERT_TRUE(bytes);
    Result<size_t> got = size_t{1};
    for (std::string to(1 << 20, '\0'); got && *got > 0;) got = bytes->stream->read(to.data(), to.size());
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidFile);
}

TEST_F(Import, SeekGoesOnAtAMark) {
    std::string rows;
    for (int i = 1; i <= 1000; ++i) rows += "{\"text\":\"row " + std::to_string(i) + "\"}\n" + (i % 7 == 0 ? "\n" : "");
    std::string array = "[";
    for (int i = 1; i <= 1000; ++i) array += (i > 1 ? ",\n" : "") + std::string("{\"text\":\"row ") + std::to_string(i) + "\"}";
    std::string csv = "\xEF\xBB\xBFtext,n\n";
    for (int i = 1; i <= 1000; ++i) csv += "\"row " + std::to_string(i) + "\",\"a\nb\"\n";
    for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"a.jsonl", rows}, {"a.json", array + "]"}, {"a.csv", csv}}) {
        RowRequest request;
        request.path = folder_.write(name, bytes);
        request.batchBytes = 300;
        auto reader = openRows(request);
        ASSERT_TRUE(reader) << reader.error().text();
        std::vector<RowMark> marks;
        std::vector<int64_t> lines;
        RowBatch batch;
        while (*(*reader)->next(batch)) {
            marks.push_back(batch.mark());
            lines.push_back(batch.row(0).line);
        }
        ASSERT_GT(marks.size(), 20u);
        for (size_t i : {marks.size() - 1, size_t{0}, marks.size() / 2}) {
            ASSERT_TRUE((*reader)->seek(marks[i]));
            ASSERT_TRUE(*(*reader)->next(batch)) << name;
            EXPECT_EQ(batch.row(0).number, marks[i].row);
            EXPECT_EQ(batch.row(0).line, lines[i]) << name;
            EXPECT_EQ(batch.cell(0, 0).text, "row " + std::to_string(marks[i].row)) << name;
        }
    }
}

}  // namespace
}  // namespace assay::data
