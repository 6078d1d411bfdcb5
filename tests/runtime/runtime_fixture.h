#pragma once
// The runtime with real processes: tests/support/fake_worker.cpp follows a script per run.
#include <assay/core/durable.h>
#include <assay/runtime/runtime.h>
#include <assay/runtime/state_machine.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>

#include "temp_folder.h"

using namespace assay;
using namespace assay::runtime;
using store::RunRow;
using store::RunStatus;

class RuntimeTest : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(makeFolders(folder_ / "scripts"));
        ::setenv("ASSAY_FAKE_SCRIPTS", (folder_ / "scripts").c_str(), 1);
        open();
    }
    void TearDown() override {
        if (runtime_)
            for (const auto& row : all())
                if (!store::isTerminal(row.status)) (void)runtime_->stop(row.id, true);
        waitFor([&] { return runtime_->activeRuns() == 0; });
        close();
    }
    void open() {
        auto store = store::Store::open(folder_ / "store");
        ASSERT_TRUE(store) << store.error().text();
        store_ = std::move(*store);
        store_->onCommit([this] {
            std::lock_guard lock(mutex_);
            ++commits_;
            changed_.notify_all();
        });
        RuntimeOptions options;
        options.tickSeconds = 0.005;
        options.startGraceSeconds = 0.2;
        options.groupGraceSeconds = 0.1;
        auto runtime = Runtime::start(*store_, makeLocalLauncher(std::string(ASSAY_BIN_DIR) + "/assay_fake_worker"), options);
        ASSERT_TRUE(runtime) << runtime.error().text();
        runtime_ = std::move(*runtime);
    }
    void close() {
        runtime_.reset();
        store_.reset();
    }
    void script(const std::string& name, const std::string& text) { std::ofstream(folder_ / ("scripts/" + name)) << text; }
    static constexpr const char* kBase =
        "data: {train: {path: /dev/null, format: text}, tokenizer: bytes}\nmodel: {from: {family: gpt2, layers: 1, hidden: 8, heads: 1}}\ntrain: {steps: 5}\n";
    Json spec(const std::string& name, const std::string& body = std::string("kind: train\n") + kBase) {
        auto loaded = config::loadSpecText("assay: 1\nname: " + name + "\n" + body, "test", "/");
        return loaded.resolved;
    }
    static std::string pipeline() {
        return std::string("kind: pipeline\nstages: [prepare, train, quantize]\n") + kBase +
               "quantize: {schemes: [int8]}\ncost: {price: {usd_per_hour: 3600}}\n";
    }
    Submitted submit(const Json& spec, const std::string& key = "") {
        auto made = runtime_->submit(spec, "", key);
        if (!made) throw std::runtime_error(made.error().text());
        return *made;
    }
    template <class F>
    bool waitFor(F condition, double seconds = 20) {
        // Looked at again after every commit, and now and then for what no commit tells (a process that ended).
        const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (!condition()) {
            if (std::chrono::steady_clock::now() > until) return false;
            std::unique_lock lock(mutex_);
            const int64_t before = commits_;
            changed_.wait_for(lock, std::chrono::milliseconds(10), [&] { return commits_ != before; });
        }
        return true;
    }
    RunRow row(const std::string& id) {
        RunRow out;
        auto done = store_->read([&](store::Reader& r) -> Result<void> {
            ASSAY_TRY(out, r.run(id, true));
            return {};
        });
        EXPECT_TRUE(done) << done.error().text();
        return out;
    }
    std::vector<RunRow> all() {
        std::vector<RunRow> out;
        (void)store_->read([&](store::Reader& r) -> Result<void> {
            ASSAY_TRY(out, r.runs());
            return {};
        });
        return out;
    }
    ::testing::AssertionResult reaches(const std::string& id, RunStatus status) {
        if (waitFor([&] { return row(id).status == status; })) return ::testing::AssertionSuccess();
        RunRow now = row(id);
        return ::testing::AssertionFailure() << "is " << store::statusName(now.status) << ": " << now.reason;
    }
    std::vector<store::Point> losses(const std::string& id) {
        store::SeriesAnswer answer;
        (void)store_->read([&](store::Reader& r) -> Result<void> {
            ASSAY_TRY(answer, r.series(id, "train/loss", 0, INT64_MIN, INT64_MAX));
            return {};
        });
        return answer.points;
    }
    std::vector<Json> events(const std::string& id, const std::string& type) {
        std::vector<Json> out;
        (void)store_->read([&](store::Reader& r) -> Result<void> {
            ASSAY_TRY(auto rows, r.events(0, 100000, 1 << 30));
            for (const auto& e : rows)
                if (e.run == id && e.type == type) out.push_back(Json::parse(e.json));
            return {};
        });
        return out;
    }

    test::TempFolder folder_;
    std::mutex mutex_;
    std::condition_variable changed_;
    int64_t commits_ = 0;
    std::unique_ptr<store::Store> store_;
    std::unique_ptr<Runtime> runtime_;
};
