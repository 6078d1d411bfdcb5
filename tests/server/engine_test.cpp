// The real assay-engine with scripted workers, over real sockets.
#include <algorithm>
#include <assay/config/config.h>
#include <assay/core/process.h>
#include <assay/core/hash.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>

#include "temp_folder.h"
#include "test_client.h"

using namespace assay;
using namespace assay::test;

namespace {

QCoreApplication& application() {
    static int argc = 1;
    static char name[] = "test_server";
    static char* argv[] = {name, nullptr};
    static QCoreApplication app(argc, argv);
    return app;
}

class EngineTest : public ::testing::Test {
protected:
    void SetUp() override {
        application();
        ASSERT_TRUE(makeFolders(folder_ / "scripts"));
        start();
    }
    void TearDown() override {
        TestClient client(endpoint_);
        if (client.ready())
            if (auto list = client.call("runs.list"))
                for (const Json& run : (*list)["runs"])
                    if (run["ended_at"].is_null()) (void)client.call("runs.stop", {{"run", run["id"]}, {"discard", true}});
        end(SIGTERM);
    }
    void start(std::vector<std::string> more = {}) {
        ProcessSpec spec;
        spec.argv = {std::string(ASSAY_BIN_DIR) + "/assay-engine", "--store", folder_ / "store"};
        spec.argv.insert(spec.argv.end(), more.begin(), more.end());
        spec.environment = {{"ASSAY_WORKER", std::string(ASSAY_BIN_DIR) + "/assay_fake_worker"}, {"ASSAY_FAKE_SCRIPTS", folder_ / "scripts"},
                            {"ASSAY_TOOL_PROGRAM", std::string(ASSAY_SOURCE_DIR) + "/tests/server/fake_tool.sh"}};
        spec.outputPath = folder_ / "engine.log";
        auto process = launchProcess(spec);
        ASSERT_TRUE(process) << process.error().text();
        engine_ = *process;
        ASSERT_TRUE(spinUntil([&] {
            auto json = readJsonFile(folder_ / "store/engine.json");
            if (!json) return false;
            auto endpoint = protocol::endpointFromJson(*json);
            if (!endpoint || endpoint->pid != engine_.pid) return false;
            endpoint_ = *endpoint;
            return true;
        })) << readFile(folder_ / "engine.log").value_or("");
    }
    void end(int signal) {
        if (engine_.pid < 0) return;
        ::kill(engine_.pid, signal);
        EXPECT_TRUE(spinUntil([&] { return reap(engine_.pid).has_value(); }));
        engine_.pid = -1;
    }
    void script(const std::string& name, const std::string& text) { std::ofstream(folder_ / ("scripts/" + name + ".train")) << text; }
    Json spec(const std::string& name) {
        return config::loadSpecText("assay: 1\nname: " + name +
                                        "\nkind: train\ndata: {train: {path: /dev/null, format: text}, tokenizer: bytes}\n"
                                        "model: {from: {family: gpt2, layers: 1, hidden: 8, heads: 1}}\ntrain: {steps: 5}\n",
                                    "t", "/")
            .resolved;
    }
    std::string submit(TestClient& client, const std::string& name) {
        static int key = 0;
        auto made = client.call("runs.submit", {{"spec", spec(name)}, {"idempotency_key", "k" + std::to_string(key++)}});
        EXPECT_TRUE(made) << made.error().text();
        return made ? (*made)["run"].get<std::string>() : "";
    }
    bool done(TestClient& client, const std::string& run) {
        for (int i = 0; i < 2000; ++i) {
            auto row = client.call("runs.get", {{"run", run}});
            if (!row) return false;
            if (!(*row)["ended_at"].is_null()) return (*row)["status"] == "done";
            spinUntil([] { return false; }, 10);
        }
        return false;
    }

    TempFolder folder_;
    ProcessHandle engine_;
    protocol::Endpoint endpoint_;
};

}  // namespace

TEST_F(EngineTest, EndpointIsPrivateAndGoneAtTheEnd) {
    struct stat st {};
    ASSERT_EQ(::stat((folder_ / "store/engine.json").c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 0777, 0600u);
    EXPECT_EQ(readFile(folder_ / "engine.log")->find(endpoint_.token), std::string::npos) << "the token is in no log";
    end(SIGTERM);
    EXPECT_NE(::stat((folder_ / "store/engine.json").c_str(), &st), 0);
    start();
}

TEST_F(EngineTest, WhoIsRefusedAndHow) {
    auto closedWith = [&](Connect how) {
        TestClient client(endpoint_, how);
        EXPECT_FALSE(client.ready());
        EXPECT_TRUE(spinUntil([&] { return client.closed || client.failed; }));
        return client.closeCode();
    };
    Connect wrongToken, page, oldProtocol, oldClient;
    wrongToken.token = "0000";
    EXPECT_EQ(closedWith(wrongToken), protocol::kCloseUnauthorized);
    page.origin = "http://evil.example";
    TestClient refused(endpoint_, page);
    EXPECT_TRUE(spinUntil([&] { return refused.failed || refused.closed; }));
    EXPECT_TRUE(refused.hello.is_null());
    oldProtocol.subprotocol = QStringLiteral("assay.v0.json");
    EXPECT_EQ(closedWith(oldProtocol), protocol::kCloseVersion);
    TestClient malformed(endpoint_, {.attach = false});
    ASSERT_TRUE(spinUntil([&] { return malformed.hello.is_object(); }));
    EXPECT_TRUE(protocol::helloFromJson(malformed.hello));
    malformed.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"runs.list\"}");
    ASSERT_TRUE(spinUntil([&] { return malformed.closed; }));
    EXPECT_EQ(malformed.closeCode(), protocol::kCloseMalformed);
    TestClient large(endpoint_);
    ASSERT_TRUE(large.ready());
    large.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":{\"a\":\"" + std::string(5 << 20, 'a') + "\"}}");
    ASSERT_TRUE(spinUntil([&] { return large.closed; }));
    EXPECT_EQ(large.closeCode(), protocol::kCloseTooLarge);
}

TEST_F(EngineTest, MalformedMessagesAreAnsweredAndTheSessionLives) {
    TestClient client(endpoint_);
    ASSERT_TRUE(client.ready());
    auto vectors = readJsonFile(std::string(ASSAY_SOURCE_DIR) + "/tests/fixtures/protocol/envelopes.json");
    ASSERT_TRUE(vectors);
    size_t sent = 0;
    for (const Json& vector : (*vectors)["malformed"])
        if (!vector.contains("id")) {
            client.send(vector["text"]);
            ++sent;
        }
    ASSERT_TRUE(spinUntil([&] { return client.oddities.size() >= sent; })) << client.oddities.size() << " of " << sent;
    EXPECT_EQ(client.call("no.such.method").error().code, ErrorCode::kNotFound);
    const std::pair<const char*, Json> bad[] = {{"runs.get", Json::object()},
                                                {"runs.get", {{"run", 7}}},
                                                {"runs.list", {{"limit", -1}}},
                                                {"runs.list", {{"limit", "5"}}},
                                                {"runs.list", {{"where", "status ="}}},
                                                {"runs.submit", {{"spec", 1}, {"idempotency_key", "k"}}},
                                                {"runs.submit", {{"spec", Json::object()}}},
                                                {"events.subscribe", {{"topics", {"nothing"}}}},
                                                {"metrics.query", {{"run", "x"}, {"name", 5}}},
                                                {"blobs.put", {{"sha256", "../x"}, {"offset", 0}, {"total", 1}, {"data", "eA=="}}},
                                                {"blobs.put", {{"sha256", std::string(64, 'a')}, {"offset", 0}, {"total", 1}, {"data", "?"}}}};
    for (const auto& [method, params] : bad) {
        auto answer = client.call(method, params);
        ASSERT_FALSE(answer) << method << dumpJson(params);
        EXPECT_TRUE(answer.error().code == ErrorCode::kBadUsage || answer.error().code == ErrorCode::kNotFound) << method << dumpJson(params) << answer.error().text();
    }
    EXPECT_EQ(client.call("events.subscribe", {{"after_seq", 1'000'000}}).error().code, ErrorCode::kGone);
    auto info = client.call("engine.info");
    ASSERT_TRUE(info);
    EXPECT_EQ((*info)["pid"], engine_.pid);
}

TEST_F(EngineTest, StreamHasNoGapAndNoDoubleAcrossBrokenSockets) {
    script("a", "slow 0 300 3\nend done\n");
    TestClient control(endpoint_);
    ASSERT_TRUE(control.ready());
    const std::string run = submit(control, "a");
    std::vector<Json> got;
    int64_t cursor = 0;
    int sockets = 0;
    const auto isEnd = [](const Json& event) { return event["type"] == "run" && event["row"]["status"] == "done"; };
    bool ended = false;
    while (!ended) {
        TestClient client(endpoint_);
        ASSERT_TRUE(client.ready());
        client.subscribe(cursor);
        client.seen = cursor;
        // The last socket may find a single batch left, the one with the end.
        ASSERT_TRUE(spinUntil([&] { return client.batches >= 2 || std::any_of(client.events.begin(), client.events.end(), isEnd); }))
            << sockets;
        client.abort();
        ++sockets;
        for (const Json& event : client.events) {
            got.push_back(event);
            ended = ended || isEnd(event);
        }
        cursor = client.seen;
        if (sockets > 200) break;
    }
    ASSERT_TRUE(ended);
    EXPECT_GT(sockets, 2);
    int64_t last = 0, step = 0;
    for (const Json& event : got) {
        EXPECT_GT(event["seq"].get<int64_t>(), last);
        last = event["seq"];
        if (event["type"] != "metrics") continue;
        for (const Json& point : event["points"]) EXPECT_EQ(point[0].get<int64_t>(), step++);
    }
    EXPECT_EQ(step, 301);
}

TEST_F(EngineTest, TwoClientsSeeTheSame) {
    script("a", "metrics 0 99\nend done\n");
    TestClient one(endpoint_), two(endpoint_);
    ASSERT_TRUE(one.ready() && two.ready());
    one.subscribe(0);
    two.subscribe(0);
    const std::string run = submit(one, "a");
    ASSERT_TRUE(done(two, run));
    auto list = one.call("runs.list", {{"where", "status = done"}});
    ASSERT_TRUE(list);
    const int64_t until = (*list)["as_of_seq"];
    ASSERT_TRUE(spinUntil([&] { return one.seen >= until && two.seen >= until; }));
    EXPECT_EQ(one.events, two.events);
    EXPECT_EQ(two.call("runs.stop", {{"run", run}, {"discard", false}}).error().code, ErrorCode::kBusy);
}

TEST_F(EngineTest, StalledReaderGetsFourBatchesAndNoMore) {
    script("a", "slow 0 400 4\nend done\n");
    TestClient control(endpoint_), stalled(endpoint_, {.acknowledge = false});
    ASSERT_TRUE(control.ready() && stalled.ready());
    stalled.subscribe(0);
    const std::string run = submit(control, "a");
    ASSERT_TRUE(done(control, run));
    EXPECT_EQ(stalled.batches, protocol::kBatchCredits);
    // One ack for all of them: the rest comes, without a gap.
    const int64_t before = stalled.seen;
    stalled.send(protocol::notificationText("events.ack", {{"seq", before}}));
    ASSERT_TRUE(spinUntil([&] { return stalled.batches > protocol::kBatchCredits; }));
}

TEST_F(EngineTest, KilledEngineLosesAndDoublesNothing) {
    script("a", "slow 0 600 3\nend done\n");
    std::string run;
    {
        TestClient client(endpoint_);
        ASSERT_TRUE(client.ready());
        run = submit(client, "a");
    }
    for (int kill = 0; kill < 3; ++kill) {
        TestClient client(endpoint_);
        ASSERT_TRUE(client.ready());
        client.subscribe(0);
        ASSERT_TRUE(spinUntil([&] { return client.batches > 1; }));
        end(SIGKILL);
        start();
    }
    TestClient client(endpoint_);
    ASSERT_TRUE(client.ready());
    ASSERT_TRUE(done(client, run));
    auto series = client.call("metrics.query", {{"run", run}, {"name", "train/loss"}});
    ASSERT_TRUE(series);
    ASSERT_EQ((*series)["points"].size(), 601u);
    for (size_t s = 0; s <= 600; ++s) EXPECT_EQ((*series)["points"][s][0], s);
    auto row = client.call("runs.get", {{"run", run.substr(0, 10)}});
    ASSERT_TRUE(row);
    EXPECT_EQ((*row)["attempt"], 1);
}

TEST_F(EngineTest, SecondEngineIsTurnedAway) {
    ProcessSpec spec;
    spec.argv = {std::string(ASSAY_BIN_DIR) + "/assay-engine", "--store", folder_ / "store"};
    spec.outputPath = folder_ / "second.log";
    auto second = launchProcess(spec);
    ASSERT_TRUE(second);
    std::optional<ExitStatus> exit;
    ASSERT_TRUE(spinUntil([&] { return (exit = reap(second->pid)).has_value(); }));
    EXPECT_EQ(exit->code, 1);
    EXPECT_NE(readFile(folder_ / "second.log")->find("pid " + std::to_string(engine_.pid)), std::string::npos);
}

TEST_F(EngineTest, ToolsAnswerAndFailClearly) {
    TestClient client(endpoint_);
    ASSERT_TRUE(client.ready());
    EXPECT_EQ(client.hello["api_level"], 2);
    auto tool = [&](const std::string& what, const std::string& name = "plan") { return client.call("tools.call", {{"tool", name}, {"params", {{"do", what}}}}); };
    auto echo = tool("echo", "data_rows");
    ASSERT_TRUE(echo) << echo.error().text();
    EXPECT_EQ(*echo, (Json{{"tool", "data_rows"}, {"store", folder_ / "store"}, {"given", {{"do", "echo"}}}}));
    auto refused = tool("refuse");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(refused.error().message, "row 7 is broken");
    EXPECT_EQ(refused.error().hint, "correct it");
    auto crashed = tool("crash");
    ASSERT_FALSE(crashed);
    EXPECT_NE(crashed.error().message.find("signal 11"), std::string::npos) << crashed.error().text();
    EXPECT_NE(crashed.error().text().find("about to fall"), std::string::npos) << crashed.error().text();
    EXPECT_NE(tool("silent").error().message.find("exit code 3"), std::string::npos);
    EXPECT_EQ(tool("rubbish").error().code, ErrorCode::kInternal);
    EXPECT_EQ(tool("large").error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(tool("echo", "rm").error().code, ErrorCode::kNotFound);
    EXPECT_EQ(client.call("tools.call", {{"tool", "plan"}, {"params", 1}}).error().code, ErrorCode::kBadUsage);
}

TEST_F(EngineTest, ToolsAreFourAtOnceAndEndWithTheirClient) {
    auto pids = [&] {
        std::vector<int> out;
        std::ifstream file(folder_ / "store/tool.pids");
        for (int pid = 0; file >> pid;) out.push_back(pid);
        return out;
    };
    {
        TestClient client(endpoint_);
        ASSERT_TRUE(client.ready());
        for (int i = 0; i < 6; ++i) client.send(protocol::requestText(100 + i, "tools.call", {{"tool", "plan"}, {"params", {{"do", "hang"}}}}));
        ASSERT_TRUE(spinUntil([&] { return pids().size() == 4; }));
        EXPECT_TRUE(client.call("runs.list")) << "the engine goes on answering";
        // One that waits and one that runs: both are answered at once, and the running one ends.
        client.send(protocol::notificationText("$/cancel", {{"id", 105}}));
        client.send(protocol::notificationText("$/cancel", {{"id", 100}}));
        ASSERT_TRUE(spinUntil([&] { return client.answers.contains(105) && client.answers.contains(100); }));
        EXPECT_EQ(client.answers[100].error().code, ErrorCode::kCancelled);
        EXPECT_EQ(client.answers[105].error().code, ErrorCode::kCancelled);
        ASSERT_TRUE(spinUntil([&] { return pids().size() == 5; })) << "the next in order begins";
        EXPECT_FALSE(client.answers.contains(104));
    }
    ASSERT_TRUE(spinUntil([&] {
        const auto all = pids();
        return std::none_of(all.begin(), all.end(), [](int pid) { return processStartTicks(pid).has_value(); });
    })) << "the client is gone";
    EXPECT_EQ(pids().size(), 5u);
}

// What is predicted at submission stays with the run; the runs below it have their part.
TEST_F(EngineTest, APlanIsKeptWithTheRun) {
    script("planned", "end done\n");
    TestClient client(endpoint_);
    ASSERT_TRUE(client.ready());
    client.subscribe(0);
    Json seeds = spec("planned");
    seeds["seeds"] = {1, 2};
    seeds.erase("seed");
    auto made = client.call("runs.submit", {{"spec", seeds}, {"idempotency_key", "plan"}});
    ASSERT_TRUE(made) << made.error().text();
    const std::string run = (*made)["run"];
    const auto told = [&](const Json& event) { return event["type"] == "plan" && event["run"] == run && event["made"] == true && event["error"].is_null(); };
    ASSERT_TRUE(spinUntil([&] { return std::any_of(client.events.begin(), client.events.end(), told); }));
    auto root = client.call("runs.get", {{"run", run}});
    ASSERT_TRUE(root) << root.error().text();
    EXPECT_EQ((*root)["plan"]["total_seconds"], 8);
    EXPECT_EQ((*root)["plan"]["stages"].size(), 1u);
    EXPECT_TRUE((*root)["plan_error"].is_null());
    ASSERT_EQ((*made)["children"].size(), 2u);
    auto child = client.call("runs.get", {{"run", (*made)["children"][1]}});
    ASSERT_TRUE(child);
    // One of the two runs of 4 s that the 8 s and 4 USD are for.
    EXPECT_EQ((*child)["plan"]["total_seconds"], 4);
    EXPECT_EQ((*child)["plan"]["cost_usd"], 2);
    EXPECT_TRUE((*child)["plan"]["energy_joules"].is_null());
    EXPECT_EQ((*child)["plan"]["cost_sensitivity"]["price_minus_20_percent"], 1.6);
    EXPECT_EQ((*child)["plan"]["cost_sensitivity"]["utilisation"][0], (Json{{"utilisation", 0.5}, {"cost_usd", 4}}));
    EXPECT_EQ((*child)["plan"]["step_seconds"], 0.25);
    EXPECT_EQ((*child)["plan"]["memory"]["peak_bytes"], 100);
    EXPECT_EQ((*child)["plan"]["stages"][0]["runs"], 1);
    EXPECT_EQ((*child)["plan"]["capacity_bytes"], 1000);
    // The same submission again changes nothing, and the plan knows no run that is not older.
    ASSERT_TRUE(client.call("runs.submit", {{"spec", seeds}, {"idempotency_key", "plan"}}));
    auto input = readFile(folder_ / "store/plan.input");
    ASSERT_TRUE(input);
    EXPECT_EQ(std::count(input->begin(), input->end(), '\n'), 1);
    EXPECT_NE(input->find("\"before\":\"" + run + "\""), std::string::npos) << *input;
    ASSERT_TRUE(done(client, run));
}

TEST_F(EngineTest, APlanThatFailsHurtsNobody) {
    script("unplanned", "end done\n");
    TestClient client(endpoint_);
    ASSERT_TRUE(client.ready());
    const std::string run = submit(client, "unplanned");
    ASSERT_TRUE(done(client, run));
    Json row;
    ASSERT_TRUE(spinUntil([&] {
        auto got = client.call("runs.get", {{"run", run}});
        if (got) row = *got;
        return got && !row["plan_error"].is_null();
    }));
    EXPECT_TRUE(row["plan"].is_null());
    EXPECT_EQ(row["plan_error"]["code"], "not_found");
    EXPECT_EQ(row["plan_error"]["message"], "no such model");
    EXPECT_EQ(row["status"], "done");
}

TEST_F(EngineTest, APlanIsMadeAgainAfterARestart) {
    script("slowly", "end done\n");
    std::string run;
    {
        TestClient client(endpoint_);
        ASSERT_TRUE(client.ready());
        run = submit(client, "slowly");
        // The run does not wait for it.
        ASSERT_TRUE(done(client, run));
        ASSERT_TRUE(spinUntil([&] { return readFile(folder_ / "store/plan.pids").has_value(); }));
        EXPECT_TRUE((*client.call("runs.get", {{"run", run}}))["plan"].is_null());
    }
    end(SIGKILL);
    const int pid = std::stoi(*readFile(folder_ / "store/plan.pids"));
    EXPECT_TRUE(spinUntil([&] { return ::kill(pid, 0) != 0; })) << "the tool outlived its engine";
    std::ofstream(folder_ / "store/go") << "x";
    start();
    TestClient client(endpoint_);
    ASSERT_TRUE(client.ready());
    ASSERT_TRUE(spinUntil([&] {
        auto got = client.call("runs.get", {{"run", run}});
        return got && (*got)["plan"].is_object();
    }));
    EXPECT_TRUE(spinUntil([&] { return !readFile(folder_ / ("store/plans/" + run)).has_value(); })) << "nothing is left to do";
}

TEST_F(EngineTest, ARunTellsItsSessionsAndSamples) {
    script("a", "metrics 1 3\nrecord {\"type\":\"sample\",\"step\":3,\"prompt\":\"In\",\"text\":\"the beginning\"}\ncheckpoint 3\nexit 3\n");
    std::ofstream(folder_ / "scripts/a.train.resume") << "record {\"type\":\"resumed\",\"step\":3,\"replayed_steps\":0,\"checkpoint\":\"x\",\"time\":1767225600}\nend done\n";
    TestClient client(endpoint_);
    ASSERT_TRUE(client.ready());
    const std::string run = submit(client, "a");
    ASSERT_FALSE(done(client, run));
    ASSERT_TRUE(client.call("runs.resume", {{"run", run}}));
    ASSERT_TRUE(done(client, run));
    auto row = client.call("runs.get", {{"run", run}});
    ASSERT_TRUE(row);
    EXPECT_EQ((*row)["resumed"], (Json::array({{{"step", 3}, {"at", "2026-01-01T00:00:00.000Z"}}})));
    ASSERT_EQ((*row)["samples"].size(), 1u);
    EXPECT_EQ((*row)["samples"][0]["text"], "the beginning");
    EXPECT_EQ((*row)["samples"][0]["step"], 3);
}

TEST_F(EngineTest, MachineGroupsAndWarnings) {
    TestClient client(endpoint_);
    ASSERT_TRUE(client.ready());
    auto machine = client.call("engine.machine");
    ASSERT_TRUE(machine) << machine.error().text();
    EXPECT_FALSE((*machine)["cpu_model"].get<std::string>().empty());
    EXPECT_GE((*machine)["cores"].get<int>(), 1);
    const double load = (*machine)["cpu_fraction"];
    EXPECT_TRUE(load >= 0 && load <= 1) << load;
    for (const char* part : {"memory", "disk"}) EXPECT_GT((*machine)[std::string(part) + "_total_bytes"].get<int64_t>(), 0) << part;
    EXPECT_LE((*machine)["memory_used_bytes"].get<int64_t>(), (*machine)["memory_total_bytes"].get<int64_t>());
    EXPECT_GT((*machine)["store_bytes"].get<int64_t>(), 4096);
    EXPECT_EQ((*machine)["runs_running"], 0);
    EXPECT_EQ((*machine)["runs_queued"], 0);
    EXPECT_TRUE((*machine)["trouble"].is_null());

    script("a", "metrics 0 5\nend done\n");
    const std::string run = submit(client, "a");
    ASSERT_TRUE(done(client, run));
    auto groups = client.call("runs.groups", {{"key", "status"}});
    ASSERT_TRUE(groups) << groups.error().text();
    EXPECT_EQ((*groups)["groups"], Json::parse(R"([{"value":"done","total":1}])"));
    auto list = client.call("runs.list", {{"sort", "train/los"}, {"columns", {"train.steps"}}});
    ASSERT_TRUE(list) << list.error().text();
    EXPECT_EQ((*list)["runs"][0]["values"]["train.steps"], 5);
    EXPECT_EQ((*list)["warnings"], Json::parse(R"(["no run has the key \"train/los\"; did you mean train/loss?"])"));
}

TEST_F(EngineTest, WrongIdleExitIsSaidPlainly) {
    ProcessSpec spec;
    spec.argv = {std::string(ASSAY_BIN_DIR) + "/assay-engine", "--store", folder_ / "other", "--idle-exit", "-1"};
    spec.outputPath = folder_ / "idle.log";
    auto process = launchProcess(spec);
    ASSERT_TRUE(process);
    std::optional<ExitStatus> exit;
    ASSERT_TRUE(spinUntil([&] { return (exit = reap(process->pid)).has_value(); }));
    EXPECT_EQ(exit->code, 2);
    EXPECT_NE(readFile(folder_ / "idle.log")->find("\"-1\" is not a number of seconds"), std::string::npos) << *readFile(folder_ / "idle.log");
}

TEST_F(EngineTest, LeavesWhenIdle) {
    end(SIGTERM);
    start({"--idle-exit", "0.4"});
    {
        TestClient client(endpoint_);
        ASSERT_TRUE(client.ready());
        EXPECT_FALSE(spinUntil([&] { return client.closed; }, 1200)) << "a client holds it";
    }
    ASSERT_TRUE(spinUntil([&] { return !processStartTicks(engine_.pid); }));
    EXPECT_EQ(reap(engine_.pid)->code, 0);
    engine_.pid = -1;
    start();
}
