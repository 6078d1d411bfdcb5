// Tools: parameters in, one document out; wrong parameters and hostile files are errors with a name, never a crash.
#include <QCoreApplication>
#include <assay/core/ids.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "command.h"
#include "run/job.h"
#include "tools/run_models.h"
#include "tools/tool.h"

namespace assay::cli {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

class ToolTest : public testing::Test {
protected:
    ToolTest() : folder_(fs::temp_directory_path() / ("assay-tool-" + randomHex(8))) {
        fs::create_directories(folder_);
        options_.store = (folder_ / "store").string();
        options_.json = true;
    }
    ~ToolTest() override {
        std::error_code ec;
        fs::remove_all(folder_, ec);
    }
    std::string write(const std::string& name, std::string_view bytes) {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return (folder_ / name).string();
    }
    Json call(const char* name, const Json& params) {
        const Tool* tool = findTool(name);
        EXPECT_TRUE(tool) << name;
        auto result = tool->run(options_, params);
        EXPECT_TRUE(result) << name << ": " << result.error().text();
        return result ? *result : Json::object();
    }
    ErrorCode refused(const char* name, const Json& params) {
        auto result = findTool(name)->run(options_, params);
        EXPECT_FALSE(result) << name << " " << params.dump();
        return result ? ErrorCode::kInternal : result.error().code;
    }
    fs::path folder_;
    GlobalOptions options_;
};

// The whole program with a file as standard input.
std::pair<int, std::string> program(const std::string& tool, const std::string& input, const fs::path& folder) {
    static int count = 1;
    static char name[] = "assay";
    static char* own[] = {name, nullptr};
    if (!QCoreApplication::instance()) new QCoreApplication(count, own);
    std::ofstream(folder / "in", std::ios::binary) << input;
    const std::string store = (folder / "store").string();
    const char* argv[] = {"assay", "tool", tool.c_str(), "--store", store.c_str()};
    std::fflush(nullptr);
    const int in = ::open((folder / "in").c_str(), O_RDONLY), out = ::open((folder / "out").c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    const int savedIn = ::dup(0), savedOut = ::dup(1);
    ::dup2(in, 0);
    ::dup2(out, 1);
    const int code = runProgram(5, argv);
    ::dup2(savedIn, 0);
    ::dup2(savedOut, 1);
    for (const int fd : {in, out, savedIn, savedOut}) ::close(fd);
    std::ifstream file(folder / "out", std::ios::binary);
    return {code, std::string(std::istreambuf_iterator<char>(file), {})};
}

TEST_F(ToolTest, TheCommandPrintsOneDocumentAlways) {
    auto [code, text] = program("tokenize", R"({"tokenizer":"bytes","text":"ab"})", folder_);
    EXPECT_EQ(code, 0);
    EXPECT_EQ((*parseJson(text, "out"))["ids"], Json({97, 98}));
    const auto error = [&](const std::string& tool, const std::string& input, int expected) {
        auto [exit, out] = program(tool, input, folder_);
        EXPECT_EQ(exit, expected) << out;
        auto document = parseJson(out, "out");
        EXPECT_TRUE(document && document->contains("error")) << out;
        return document ? (*document)["error"]["code"].get<std::string>() : "";
    };
    EXPECT_EQ(error("frobnicate", "{}", 3), "not_found");
    EXPECT_EQ(error("tokenize", "{", 2), "bad_usage");
    EXPECT_EQ(error("tokenize", "[1]", 2), "bad_usage");
    EXPECT_EQ(error("tokenize", "", 2), "bad_usage");
    EXPECT_EQ(error("tokenize", std::string((8u << 20) + 1, ' '), 2), "bad_usage");
    EXPECT_EQ(error("data_rows", R"({"path":"/nowhere"})", 3), "not_found");
    EXPECT_EQ(error("data_rows", std::string(200, '[') , 2), "bad_usage");
}

TEST_F(ToolTest, RowsArePagedFilteredAndCut) {
    std::string text = "id,verse\n";
    for (int i = 1; i <= 30; ++i) text += std::to_string(i) + ",verse " + std::to_string(i) + "\n";
    text += "31," + std::string(3000, 'x') + "\n";
    const std::string path = write("a.csv", text);
    Json page = call("data_rows", {{"path", path}, {"offset", 28}, {"limit", 10}});
    EXPECT_EQ(page["columns"], Json({"id", "verse"}));
    EXPECT_EQ(page["total"], 31);
    ASSERT_EQ(page["rows"].size(), 3u);
    EXPECT_EQ(page["rows"][0]["row"], 29);
    EXPECT_EQ(page["rows"][0]["line"], 30);
    EXPECT_EQ(page["rows"][0]["usable"], true);
    EXPECT_EQ(page["rows"][0]["reason"], Json());
    EXPECT_EQ(page["rows"][0]["cells"]["verse"], "verse 29");
    EXPECT_EQ(page["rows"][2]["cut"], Json({"verse", "text"}));
    EXPECT_EQ(page["rows"][2]["text"].get<std::string>().size(), 2000u);
    EXPECT_EQ(page["next_offset"], Json());
    page = call("data_rows", {{"path", path}, {"offset", 1}, {"limit", 2}, {"filter", "verse 2"}});
    EXPECT_EQ(page["total"], 11);  // 2, 20 to 29
    EXPECT_EQ(page["rows"][0]["row"], 20);
    EXPECT_EQ(page["next_offset"], 3);
    EXPECT_EQ(call("data_rows", {{"path", path}, {"offset", 1000}})["rows"].size(), 0u);
    const Json report = call("data_inspect", {{"paths", {path}}});
    EXPECT_EQ(report["mapping"], (Json{{"text", "verse"}}));
    EXPECT_EQ(report["usable"], 31);
    EXPECT_EQ(report["sample"].size(), 5u);
}

TEST_F(ToolTest, LengthsAndViews) {
    const std::string path = write("a.txt", "a\nbb\n");
    const Json lengths = call("data_lengths", {{"path", path}, {"tokenizer", "bytes"}, {"sequence_length", 8}});
    EXPECT_EQ(lengths["tokens"], 5);
    EXPECT_EQ(lengths["median"], 2.5);
    EXPECT_DOUBLE_EQ(lengths["padding"]["concat"].get<double>(), 3.0 / 8);
    const Json view = call("data_view", {{"path", path}, {"tokenizer", "bytes"}, {"sequence_length", 8}, {"row", 1}});
    EXPECT_EQ(view["total"], 5);
    EXPECT_EQ(view["loss_total"], 3);
    EXPECT_EQ(view["tokens"][2], (Json{{"id", 98}, {"text", "b"}, {"loss", false}, {"special", false}, {"border", true}}));
    EXPECT_EQ(view["documents"][1]["line"], 2);
    EXPECT_EQ(refused("data_view", {{"path", path}, {"tokenizer", "bytes"}, {"sequence_length", 8}, {"row", 0}}), ErrorCode::kBadUsage);
    EXPECT_EQ(refused("data_view", {{"path", path}, {"tokenizer", "bytes"}, {"sequence_length", 8}, {"loss_on", "assistant"}}), ErrorCode::kBadUsage);  // plain text has no answers
}

TEST_F(ToolTest, FilesFoldersFirstWithKinds) {
    write("z/model/config.json", "{}");
    write("z/model/model.safetensors", "");
    write("z/Sub/x", "");
    write("z/b.JSONL.gz", "12345");
    write("z/a.yaml", "");
    write("z/.hidden", "");
    fs::create_symlink(folder_ / "z/model", folder_ / "z/link");
    fs::create_symlink(folder_ / "nowhere", folder_ / "z/broken");
    fs::create_symlink(folder_ / "z", folder_ / "way");
    const Json list = call("files_list", {{"folder", (folder_ / "way").string()}});
    EXPECT_EQ(list["folder"], fs::canonical(folder_ / "z").string());
    EXPECT_EQ(list["parent"], fs::canonical(folder_).string());
    std::vector<std::string> seen;
    for (const Json& e : list["entries"]) seen.push_back(e["name"].get<std::string>() + (e["folder"].get<bool>() ? "/ " : " ") + e["kind"].get<std::string>());
    EXPECT_THAT(seen, testing::ElementsAre("Sub/ folder", "link/ model", "model/ model", "a.yaml experiment", "b.JSONL.gz dataset", "broken other"));
    EXPECT_EQ(list["entries"][4]["bytes"], 5);
    EXPECT_THAT(list["entries"][4]["modified_at"].get<std::string>(), testing::MatchesRegex("20..-..-..T..:..:..Z"));
    EXPECT_EQ(call("files_list", {{"folder", (folder_ / "z").string()}, {"hidden", true}})["entries"].size(), 7u);
    EXPECT_EQ(call("files_list", {{"folder", "/"}})["parent"], Json());
    EXPECT_EQ(refused("files_list", {{"folder", (folder_ / "gone").string()}}), ErrorCode::kNotFound);
    EXPECT_EQ(refused("files_list", {{"folder", (folder_ / "z/a.yaml").string()}}), ErrorCode::kBadUsage);
    EXPECT_EQ(refused("files_list", {{"folder", "relative"}}), ErrorCode::kBadUsage);
    if (::geteuid() != 0) {
        fs::permissions(folder_ / "z/Sub", fs::perms::none);
        EXPECT_FALSE(findTool("files_list")->run(options_, {{"folder", (folder_ / "z/Sub").string()}}));
        fs::permissions(folder_ / "z/Sub", fs::perms::owner_all);
    }
}

TEST_F(ToolTest, RunsAreReadFromTheirFolders) {
    const std::string runs = "store/runs/";
    write(runs + "20261130-aaaa/job.json", R"({"spec":{"name":"small","kind":"train"}})");
    write(runs + "20261130-aaaa/artifacts/model/config.json", "{}");
    write(runs + "20261130-aaaa/events.rank0.jsonl", "{\"type\":\"hello\"}\n{\"type\":\"artifact\",\"name\":\"model\",\"kind\":\"model\",\"path\":\"artifacts/model\"}\nnot json \"end\"\n{\"type\":\"end\",\"outcome\":\"done\"}\n");
    const std::string model = (folder_ / runs / "20261130-aaaa/artifacts/model").string();
    write(runs + "20261130-bbbb/job.json", R"({"spec":{"name":"q","kind":"quantize","inputs":{"model":")" + model + "\"}}}");
    write(runs + "20261130-bbbb/artifacts/int8/config.json", "{}");
    write(runs + "20261130-bbbb/events.rank0.jsonl", "{\"type\":\"setup\",\"name\":\"int8\",\"scheme\":\"w8a8\",\"path\":\"artifacts/int8\"}\n{\"type\":\"setup\",\"name\":\"bad\",\"path\":\"../../../../etc\"}\n");
    const auto folders = readRunFolders(options_.store);
    ASSERT_EQ(folders.size(), 2u);
    EXPECT_EQ(folders[1].name, "small");
    EXPECT_TRUE(folders[1].done);
    EXPECT_EQ(folders[1].model, model);
    EXPECT_FALSE(folders[0].done);
    ASSERT_EQ(folders[0].setups.size(), 1u);  // nothing outside its folder
    EXPECT_EQ(*resolveRunModel(options_.store, "run:20261130-a"), model);
    EXPECT_THAT(*resolveRunModel(options_.store, "run:20261130-bbbb/int8"), HasSubstr("artifacts/int8"));
    EXPECT_EQ(resolveRunModel(options_.store, "run:20261130").error().code, ErrorCode::kBadUsage);  // two
    EXPECT_EQ(resolveRunModel(options_.store, "run:../../x").error().code, ErrorCode::kBadUsage);
    EXPECT_EQ(resolveRunModel(options_.store, "run:20261130-bbbb").error().code, ErrorCode::kNotFound);
    // Listed with what is wrong with it, and with its set-up.
    const Json models = call("models_list", Json::object())["models"];
    const auto found = std::find_if(models.begin(), models.end(), [](const Json& m) { return m["source"] == "run"; });
    ASSERT_NE(found, models.end());
    EXPECT_EQ((*found)["reference"], "run:20261130-aaaa");
    EXPECT_EQ((*found)["name"], "small");
    EXPECT_TRUE((*found)["error"].is_object());
    EXPECT_EQ((*found)["setups"][0]["scheme"], "w8a8");
    EXPECT_EQ((*found)["setups"][0]["reference"], "run:20261130-bbbb/int8");
}

TEST_F(ToolTest, SpecCheckAndDoctorAreTheCommandsDocuments) {
    const Json bad = call("spec_check", {{"yaml", "kind: trian\n"}});
    EXPECT_EQ(bad["ok"], false);
    EXPECT_EQ(bad["problems"][0]["line"], 1);
    EXPECT_EQ(call("doctor", Json::object())["store"], options_.store);
}

// No parameters of the wrong kind, and no content of a file, gets further than an error.
TEST_F(ToolTest, HostileParametersAndFiles) {
    const std::vector<Json> values{nullptr, -1, 0, 1e300, uint64_t{1} << 63, "", "/", "/dev/null", "asset:../x", "blob:../x", "run:x", "run:../..", std::string(5000, 'a'), Json::array({1}), Json::object(), true, folder_.string()};
    for (const char* tool : {"data_inspect", "data_lengths", "data_rows", "data_view", "files_list", "model_describe", "models_list", "spec_check", "tokenize"})
        for (const char* key : {"path", "paths", "columns", "format", "document", "offset", "limit", "filter", "tokenizer", "row", "sequence_length", "packing", "folder", "folders", "model", "yaml", "text"})
            for (const Json& value : values) {
                Json params{{"path", "/nowhere"}, {"tokenizer", "bytes"}, {"sequence_length", 8}};
                params[key] = value;
                auto result = findTool(tool)->run(options_, params);
                EXPECT_TRUE(result || result.error().code != ErrorCode::kInternal) << tool << " " << params.dump();
            }
    std::mt19937 random(11);
    for (int round = 0; round < 60; ++round) {
        std::string bytes = round % 3 == 0 ? "[" : round % 3 == 1 ? "GGUF" : "{\"text\":";
        for (size_t n = random() % 300; n > 0; --n) bytes += static_cast<char>(random());
        for (const char* name : {"f.json", "f.jsonl", "f.csv", "f.txt", "f.gz", "f.zst"}) {
            const std::string path = write(name, bytes);
            (void)findTool("data_inspect")->run(options_, {{"paths", {path}}});
            (void)findTool("data_view")->run(options_, {{"path", path}, {"tokenizer", "bytes"}, {"sequence_length", 4}});
        }
        (void)findTool("model_describe")->run(options_, {{"model", write("f.gguf", bytes)}});
    }
}

TEST(UploadedNames, ReplaceBlobsInErrors) {
    const std::string hash(64, 'a');
    Error error(ErrorCode::kInvalidFile, "/home/me/store/blobs/" + hash + " is empty", "look at blob:" + hash);
    error.context = {"(" + std::string("blob:") + hash + ")", "run 1"};
    const Error named = namedAsGiven(error, "blob:" + hash, "my text.txt");
    EXPECT_EQ(named.message, "my text.txt is empty");
    EXPECT_EQ(named.hint, "look at my text.txt");
    EXPECT_EQ(named.context, (std::vector<std::string>{"(my text.txt)", "run 1"}));
    EXPECT_EQ(namedAsGiven(error, "blob:" + hash, "blob:" + hash).message, error.message);
}

}  // namespace
}  // namespace assay::cli
