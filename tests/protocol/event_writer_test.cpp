#include <assay/core/durable.h>
#include <assay/protocol/event_writer.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace assay;
using namespace assay::protocol;

namespace {

class EventWriterTest : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "assay-writer-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        path_ = folder_ + "/events.rank0.jsonl";
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::vector<ParsedEvent> read() {
        std::vector<ParsedEvent> out;
        auto text = readFile(path_);
        EXPECT_TRUE(text);
        EXPECT_TRUE(text->ends_with('\n'));
        EventParser parser;
        for (size_t at = 0; at < text->size();) {
            size_t end = text->find('\n', at);
            ParsedEvent event;
            if (parser.parse(std::string_view(*text).substr(at, end - at), event)) out.push_back(event);
            else ++bad_;
            at = end + 1;
        }
        return out;
    }
    std::string folder_, path_;
    int bad_ = 0;
};

}  // namespace

TEST_F(EventWriterTest, WritesHelloThenEverythingInOrder) {
    {
        auto writer = EventWriter::open(path_, "0123456789abc", 0, 2);
        ASSERT_TRUE(writer) << writer.error().text();
        for (int i = 0; i < 1000; ++i) {
            (*writer)->metric({i, i * 0.5, i * 10, {{"train/loss", 1.0 / (i + 1)}}});
            if (i % 100 == 0) (*writer)->record("phase", {{"name", "p" + std::to_string(i)}});
        }
    }
    auto events = read();
    ASSERT_EQ(events.size(), 1011u);
    EXPECT_EQ(events[0].record["type"], "hello");
    EXPECT_EQ(events[0].record["run"], "0123456789abc");
    EXPECT_EQ(events[0].record["attempt"], 2);
    EXPECT_EQ(events[0].record["pid"], ::getpid());
    EXPECT_TRUE(events[0].record["start_ticks"].is_number());
    int step = 0;
    for (size_t i = 1; i < events.size(); ++i) {
        if (events[i].isMetric) {
            EXPECT_EQ(events[i].metric.step, step++);
        } else {
            EXPECT_EQ(events[i].record["name"], "p" + std::to_string(step - 1));
        }
    }
    EXPECT_EQ(step, 1000);
}

TEST_F(EventWriterTest, FlushMeansTheLinesAreInTheFile) {
    auto writer = EventWriter::open(path_, "0123456789abc", 0, 1);
    ASSERT_TRUE(writer);
    for (int i = 0; i < 5; ++i) {
        (*writer)->metric({i, 0, 0, {{"a", 1}}});
        ASSERT_TRUE((*writer)->flush());
        EXPECT_EQ(read().size(), static_cast<size_t>(i + 2));
    }
}

TEST_F(EventWriterTest, TornLastLineIsClosedAndNothingOfOursIsLost) {
    ASSERT_TRUE(writeFileDurably(path_, "{\"type\":\"phase\",\"name\":\"a\"}\n{\"type\":\"metric\",\"st"));
    { ASSERT_TRUE(EventWriter::open(path_, "0123456789abc", 0, 2)); }
    auto events = read();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(bad_, 1);
    EXPECT_EQ(events[1].record["type"], "hello");
}

TEST_F(EventWriterTest, FromSeveralThreads) {
    {
        auto writer = EventWriter::open(path_, "0123456789abc", 0, 1);
        ASSERT_TRUE(writer);
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 2000; ++i) (*writer)->metric({i, 0, 0, {{"t" + std::to_string(t), 1.0 * i}}});
            });
        for (auto& thread : threads) thread.join();
    }
    EXPECT_EQ(read().size(), 8001u);
    EXPECT_EQ(bad_, 0);
}

TEST_F(EventWriterTest, FullDiskIsReportedByFlush) {
    // /dev/full is a device, so it is refused before anything is written.
    EXPECT_FALSE(EventWriter::open("/dev/full", "0123456789abc", 0, 1));
    EXPECT_FALSE(EventWriter::open(folder_, "0123456789abc", 0, 1));
    EXPECT_FALSE(EventWriter::open(folder_ + "/no/such", "0123456789abc", 0, 1));
}

TEST_F(EventWriterTest, FullDiskLosesNothingThatFlushPromised) {
    // In a child process, since a limit on the size of files stands in for a disk that is full.
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{64 << 10, RLIM_INFINITY};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(1);
        auto writer = EventWriter::open(path_, "0123456789abc", 0, 1);
        if (!writer) ::_exit(2);
        int promised = 0;
        for (int i = 0; i < 5000; ++i) {
            (*writer)->metric({i, i * 0.1, i, {{"train/loss", 1.5}}});
            if (i % 100 != 99) continue;
            if (auto flushed = (*writer)->flush(); !flushed) {
                std::ofstream(folder_ + "/promised") << promised << " " << flushed.error().message.empty();
                ::_exit((*writer)->flush() ? 3 : 0);  // it stays an error: lines are missing
            }
            promised = i + 1;
        }
        ::_exit(4);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_EQ(WEXITSTATUS(status), 0);
    int promised = 0, silent = 1;
    std::ifstream(folder_ + "/promised") >> promised >> silent;
    EXPECT_EQ(silent, 0) << "the error has words";
    EXPECT_GT(promised, 0);
    // Whole lines up to the last one, which may be torn: what a reader of the file meets.
    auto text = readFile(path_);
    ASSERT_TRUE(text);
    EventParser parser;
    int metrics = 0;
    for (size_t at = 0, end; (end = text->find('\n', at)) != std::string::npos; at = end + 1) {
        ParsedEvent event;
        ASSERT_TRUE(parser.parse(std::string_view(*text).substr(at, end - at), event));
        metrics += std::string_view(*text).substr(at, end - at).find("train/loss") != std::string_view::npos;
    }
    EXPECT_GE(metrics, promised);
}

TEST_F(EventWriterTest, AppendIsFast) {
    auto writer = EventWriter::open(path_, "0123456789abc", 0, 1);
    ASSERT_TRUE(writer);
    std::vector<double> microseconds;
    for (int i = 0; i < 20000; ++i) {
        MetricRecord record{i, i * 0.1, i, {{"train/loss", 1.0 / (i + 1)}, {"train/lr", 1e-3}, {"train/grad_norm", 0.5}}};
        auto start = std::chrono::steady_clock::now();
        (*writer)->metric(std::move(record));
        microseconds.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(microseconds.begin(), microseconds.end());
    const double p99 = microseconds[microseconds.size() * 99 / 100];
    RecordProperty("p99_microseconds", std::to_string(p99));
    EXPECT_LT(p99, 40) << "twice the figure promised, for a shared machine";
}
