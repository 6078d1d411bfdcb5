// Data files row by row: the rows are those that prepareDataset reads, whatever the format, and pages, filters, lengths and
// views agree with it.
#include <assay/data/loader.h>
#include <assay/data/rows.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <zlib.h>

#include <chrono>
#include <random>

#include "import/source.h"
#include "support.h"

namespace assay::data {
namespace {
using testing::ElementsAre;
using testing::Pair;

class Rows : public testing::Test {
protected:
    DataFilePtr open(const std::string& path, config::Document document = config::Document::kLine, std::vector<std::pair<std::string, std::string>> columns = {}) {
        config::DataSource source;
        source.path = path;
        source.columns = std::move(columns);
        auto file = DataFile::open(source, document, folder_ / "cache");
        EXPECT_TRUE(file) << file.error().text();
        return file ? *file : nullptr;
    }
    std::vector<DataRow> all(const DataFile& file, int64_t first = 1) {
        std::vector<DataRow> rows;
        EXPECT_TRUE(file.visit(first, true, [&](const DataRow& row) {
            rows.push_back(row);
            return true;
        }));
        return rows;
    }
    TempFolder folder_;
};

TEST_F(Rows, EveryTrapHasItsRowLineAndReason) {
    const auto file = open(folder_.write("a.jsonl", "\xEF\xBB\xBF{\"text\":\"one\"}\r\n\r\n{\"text\":\"\"}\n{\"text\":\"cut\n{\"text\":7}\n{\"other\":\"x\"}\n"
                                                    "{\"messages\":[{\"from\":\"hummany\",\"value\":\"hi\"}]}\n[1]\n"));
    ASSERT_TRUE(file);
    EXPECT_EQ(file->rows(), 7);
    EXPECT_THAT(file->mapping(), ElementsAre(Pair("text", "text")));
    const auto rows = all(*file);
    ASSERT_EQ(rows.size(), 7u);
    const std::vector<std::tuple<int64_t, bool, std::string>> expected{{1, true, ""}, {3, false, "empty"}, {4, false, "bad_json"}, {5, false, "not_text"},
                                                                       {6, false, "missing_column"}, {7, true, "unknown_role"}, {8, false, "not_an_object"}};
    for (size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].row, static_cast<int64_t>(i) + 1);
        EXPECT_EQ(std::tuple(rows[i].line, rows[i].usable, rows[i].reason), expected[i]) << i;
    }
    EXPECT_EQ(rows[0].text, "one");
    EXPECT_THAT(rows[5].hint, testing::HasSubstr("hummany"));
    EXPECT_TRUE(rows[5].odd);
}

TEST_F(Rows, MappingIsGuessedByNameThenByContent) {
    const auto csv = open(folder_.write("a.csv", "id;verse;note\r\n1;In the beginning;a\r\n2;\"And; the earth\nwas\";\r\n3;;b\r\n4;x\r\n"));
    ASSERT_TRUE(csv);
    EXPECT_THAT(csv->columns(), ElementsAre("id", "verse", "note"));
    EXPECT_THAT(csv->mapping(), ElementsAre(Pair("text", "verse")));
    EXPECT_EQ(csv->mappingReason(), "a column named verse");
    EXPECT_THAT(csv->source().columns, ElementsAre(Pair("text", "verse")));
    const auto rows = all(*csv);
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[1].text, "And; the earth\nwas");
    EXPECT_EQ(rows[2].reason, "empty");
    EXPECT_EQ(rows[2].line, 5);  // the quoted line end counts
    EXPECT_EQ(rows[3].reason, "ragged_row");

    EXPECT_EQ(guessMapping({{"a", 3, 30}, {"b", 3, 300}}, true).roles, (std::vector<std::pair<std::string, std::string>>{{"text", "b"}}));
    EXPECT_EQ(guessMapping({{"x", 3, 30}}, true).reason, "the only column");
    EXPECT_EQ(guessMapping({{"instruction", 3, 30}, {"input", 1, 3}, {"output", 3, 9}}, false).roles,
              (std::vector<std::pair<std::string, std::string>>{{"instruction", "instruction"}, {"output", "output"}, {"input", "input"}}));
    EXPECT_TRUE(guessMapping({{"n", 0, 0}, {"m", 0, 0}}, true).roles.empty());
    // Given: taken as it is
    const auto given = open(folder_ / "a.csv", config::Document::kLine, {{"text", "note"}});
    ASSERT_TRUE(given);
    EXPECT_EQ(all(*given)[0].text, "a");
    EXPECT_EQ(given->mappingReason(), "");
    config::DataSource wrong;
    wrong.path = folder_ / "a.csv";
    wrong.columns = {{"text", "nope"}};
    EXPECT_EQ(DataFile::open(wrong, config::Document::kLine, "").error().code, ErrorCode::kInvalidFile);
}

TEST_F(Rows, ColumnWithoutAnyTextIsToldRowByRow) {
    const auto file = open(folder_.write("a.csv", "x,y\n,\n,\n"));
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->mapping().empty());
    auto report = inspectRows({file});
    ASSERT_TRUE(report);
    EXPECT_EQ((*report)["usable"], 0);
    EXPECT_EQ((*report)["problems"][0]["reason"], "missing_column");
    EXPECT_EQ((*report)["problems"][0]["count"], 2);
}

// Random files of every format, from every row on: the same rows as from the start.
TEST_F(Rows, PagesEqualTheWhole) {
    std::mt19937 random(7);
    const std::vector<std::string> pieces{"a", "é", "\"", "\"\"", ",", ";", "\n", "\r\n", "\r", "\n\n", " ", "{\"text\":\"x\"}", "{\"text\":\"\"}", "{", "}", "\\", "text", "\xFF", std::string(1, '\0'), "[1]", "{\"text\":1}"};
    int compared = 0;
    for (int round = 0; round < 200; ++round) {
        const char* name = round % 4 == 0 ? "r.csv" : round % 4 == 1 ? "r.jsonl" : "r.txt";
        std::string text = round % 4 == 0 ? "text,b\n" : "";
        for (size_t n = 1 + random() % 40; n > 0; --n) text += pieces[random() % pieces.size()];
        const auto document = round % 4 == 3 ? config::Document::kParagraph : config::Document::kLine;
        config::DataSource source;
        source.path = folder_.write(name, text);
        const auto file = DataFile::open(source, document, "");
        if (!file) {  // what begins like a JSON array and is none
            EXPECT_EQ(round % 4, 1) << file.error().text();
            continue;
        }
        const auto rows = all(**file);
        EXPECT_EQ((*file)->rows(), static_cast<int64_t>(rows.size()));
        for (int64_t first = 2; first <= static_cast<int64_t>(rows.size()); ++first) {
            const auto page = all(**file, first);
            ASSERT_EQ(page.size(), rows.size() - static_cast<size_t>(first) + 1);
            ++compared;
            EXPECT_EQ(page[0].text, rows[static_cast<size_t>(first) - 1].text);
            EXPECT_EQ(page[0].reason, rows[static_cast<size_t>(first) - 1].reason);
            EXPECT_EQ(page[0].line, rows[static_cast<size_t>(first) - 1].line);
        }
    }
    EXPECT_GT(compared, 200);
}

TEST_F(Rows, PagesOfALargeFileComeFromTheIndex) {
    std::string text;
    for (int i = 1; i <= 400'000; ++i) text += "{\"text\":\"row number " + std::to_string(i) + "\"}\n" + (i % 1000 == 0 ? "\n" : "");
    const std::string path = folder_.write("big.jsonl", text);
    ASSERT_GT(text.size(), 8u << 20);
    const auto first = open(path);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->rows(), 400'000);
    const auto indexes = [&] { return std::distance(std::filesystem::directory_iterator(folder_ / "cache/rows"), {}); };
    EXPECT_EQ(indexes(), 1);
    // Opened anew, the last page: the index was kept.
    const auto again = open(path);
    std::vector<int64_t> rows;
    ASSERT_TRUE(again->visit(399'999, true, [&](const DataRow& row) {
        rows.push_back(row.row);
        EXPECT_EQ(row.text, "row number " + std::to_string(row.row));
        EXPECT_EQ(row.line, row.row + (row.row - 1) / 1000);
        return true;
    }));
    EXPECT_THAT(rows, ElementsAre(399'999, 400'000));
    EXPECT_EQ(indexes(), 1);
    int64_t found = 0;
    ASSERT_TRUE(again->visitMatching("number 39999", [&](const DataRow&) { return ++found, true; }));
    EXPECT_EQ(found, 11);  // 39999 and 399990 to 399999
    // A damaged index is built anew; a file that changed has another one.
    const auto file = std::filesystem::directory_iterator(folder_ / "cache/rows")->path();
    std::ofstream(file, std::ios::binary) << "ASSAYROW2\nnonsense";
    EXPECT_EQ(open(path)->rows(), 400'000);
    std::ofstream(path, std::ios::app) << "{\"text\":\"more\"}\n";
    EXPECT_EQ(open(path)->rows(), 400'001);
    EXPECT_EQ(indexes(), 2);
}

TEST_F(Rows, ReadsPackedFilesAndArrays) {
    const std::string path = folder_ / "a.jsonl.gz", plain = "{\"text\":\"one\"}\n{\"text\":\"two\"}\n";
    gzFile out = gzopen(path.c_str(), "wb");
    gzwrite(out, plain.data(), static_cast<unsigned>(plain.size()));
    gzclose(out);
    EXPECT_EQ(open(path)->rows(), 2);
    const auto array = open(folder_.write("b.json", "[{\"body\":\"x\"},{\"body\":\"y\",\"n\":{\"k\":[1]}}, 3]"));
    ASSERT_TRUE(array);
    EXPECT_EQ(array->rows(), 3);
    EXPECT_THAT(array->mapping(), ElementsAre(Pair("text", "body")));
    const auto rows = all(*array, 2);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].text, "y");
    EXPECT_THAT(rows[0].cells, ElementsAre(Pair("body", "y"), Pair("n", "{\"k\":[1]}")));
    EXPECT_EQ(rows[1].reason, "not_an_object");
}

TEST_F(Rows, InspectionAgreesWithTheCommand) {
    const std::string path = folder_.write("a.jsonl", "{\"text\":\"x\",\"id\":1}\n{\n{\"text\":\"\"}\n{\n");
    auto ours = inspectRows({open(path)});
    auto theirs = inspectFiles({path});
    ASSERT_TRUE(ours && theirs);
    for (const char* key : {"format", "rows", "usable", "columns"}) EXPECT_EQ((*ours)[key], (*theirs)[key]) << key;
    ASSERT_EQ((*ours)["problems"].size(), 2u);
    for (size_t i = 0; i < 2; ++i)
        for (const char* key : {"row", "line", "reason", "count", "hint"}) EXPECT_EQ((*ours)["problems"][i][key], (*theirs)["problems"][i][key]);
    EXPECT_EQ((*ours)["problems"][0]["lines"], Json({2, 4}));
    EXPECT_EQ((*ours)["bytes"], static_cast<int64_t>(std::filesystem::file_size(path)));
    EXPECT_EQ((*ours)["sample"][0], (Json{{"text", "x"}, {"id", "1"}}));
}

TEST_F(Rows, LengthsByArithmetic) {
    // The bytes tokenizer: one id a byte and the end of text. 2, 3, 3, 9 tokens; sequences of 4.
    const auto file = open(folder_.write("a.txt", "a\nbb\ncc\ndddddddd\n\n"));
    const auto tokenizer = *loadTokenizer("bytes");
    auto s = measureLengths(*file, *tokenizer, 4, config::OverLength::kSplit);
    ASSERT_TRUE(s) << s.error().text();
    EXPECT_EQ(s->rows, 5);
    EXPECT_EQ(s->rowsUsed, 4);
    EXPECT_FALSE(s->sampled);
    EXPECT_EQ(s->tokens, 17);
    EXPECT_EQ(s->lossTokens, 13);
    EXPECT_EQ(s->shortest, 2);
    EXPECT_EQ(s->longest, 9);
    EXPECT_EQ(s->median, 3);
    EXPECT_EQ(s->overLengthRows, 1);
    EXPECT_THAT(s->edges, ElementsAre(2, 3, 4, 6, 8, 11));
    EXPECT_THAT(s->counts, ElementsAre(1, 2, 0, 0, 1));
    EXPECT_DOUBLE_EQ(s->paddingNone, 1 - 17.0 / 24);     // 2 | 3 | 3 | 4 4 1
    EXPECT_DOUBLE_EQ(s->paddingConcat, 1 - 17.0 / 20);
    EXPECT_DOUBLE_EQ(s->paddingBestFit, 1 - 17.0 / 20);  // 4 | 4 | 3 1 | 3 | 2
    s = measureLengths(*file, *tokenizer, 4, config::OverLength::kDrop);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->lossTokens, 5);
    // Nothing usable: zeros, not infinities
    s = measureLengths(*open(folder_.write("b.txt", "\n\n")), *tokenizer, 4, config::OverLength::kSplit);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->shortest, 0);
    EXPECT_EQ(s->paddingNone, 0);
    // A header and no rows (unsloth#7872)
    const auto header = open(folder_.write("c.csv", "text,n\n"));
    ASSERT_TRUE(header);
    EXPECT_EQ(header->rows(), 0);
    s = measureLengths(*header, *tokenizer, 4, config::OverLength::kSplit);
    ASSERT_TRUE(s) << s.error().text();
    EXPECT_EQ(s->longest, 0);
}

TEST_F(Rows, ViewShowsWhatIsLearned) {
    const auto file = open(folder_.write("a.jsonl", "{\"prompt\":\"q:\",\"completion\":\"ab\"}\n"));
    ASSERT_TRUE(file);
    EXPECT_EQ(file->shape(), "prompt_completion");
    ViewOptions how{1, 8, config::OverLength::kSplit, config::Packing::kNone};
    how.choice.lossOn = config::LossOn::kCompletion;
    auto view = viewSequence(*file, **loadTokenizer("bytes"), how);
    ASSERT_TRUE(view) << view.error().text();
    std::vector<bool> learned;
    for (const ViewToken& t : view->tokens) learned.push_back(t.loss);
    EXPECT_EQ(learned, (std::vector<bool>{false, false, true, true, true}));
    EXPECT_EQ(view->lossTotal, 3);
}

TEST_F(Rows, LargeFilesAreMeasuredOnAStatedSample) {
    std::string text;
    while (text.size() <= static_cast<size_t>(kSampleAboveBytes)) text += std::string(99, 'x') + "\n";
    const auto file = open(folder_.write("big.txt", text));
    auto s = measureLengths(*file, **loadTokenizer("bytes"), 256, config::OverLength::kSplit);
    ASSERT_TRUE(s);
    EXPECT_TRUE(s->sampled);
    EXPECT_EQ(s->rows, static_cast<int64_t>(text.size() / 100));
    EXPECT_NEAR(static_cast<double>(s->rowsUsed), 167772, 12000);  // 16 MiB of rows of 100 bytes, and the rest of a block
    EXPECT_EQ(s->tokensEstimated, s->rows * 100);
}

// What the view shows is what the loader gives: ids, labels, borders, and as many tokens with loss as the report counts.
TEST_F(Rows, ViewEqualsPreparedData) {
    std::mt19937 random(3);
    std::string text;
    for (int i = 0; i < 60; ++i) text += std::string(1 + random() % 40, static_cast<char>('a' + i % 26)) + (i % 7 == 0 ? " é" : "") + "\n";
    const std::string path = folder_.write("a.txt", text);
    const auto tokenizer = *loadTokenizer("bytes");
    for (const auto packing : {config::Packing::kNone, config::Packing::kConcat, config::Packing::kBestFit})
        for (const auto over : {config::OverLength::kSplit, config::OverLength::kTruncate, config::OverLength::kDrop}) {
            auto spec = bytesSpec(path, 16);
            spec.packing = packing;
            spec.overLength = over;
            // The training part as held-out part: the loader gives that in file order.
            spec.eval = spec.train[0];
            spec.eval->path = folder_.write("same.txt", text);
            spec.contamination = config::Contamination::kKeep;
            auto report = prepareDataset(spec, cacheIn(folder_));
            ASSERT_TRUE(report) << report.error().text();
            auto data = PreparedData::open(report->path);
            ASSERT_TRUE(data);
            LoaderOptions options;
            options.evaluation = true;
            auto loader = Loader::create(*data, options);
            ASSERT_TRUE(loader);
            const auto file = open(path);
            int64_t row = 0, loss = 0, tokens = 0;
            for (;;) {
                Batch b;
                ASSERT_TRUE((*loader)->next(b));
                if (b.rows == 0) break;
                ViewOptions how{++row, 16, over, packing};
                auto view = viewSequence(*file, *tokenizer, how);
                ASSERT_TRUE(view) << view.error().text();
                EXPECT_EQ(view->rows, (*data)->sequences(true));
                ASSERT_EQ(static_cast<int64_t>(view->tokens.size()), b.realTokens);
                for (size_t c = 0; c < view->tokens.size(); ++c) {
                    EXPECT_EQ(view->tokens[c].id, b.ids[c]);
                    EXPECT_EQ(view->tokens[c].label, b.labels[c]);
                    const bool newSegment = c > 0 && b.segments[c] != b.segments[c - 1];
                    EXPECT_EQ(view->tokens[c].border && c > 0, newSegment);
                    // A position is scored exactly when the token behind it in the document carries loss.
                    if (c > 0 && !newSegment) {
                        EXPECT_EQ(view->tokens[c].loss, b.labels[c - 1] == b.ids[c]);
                    }
                    EXPECT_EQ(view->tokens[c].special, b.ids[c] == 256);
                }
                loss += view->lossTotal;
                tokens += static_cast<int64_t>(view->tokens.size());
            }
            EXPECT_EQ(row, (*data)->sequences(true));
            EXPECT_EQ(tokens, report->tokens);
            EXPECT_EQ(loss, report->lossTokens);
        }
}

TEST_F(Rows, ViewNamesTokensAndPlaces) {
    const auto file = open(folder_.write("a.txt", "h\xC3\xA9\nyo\n"));
    auto view = viewSequence(*file, **loadTokenizer("bytes"), {1, 8, config::OverLength::kSplit, config::Packing::kConcat});
    ASSERT_TRUE(view) << view.error().text();
    ASSERT_EQ(view->tokens.size(), 7u);
    EXPECT_EQ(view->tokens[0].text, "h");
    EXPECT_EQ(view->tokens[2].text, "\xC3\xA9");  // whole with its second byte
    EXPECT_EQ(view->tokens[3].text, "<|endoftext|>");
    EXPECT_TRUE(view->tokens[0].border);
    EXPECT_FALSE(view->tokens[0].loss);
    EXPECT_TRUE(view->tokens[3].loss);  // the end is learned
    EXPECT_TRUE(view->tokens[4].border);
    ASSERT_EQ(view->parts.size(), 2u);
    EXPECT_EQ(view->parts[1].line, 2);
    EXPECT_EQ(view->parts[1].from, 4);
    EXPECT_EQ(viewSequence(*file, **loadTokenizer("bytes"), {2, 8}).error().code, ErrorCode::kNotFound);
    EXPECT_EQ(viewSequence(*file, **loadTokenizer("bytes"), {0, 8}).error().code, ErrorCode::kBadUsage);
}

// What a row lacks is said by its own column, and a line is only told where the format has lines.
TEST_F(Rows, HintsNameTheColumnThatIsMissing) {
    const auto alpaca = open(folder_.write("alpaca.jsonl", "{\"instruction\":\"a\",\"output\":\"b\"}\n{\"instruction\":\"a\"}\n{\"instruction\":\"a\",\"output\":null}\n"));
    ASSERT_TRUE(alpaca);
    const auto rows = all(*alpaca);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[1].reason, "missing_column");
    EXPECT_THAT(rows[1].hint, testing::HasSubstr("no column \"output\""));
    EXPECT_THAT(rows[2].hint, testing::HasSubstr("\"output\" of the row is null"));
    const auto chats = open(folder_.write("chats.jsonl", "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}\n{\"messages\":\"x\"}\n"));
    ASSERT_TRUE(chats);
    EXPECT_THAT(all(*chats)[1].hint, testing::HasSubstr("no list of messages"));
}

// Files without a row that can be read are refused for that, not for their columns.
TEST_F(Rows, FilesWithoutRowsAreRefusedForThat) {
    const auto refused = [&](const std::string& path) {
        config::DataSource source;
        source.path = path;
        auto opened = openSource(source, config::Document::kLine);
        EXPECT_TRUE(opened) << opened.error().text();
        auto asked = opened ? requireMapping(*opened) : Result<void>();
        EXPECT_FALSE(asked);
        return asked ? std::string() : asked.error().text();
    };
    EXPECT_THAT(refused(folder_.write("blank.jsonl", "\n\n \r\n")), testing::HasSubstr("holds no rows"));
    EXPECT_THAT(refused(folder_.write("head.csv", "text,id\n")), testing::HasSubstr("holds no rows"));
    EXPECT_THAT(refused(folder_.write("bad.jsonl", "\n{\n[1]\n")), testing::AllOf(testing::HasSubstr("none of its first 2 rows"), testing::HasSubstr("bad_json (line 2)")));
}

// Many blank lines between rows cost little and keep the numbers of the lines.
TEST_F(Rows, BlankLinesAreSkippedTogether) {
    const auto file = open(folder_.write("gaps.jsonl", "{\"text\":\"a\"}\n" + std::string(3'000'000, '\n') + "  \r\n\t\n {\"text\":\"b\"}\n\n \n{\"text\":\"c\"}\n  "));
    ASSERT_TRUE(file);
    const auto rows = all(*file);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[1].line, 3'000'004);
    EXPECT_EQ(rows[2].line, 3'000'007);
}

// Opening a pipe that nobody writes to ends at once.
TEST_F(Rows, PipesAreNoFiles) {
    const std::string path = folder_ / "pipe.jsonl";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    config::DataSource source;
    source.path = path;
    EXPECT_FALSE(DataFile::open(source, config::Document::kLine, ""));
}

}  // namespace
}  // namespace assay::data
