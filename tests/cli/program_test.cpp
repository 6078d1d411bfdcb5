// The parser through the whole program: where global options stand, what wrong use gives, one document on stdout.
#include <QCoreApplication>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "command.h"
#include "run/fetch.h"
#include "run/follow.h"
#include "run/spec_builder.h"

namespace assay::cli {
namespace {

using testing::HasSubstr;

struct Ran {
    int code = -1;
    std::string out, err;
};

// Runs the program in this process with both outputs in files, or standard output in `outputPath`.
Ran run(std::vector<std::string> arguments, const char* outputPath = nullptr) {
    static int count = 1;
    static char name[] = "assay";
    static char* own[] = {name, nullptr};
    static QCoreApplication application(count, own);  // as main() does: connections need it
    std::vector<const char*> argv{"assay"};
    for (const std::string& a : arguments) argv.push_back(a.c_str());
    const auto redirect = [](int descriptor, FILE* file) {
        const int saved = ::dup(descriptor);
        ::dup2(::fileno(file), descriptor);
        return saved;
    };
    FILE *out = outputPath ? std::fopen(outputPath, "w+") : std::tmpfile(), *err = std::tmpfile();
    std::fflush(nullptr);
    const int savedOut = redirect(1, out), savedErr = redirect(2, err);
    Ran ran;
    ran.code = runProgram(static_cast<int>(argv.size()), argv.data());
    ::dup2(savedOut, 1);
    ::dup2(savedErr, 2);
    ::close(savedOut);
    ::close(savedErr);
    for (auto [file, text] : {std::pair(out, &ran.out), std::pair(err, &ran.err)}) {
        std::rewind(file);
        if (file == out && outputPath) {  // a device: nothing to read back
            std::fclose(file);
            continue;
        }
        char buffer[4096];
        for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text->append(buffer, n);
        std::fclose(file);
    }
    return ran;
}

Json document(const Ran& ran) {
    auto json = parseJson(ran.out, "stdout");  // refuses a second document and trailing text
    EXPECT_TRUE(json) << ran.out << ran.err;
    return json ? *json : Json();
}

TEST(Program, WrongUseIsExitTwoAndAnErrorDocument) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"--json"}, {"--json", "frobnicate"}, {"frobnicate", "--json"}, {"run", "--json"}, {"--json", "runs"}, {"--json", "runs", "show"},
             {"--json", "tokenize", "--tokenizer", "bytes"}, {"--json", "tokenize", "--tokenizer", "bytes", "--text", "a", "--file", "b"},
             {"--json", "tokenize", "--tokenizer", "bytes", "--text", "a", "--lines"}, {"--json", "detokenize", "--tokenizer", "bytes", "--ids", "1,x"},
             {"--json", "detokenize", "--tokenizer", "bytes", "--ids", "-5"}, {"--json", "eval", "m", "--text", "t", "--mode", "quarter"},
             {"--json", "generate", "m", "--prompt", "x", "--max-tokens", "many"}, {"--json", "attach", "ssh://-oProxyCommand=x"},
             {"--json", "attach", "http://host"}, {"--json", "--engine", "gopher://x", "runs", "list"}, {"--json", "doctor", "--wat"}}) {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 2) << testing::PrintToString(arguments);
        const Json error = document(ran);
        ASSERT_TRUE(error.is_object() && error.contains("error")) << testing::PrintToString(arguments);
        std::set<std::string> keys;
        for (const auto& [key, value] : error["error"].items()) keys.insert(key);
        EXPECT_EQ(keys, (std::set<std::string>{"code", "context", "hint", "message"}));
        EXPECT_EQ(error["error"]["code"], "bad_usage") << error.dump();
        EXPECT_EQ(ran.err, "");
    }
}

TEST(Program, NumbersOutOfRangeSayWhatIsWanted) {
    const auto message = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "--json");
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 2);
        return document(ran)["error"]["message"].get<std::string>();
    };
    EXPECT_EQ(message({"eval", "m", "--text", "t", "--max-tokens", "0"}), "--max-tokens: must be a whole number of at least 1, not '0'");
    EXPECT_EQ(message({"eval", "m", "--text", "t", "--window", "1"}), "--window: must be a whole number from 2 to 16777216, not '1'");
    EXPECT_EQ(message({"generate", "m", "--prompt", "x", "--max-tokens", "many"}), "--max-tokens: must be a whole number of at least 0, not 'many'");
    EXPECT_EQ(message({"generate", "m", "--prompt", "x", "--max-tokens", "1e3"}), "--max-tokens: must be a whole number of at least 0, not '1e3'");
    EXPECT_EQ(message({"bench", "m", "--batch", "99999999999999999999"}), "--batch: must be a whole number of at least 1, not '99999999999999999999'");
    for (const char* bad : {"nan", "inf", "-1", "1x", ""})
        EXPECT_EQ(message({"generate", "m", "--prompt", "x", "--max-tokens", "1", "--temperature", bad}),
                  std::string("--temperature: must be a number of at least 0, not '") + bad + "'");
}

TEST(Program, ForPeopleAnErrorIsAMessageAndAHint) {
    const Ran ran = run({"frobnicate"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, testing::StartsWith("assay: error: "));
    EXPECT_THAT(ran.err, HasSubstr("\n  hint: see assay --help\n"));
}

TEST(Program, AResultThatCannotBeWrittenIsAFailure) {
    for (const char* json : {"--json", "--quiet"}) {
        const Ran ran = run({"tokenize", "--tokenizer", "bytes", "--text", "a", json}, "/dev/full");
        EXPECT_EQ(ran.code, 1);
        EXPECT_THAT(ran.err, HasSubstr("cannot write standard output: No space left on device"));
    }
}

TEST(Program, OutOfPreparedDataNeedsAnEngineHere) {
    // Said before the file is read and before anything is connected to.
    const Json error = document(run({"--json", "--engine", "ws://127.0.0.1:1", "data", "prepare", "/nowhere.yaml", "--out", "/nowhere"}))["error"];
    EXPECT_EQ(error["code"], "unsupported");
    EXPECT_THAT(error["message"].get<std::string>(), HasSubstr("--out copies the prepared folder on this machine"));
}

TEST(Program, HelpIsNotAnError) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"--help"}, {"runs", "--help"}, {"run", "--help"}, {"runs", "show", "-h"}}) {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 0);
        EXPECT_THAT(ran.out, HasSubstr("--store")) << testing::PrintToString(arguments);
    }
    EXPECT_EQ(run({"--version"}).code, 0);
}

TEST(Program, GlobalOptionsStandBeforeOrAfterTheCommand) {
    // "café" in UTF-8 bytes; the byte tokenizer's ids are the bytes themselves, wherever it puts its special tokens.
    const Json before = document(run({"--json", "tokenize", "--tokenizer", "bytes", "--text", "caf\xc3\xa9"}));
    const Json after = document(run({"tokenize", "--tokenizer", "bytes", "--text", "caf\xc3\xa9", "--json"}));
    EXPECT_EQ(before, after);
    EXPECT_EQ(before["ids"].size(), 5u);
    const std::string file = std::filesystem::temp_directory_path() / ("assay-nowhere-" + std::to_string(::getpid()));
    EXPECT_EQ(run({"--json", "check", file}).code, 3);
    EXPECT_EQ(run({"check", "--json", file}).code, 3);
    EXPECT_EQ(run({"check", file, "--json", "--store", "/nowhere"}).code, 3);
}

TEST(Program, TextsThatLookLikeOptionsOrListsAreTexts) {
    const auto ids = [](const std::string& text) { return document(run({"--json", "tokenize", "--tokenizer", "bytes", "--text", text}))["ids"].size(); };
    EXPECT_EQ(ids("[a,b]"), 5u);
    EXPECT_EQ(ids("-1"), 2u);
    EXPECT_EQ(ids("--x"), 3u);
    EXPECT_EQ(ids("a=b"), 3u);
    EXPECT_EQ(ids(""), 0u);
    EXPECT_EQ(ids("\"q\""), 3u);
    EXPECT_EQ(ids("a b\n"), 4u);
    EXPECT_EQ(document(run({"--json", "tokenize", "--tokenizer", "bytes", "--text=-x"}))["ids"].size(), 2u);
}

TEST(Program, LinesGiveOneDocumentEach) {
    const std::string file = std::filesystem::temp_directory_path() / ("assay-lines-" + std::to_string(::getpid()));
    std::ofstream(file) << "ab\r\n\ncde";
    const Ran ran = run({"--json", "tokenize", "--tokenizer", "bytes", "--file", file, "--lines"});
    const Ran whole = run({"--json", "tokenize", "--tokenizer", "bytes", "--file", file});
    std::filesystem::remove(file);
    EXPECT_EQ(ran.code, 0);
    std::vector<size_t> sizes;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) sizes.push_back(Json::parse(line)["ids"].size());
    EXPECT_EQ(sizes, (std::vector<size_t>{2, 0, 3}));
    EXPECT_EQ(document(whole)["ids"].size(), 8u);  // bytes unchanged
}

TEST(Program, DetokenizeUndoesTokenize) {
    const std::string text = "Grüße, 世界 \xf0\x9f\x98\x80";
    std::string ids;
    const Json tokenized = document(run({"--json", "tokenize", "--tokenizer", "bytes", "--text", text}));
    for (const Json& id : tokenized["ids"]) ids += (ids.empty() ? "" : ",") + id.dump();
    EXPECT_EQ(document(run({"--json", "detokenize", "--tokenizer", "bytes", "--ids", ids})), (Json{{"text", text}}));
}

TEST(Program, EveryCommandOfTheContractIsThere) {
    CLI::App root("", "assay");
    Commands commands(root);
    addAllCommands(commands);
    for (const char* path : {"doctor", "check", "tokenize", "detokenize", "data inspect", "data prepare", "run", "runs list", "runs show", "runs stop", "runs resume",
                             "runs fork", "runs rm", "runs log", "runs metrics", "runs verify-resume", "eval", "generate", "quantize", "bench", "compare", "report", "engine start",
                             "engine stop", "engine status", "engine token", "attach"})
        EXPECT_THAT(commands.paths(), testing::Contains(path));
}

TEST(Outcome, ExitCodesOfRuns) {
    const auto code = [](const std::string& text) { return exitCodeOfRun(Json::parse(text)); };
    EXPECT_EQ(code(R"({"status":"done"})"), 0);
    EXPECT_EQ(code(R"({"status":"cancelled"})"), 130);
    EXPECT_EQ(code(R"({"status":"interrupted"})"), 1);
    EXPECT_EQ(code(R"({"status":"failed","error":{"code":"non_finite","message":"m","hint":"","context":[]}})"), 1);
    EXPECT_EQ(code(R"({"status":"failed","error":{"code":"invalid_file","message":"m","hint":"","context":[]}})"), 2);
    EXPECT_EQ(code(R"({"status":"failed","error":{"code":"not_found","message":"m","hint":"","context":[]}})"), 3);
    EXPECT_EQ(code(R"({"status":"failed","error":{"code":"unreachable","message":"m","hint":"","context":[]}})"), 1);
    EXPECT_EQ(code(R"({"status":"failed"})"), 1);
    // A parent fails for the reason of its stage.
    EXPECT_EQ(code(R"({"status":"failed","id":"p","children":[{"status":"done"},{"status":"failed","kind":"train","error":{"code":"not_found","message":"m","hint":"","context":[]}}]})"), 3);
}

TEST(Outcome, TheDocumentHasTheFieldsOfTheContract) {
    const Json run = Json::parse(R"({"id":"r","status":"done","summary":{"eval/loss":3.5},"children":[{"id":"c1"},"c2"]})");
    EXPECT_EQ(runDocument(run), Json::parse(R"({"run":"r","status":"done","children":["c1","c2"],"summary":{"eval/loss":3.5}})"));
}

TEST(References, AreTakenApart) {
    EXPECT_EQ(splitReference("run:abc/int8"), std::pair(std::string("abc"), std::string("int8")));
    EXPECT_EQ(splitReference("abc"), std::pair(std::string("abc"), std::string()));
    EXPECT_EQ(jobName("eval", "/models/x.Q4_1.gguf"), "eval x.Q4_1");
    EXPECT_EQ(jobName("bench", "run:abc/int8"), "bench run:abc/int8");
}

}  // namespace
}  // namespace assay::cli
