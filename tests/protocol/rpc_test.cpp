#include <assay/core/durable.h>
#include <assay/protocol/dispatcher.h>
#include <assay/protocol/handshake.h>
#include <assay/protocol/job.h>
#include <gtest/gtest.h>

using namespace assay;
using namespace assay::protocol;

namespace {

std::string fixture(const std::string& name) { return std::string(ASSAY_SOURCE_DIR) + "/tests/fixtures/protocol/" + name; }

std::string_view kindName(RpcMessage::Kind kind) {
    switch (kind) {
        case RpcMessage::Kind::kRequest: return "request";
        case RpcMessage::Kind::kNotification: return "notification";
        case RpcMessage::Kind::kResponse: return "response";
        case RpcMessage::Kind::kErrorResponse: return "error";
    }
    return "";
}

}  // namespace

TEST(Rpc, EnvelopeVectors) {
    auto vectors = readJsonFile(fixture("envelopes.json"));
    ASSERT_TRUE(vectors) << vectors.error().text();
    ASSERT_GT((*vectors)["valid"].size(), 5u);
    for (const Json& vector : (*vectors)["valid"]) {
        const std::string text = vector["text"];
        auto message = parseMessage(text);
        ASSERT_TRUE(message) << text;
        EXPECT_EQ(kindName(message->kind), vector["kind"]) << text;
        EXPECT_EQ(message->id, vector.value("id", Json())) << text;
        EXPECT_EQ(message->method, vector.value("method", "")) << text;
        if (vector.contains("params")) {
            EXPECT_EQ(message->params, vector["params"]) << text;
        }
        if (vector.contains("result")) {
            EXPECT_EQ(message->result, vector["result"]) << text;
        }
        if (vector.contains("code")) {
            EXPECT_EQ(errorCodeName(message->error.code), vector["code"].get<std::string>()) << text;
        }
    }
    ASSERT_GT((*vectors)["malformed"].size(), 10u);
    for (const Json& vector : (*vectors)["malformed"]) {
        const std::string text = vector["text"];
        auto message = parseMessage(text);
        ASSERT_FALSE(message) << text;
        EXPECT_EQ(message.error().number, vector["number"]) << text;
        EXPECT_EQ(message.error().id, vector.value("id", Json())) << text;
        auto answer = parseMessage(errorText(message.error()));
        ASSERT_TRUE(answer) << "the answer to a malformed message is itself well formed";
        EXPECT_EQ(answer->error.code, ErrorCode::kBadUsage);
    }
}

TEST(Rpc, TooLargeOrTooDeepIsRefused) {
    std::string large = R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":")" + std::string(kMaxMessageBytes, 'a') + "\"}}";
    EXPECT_FALSE(parseMessage(large));
    EXPECT_FALSE(parseMessage(R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":)" + std::string(1000, '[') + std::string(1000, ']') + "}}"));
}

TEST(Rpc, ErrorsKeepCodeHintAndContext) {
    Error error(ErrorCode::kDiskFull, "cannot write", "free some space");
    error.context.push_back("run 5");
    auto message = parseMessage(errorText(Json(9), error));
    ASSERT_TRUE(message);
    EXPECT_EQ(message->id, 9);
    EXPECT_EQ(message->error.code, ErrorCode::kDiskFull);
    EXPECT_EQ(message->error.message, "cannot write");
    EXPECT_EQ(message->error.hint, "free some space");
    EXPECT_EQ(message->error.context, std::vector<std::string>{"run 5"});
}

TEST(Rpc, TextsParseBack) {
    auto request = parseMessage(requestText("a1", "runs.get", {{"run", "x"}}));
    ASSERT_TRUE(request);
    EXPECT_EQ(request->method, "runs.get");
    EXPECT_EQ(request->params["run"], "x");
    auto response = parseMessage(responseText("a1", nullptr));
    ASSERT_TRUE(response);
    EXPECT_TRUE(response->result.is_null());
    auto notification = parseMessage(notificationText("events.ack", {{"seq", 5}}));
    ASSERT_TRUE(notification);
    EXPECT_EQ(notification->kind, RpcMessage::Kind::kNotification);
}

TEST(Handshake, Vectors) {
    auto vectors = readJsonFile(fixture("handshake.json"));
    ASSERT_TRUE(vectors) << vectors.error().text();
    auto hello = helloFromJson((*vectors)["hello"]);
    ASSERT_TRUE(hello) << hello.error().text();
    EXPECT_EQ(helloToJson(*hello), (*vectors)["hello"]);
    auto attach = attachFromJson((*vectors)["attach"]);
    ASSERT_TRUE(attach) << attach.error().text();
    EXPECT_EQ(attachToJson(*attach), (*vectors)["attach"]);
    auto attached = attachedFromJson((*vectors)["attached"]);
    ASSERT_TRUE(attached) << attached.error().text();
    EXPECT_EQ(attachedToJson(*attached), (*vectors)["attached"]);
    auto endpoint = endpointFromJson((*vectors)["endpoint"]);
    ASSERT_TRUE(endpoint) << endpoint.error().text();
    EXPECT_EQ(endpointToJson(*endpoint), (*vectors)["endpoint"]);
    for (const Json& vector : (*vectors)["negotiation"]) {
        auto level = negotiate(vector["server"], vector["server_compat"], vector["client"]);
        if (vector["level"].is_null()) {
            ASSERT_FALSE(level);
            EXPECT_EQ(level.error().code, ErrorCode::kVersionMismatch);
        } else {
            ASSERT_TRUE(level);
            EXPECT_EQ(*level, vector["level"]);
        }
    }
    for (const Json& bad : (*vectors)["bad_attach"]) EXPECT_FALSE(attachFromJson(bad)) << bad.dump();
}

TEST(Handshake, SecretsCompare) {
    EXPECT_TRUE(sameSecret("abc", "abc"));
    EXPECT_FALSE(sameSecret("abc", "abd"));
    EXPECT_FALSE(sameSecret("abc", "abcabc"));
    EXPECT_FALSE(sameSecret("", "abc"));
    EXPECT_FALSE(sameSecret("abc", ""));
}

TEST(Dispatcher, CallsByName) {
    Dispatcher table;
    table.add("b", Cost::kQuick, [](const Json& params, uint64_t session) -> Result<Json> { return Json{{"x", params["x"]}, {"session", session}}; });
    table.add("a", Cost::kSlow, [](const Json&, uint64_t) -> Result<Json> { return fail(ErrorCode::kBusy, "no"); });
    EXPECT_EQ(table.names(), (std::vector<std::string>{"a", "b"}));
    auto answer = table.call("b", {{"x", 5}}, 3);
    ASSERT_TRUE(answer);
    EXPECT_EQ((*answer)["x"], 5);
    EXPECT_EQ((*answer)["session"], 3);
    EXPECT_EQ(table.call("a", {}, 1).error().code, ErrorCode::kBusy);
    EXPECT_EQ(table.call("c", {}, 1).error().code, ErrorCode::kNotFound);
    EXPECT_EQ(table.find("a")->cost, Cost::kSlow);
}

TEST(Job, RoundTripAndRefusals) {
    WorkerJob job;
    job.runId = "0123456789abc";
    job.runFolder = "/s/runs/0123456789abc";
    job.storeFolder = "/s";
    job.attempt = 3;
    job.resume = true;
    job.spec = {{"name", "x"}};
    job.setups = Json::array({{{"name", "int8"}, {"path", "/p"}}});
    auto back = jobFromJson(jobToJson(job));
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(jobToJson(*back), jobToJson(job));
    auto broken = [&](auto change) {
        Json json = jobToJson(job);
        change(json);
        return !jobFromJson(json);
    };
    EXPECT_TRUE(broken([](Json& j) { j["run"] = "../../etc"; }));
    EXPECT_TRUE(broken([](Json& j) { j["run_folder"] = "relative"; }));
    EXPECT_TRUE(broken([](Json& j) { j["attempt"] = 0; }));
    EXPECT_TRUE(broken([](Json& j) { j["resume"] = "yes"; }));
    EXPECT_TRUE(broken([](Json& j) { j.erase("spec"); }));
    EXPECT_TRUE(broken([](Json& j) { j["setups"] = Json::array({1}); }));
    EXPECT_TRUE(broken([](Json& j) { j["assay_job"] = 2; }));
    EXPECT_FALSE(jobFromJson(Json::array()));
}
