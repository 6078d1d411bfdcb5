// Endpoint files, addresses, ssh argv and the remote command.
#include <assay/client/endpoint.h>
#include <assay/client/local_engine.h>
#include <assay/client/ssh_tunnel.h>
#include <assay/core/durable.h>
#include <assay/core/process.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace assay::client {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

struct Folder {
    std::string path;
    Folder() {
        char name[] = "/tmp/assay-client-XXXXXX";
        path = ::mkdtemp(name);
    }
    ~Folder() { fs::remove_all(path); }
};

Endpoint own() {
    Endpoint endpoint;
    endpoint.url = "ws://127.0.0.1:4567";
    endpoint.token = "t0ken";
    endpoint.pid = ::getpid();
    endpoint.startTicks = *processStartTicks(::getpid());
    return endpoint;
}

void write(const std::string& store, const Endpoint& endpoint, int mode = 0600) {
    ASSERT_TRUE(writeFileDurably(store + "/engine.json", dumpJson(protocol::endpointToJson(endpoint)), mode));
    ::chmod((store + "/engine.json").c_str(), static_cast<mode_t>(mode));
}

TEST(EndpointFile, IsReadWhenItsProcessLives) {
    Folder store;
    write(store.path, own());
    auto endpoint = readEndpoint(store.path);
    ASSERT_TRUE(endpoint) << endpoint.error().text();
    EXPECT_EQ(endpoint->url, "ws://127.0.0.1:4567");
    EXPECT_EQ(endpoint->token, "t0ken");
}

TEST(EndpointFile, OfAReusedPidIsLeftOver) {
    Folder store;
    Endpoint endpoint = own();
    endpoint.startTicks += 1;  // the same number, another process
    write(store.path, endpoint);
    auto read = readEndpoint(store.path);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::kUnreachable);
}

TEST(EndpointFile, ReadableByOthersIsNotUsed) {
    Folder store;
    for (int mode : {0644, 0640, 0606, 0620}) {
        write(store.path, own(), mode);
        auto read = readEndpoint(store.path);
        ASSERT_FALSE(read) << std::oct << mode;
        EXPECT_EQ(read.error().code, ErrorCode::kUnauthorized);
    }
}

TEST(EndpointFile, AbsentIsNotFoundAndRubbishIsInvalid) {
    Folder store;
    EXPECT_EQ(readEndpoint(store.path).error().code, ErrorCode::kNotFound);
    for (const char* text : {"", "[]", "{", R"({"url":"http://x","token":"t","pid":1,"start_ticks":1})", R"({"url":"ws://h:1","token":"","pid":1,"start_ticks":1})",
                             R"({"url":"ws://h:1","token":"a\nb","pid":1,"start_ticks":1})", R"({"url":5})"}) {
        ASSERT_TRUE(writeFileDurably(store.path + "/engine.json", text, 0600));
        auto read = readEndpoint(store.path);
        ASSERT_FALSE(read) << text;
        EXPECT_NE(read.error().code, ErrorCode::kNotFound) << text;
    }
}

TEST(EngineUrl, TakesWebSocketAddressesOnly) {
    for (const char* good : {"ws://127.0.0.1:80", "wss://host.example", "ws://[::1]:9/x"}) EXPECT_TRUE(checkEngineUrl(good)) << good;
    for (const char* bad : {"", "http://h", "ws://", "ws://u:p@h", "ws://h?token=x", "ws://h#x", "h:1", "ws:h"}) {
        auto checked = checkEngineUrl(bad);
        ASSERT_FALSE(checked) << bad;
        EXPECT_EQ(checked.error().code, ErrorCode::kBadUsage);
    }
}

TEST(AttachedNote, GivesTheTokenWhileItLives) {
    Folder cache, store;
    ::setenv("ASSAY_CACHE", cache.path.c_str(), 1);
    ::unsetenv("ASSAY_TOKEN");
    const Endpoint endpoint = own();
    {
        auto note = AttachedNote::write(endpoint);
        ASSERT_TRUE(note) << note.error().text();
        struct stat info {};
        ASSERT_EQ(::stat((cache.path + "/attached/4567.json").c_str(), &info), 0);
        EXPECT_EQ(info.st_mode & 0777, 0600u);
        EXPECT_EQ(tokenForUrl(endpoint.url, store.path), "t0ken");
        EXPECT_EQ(tokenForUrl("ws://127.0.0.1:4568", store.path), "");
        EXPECT_EQ(tokenForUrl("ws://other.example:4567", store.path), "");  // only to the address it belongs to
    }
    EXPECT_EQ(tokenForUrl(endpoint.url, store.path), "");
    ::setenv("ASSAY_TOKEN", "given", 1);
    EXPECT_EQ(tokenForUrl(endpoint.url, store.path), "given");
    ::unsetenv("ASSAY_TOKEN");
    ::unsetenv("ASSAY_CACHE");
}

TEST(LocalEngine, SaysWhatTheProgramSaidWhenItDoesNotStart) {
    Folder store;
    const std::string program = store.path + "/engine.sh";
    ASSERT_TRUE(writeFileDurably(program, "#!/bin/sh\necho starting\necho 'assay-engine: error: the store is of version 99' >&2\nexit 4\n", 0755));
    ::chmod(program.c_str(), 0755);
    bool started = false;
    auto endpoint = ensureLocalEngine({.store = store.path, .program = program, .deadlineSeconds = 10}, &started);
    ASSERT_FALSE(endpoint);
    EXPECT_TRUE(started);
    EXPECT_EQ(endpoint.error().code, ErrorCode::kVersionMismatch);
    EXPECT_THAT(endpoint.error().message, HasSubstr("version 99"));
    auto absent = ensureLocalEngine({.store = store.path, .program = store.path + "/none"});
    ASSERT_FALSE(absent);
    EXPECT_THAT(absent.error().message, HasSubstr(store.path + "/none"));
}

TEST(SshUrl, IsTakenApart) {
    auto full = parseSshUrl("ssh://me@gpu-1.example.org:2222/");
    ASSERT_TRUE(full);
    EXPECT_EQ(full->user, "me");
    EXPECT_EQ(full->host, "gpu-1.example.org");
    EXPECT_EQ(full->port, 2222);
    EXPECT_EQ(full->text(), "me@gpu-1.example.org:2222");
    EXPECT_EQ(parseSshUrl("ssh://localhost")->port, 0);
    EXPECT_EQ(parseSshUrl("ssh://[fe80::1%eth0]:22")->host, "fe80::1%eth0");
}

// CVE-2017-1000117 and its like: a host name that ssh takes for an option, a user that a shell takes apart.
TEST(SshUrl, RefusesWhatCouldBeAnOptionOrAShellWord) {
    for (const char* bad : {"ssh://-oProxyCommand=touch x", "ssh://-oProxyCommand=x@h", "ssh://h;touch x", "ssh://$(x)", "ssh://`x`@h", "ssh://h host", "ssh://",
                            "ssh://u@", "ssh://@h", "ssh://h:", "ssh://h:0", "ssh://h:70000", "ssh://h:-1", "ssh://h:22x", "ssh://h/path", "ssh://[::1", "ssh://[::1]x",
                            "ssh://u@v@h", "http://h", "ssh://h\n", "ssh://h'"}) {
        auto target = parseSshUrl(bad);
        ASSERT_FALSE(target) << bad;
        EXPECT_EQ(target.error().code, ErrorCode::kBadUsage) << bad;
    }
}

TEST(SshCommand, IsArgvWithTheHostAfterTheOptions) {
    ::setenv("ASSAY_SSH", "/opt/my ssh", 1);
    ::setenv("ASSAY_SSH_CONFIG", "/c/f", 1);
    const auto argv = sshCommand(*parseSshUrl("ssh://me@host:22"), {"-N"});
    ::unsetenv("ASSAY_SSH");
    ::unsetenv("ASSAY_SSH_CONFIG");
    EXPECT_THAT(argv, ElementsAre("/opt/my ssh", "-F", "/c/f", "-T", "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=10", "-o", "ServerAliveCountMax=3", "-N",
                                  "-p", "22", "-l", "me", "--", "host"));
    EXPECT_EQ(sshCommand(*parseSshUrl("ssh://host"), {}).front(), "ssh");
}

// The remote command through a real shell: a store with every nasty character is one word and nothing in it runs.
TEST(RemoteCommand, KeepsAnyStorePathOneWord) {
    Folder folder;
    const std::string store = folder.path + "/it's $(touch hit) `touch hit` \"q\" ; *";
    fs::create_directories(store);
    ASSERT_TRUE(writeFileDurably(store + "/engine.json", "content"));
    const std::string command = "cd " + folder.path + "; " + remoteEndpointCommand(store, folder.path + "/no such program") + " > out";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(*readFile(folder.path + "/out"), "content");
    EXPECT_FALSE(fs::exists(folder.path + "/hit"));
    const int status = std::system((remoteEndpointCommand(folder.path + "/none", folder.path + "/none") + " 2>/dev/null").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 42);
    EXPECT_EQ(WEXITSTATUS(std::system(remoteEndpointCommand(store, "false").c_str())), 41);  // the program is there and fails
}

}  // namespace
}  // namespace assay::client
