// Every back-end of the registry gives what the definition of the collective says. Gloo runs with two processes.
#include "assay/dist/collective.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <assay/torch.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include <assay/nn/memory.h>

namespace assay::dist {
namespace {

#define WANT(condition)                                                      \
    do {                                                                     \
        if (!(condition)) {                                                  \
            std::fprintf(stderr, "rank %d: %s fails\n", rank, #condition);   \
            return 1;                                                        \
        }                                                                    \
    } while (0)

// The body of one rank; 0 when all is well.
int checkAll(Collective& group) {
    const int rank = group.rank(), world = group.world();
    const double r = rank, w = world;
    at::Tensor x = at::full({3}, r + 1, at::kFloat);
    WANT(group.allReduce(x));
    WANT(at::equal(x, at::full({3}, w * (w + 1) / 2, at::kFloat)));
    at::Tensor most = at::full({2}, r, at::kDouble);
    WANT(group.allReduce(most, Reduce::kMax));
    WANT(most[0].item<double>() == w - 1);
    at::Tensor least = at::full({2}, r, at::kDouble);
    WANT(group.allReduce(least, Reduce::kMin));
    WANT(least[1].item<double>() == 0);
    std::vector<double> numbers{r, 1};
    WANT(group.allReduce(numbers));
    WANT(numbers[0] == w * (w - 1) / 2 && numbers[1] == w);

    at::Tensor whole = at::arange(2 * world, at::kFloat), part = at::zeros({2}, at::kFloat);
    WANT(group.reduceScatter(part, whole));
    WANT(at::equal(part, at::tensor({2 * r * w, (2 * r + 1) * w}, at::kFloat)));
    at::Tensor gathered = at::zeros({2 * world}, at::kFloat);
    WANT(group.allGather(gathered, at::tensor({10 * r, 10 * r + 1}, at::kFloat)));
    for (int i = 0; i < world; ++i) WANT(gathered[2 * i + 1].item<float>() == 10 * i + 1);
    at::Tensor told = at::full({2}, r == w - 1 ? 42.0 : 0.0, at::kDouble);
    WANT(group.broadcast(told, world - 1));
    WANT(told[1].item<double>() == 42);
    at::Tensor mine = at::arange(world, at::kFloat).add_(100 * r), theirs = at::zeros({world}, at::kFloat);
    WANT(group.allToAll(theirs, mine));
    for (int i = 0; i < world; ++i) WANT(theirs[i].item<float>() == 100 * i + rank);
    // Around the ring.
    at::Tensor sent = at::full({2}, r, at::kFloat), got = at::zeros({2}, at::kFloat);
    auto sending = group.sendAsync(sent, (rank + 1) % world, 7);
    WANT(group.receive(got, (rank + world - 1) % world, 7));
    WANT(sending->wait());
    WANT(got[0].item<float>() == (rank + world - 1) % world);
    WANT(group.barrier());
    return 0;
}

// What a rank allocates for a transfer is gone for the meter of its thread, whichever thread lets go of it last.
int checkMemory(Collective& group) {
    const int rank = group.rank(), world = group.world();
    nn::MemoryMeter meter;
    const nn::MemoryScope scope(meter);
    for (int i = 0; i < 60; ++i) {
        at::Tensor one = at::full({1000}, rank, at::kFloat), whole = at::ones({1000 * world}, at::kFloat), part = at::empty({1000}, at::kFloat);
        auto sending = group.broadcastAsync(one, i % world);
        auto summing = group.reduceScatterAsync(part, whole, Reduce::kSum);
        auto adding = group.allReduceAsync(at::ones({500}, at::kFloat), Reduce::kSum);
        one.reset();
        whole.reset();
        WANT(sending->wait() && summing->wait() && adding->wait());
        WANT(part[999].item<float>() == static_cast<float>(world));
    }
    WANT(meter.liveBytes() == 0);
    WANT(meter.peakBytes() < 100'000);
    return 0;
}

TEST(Registry, NamesItsBackends) { EXPECT_EQ(collectiveBackends(), (std::vector<std::string_view>{"single", "gloo", "nccl"})); }

TEST(Single, AllCollectives) {
    auto group = makeCollective("single", {});
    ASSERT_TRUE(group);
    EXPECT_EQ(checkAll(**group), 0);
}

TEST(Single, RefusesMoreThanOneRank) {
    EXPECT_EQ(makeCollective("single", {.rank = 0, .world = 2}).error().code, ErrorCode::kBadUsage);
    EXPECT_EQ(makeCollective("single", {.rank = 1, .world = 1}).error().code, ErrorCode::kBadUsage);
    EXPECT_EQ(makeCollective("smoke signals", {}).error().code, ErrorCode::kUnsupported);
}

// Each rank is this test program started again: fork alone would copy a process that has threads.
TEST(Gloo, AllCollectivesOverTwoProcesses) {
    if (const char* rank = std::getenv("ASSAY_TEST_RANK")) {
        auto group = makeCollective("gloo", {.rank = std::atoi(rank), .world = 2, .storeFile = std::getenv("ASSAY_TEST_STORE"), .timeoutSeconds = 60});
        ASSERT_TRUE(group) << group.error().text();
        ASSERT_EQ(checkAll(**group), 0);
        ASSERT_EQ(checkMemory(**group), 0);
        return;
    }
    const std::string store = (std::filesystem::temp_directory_path() / ("assay-gloo-" + std::to_string(::getpid()))).string();
    std::filesystem::remove(store);
    std::vector<pid_t> children;
    for (const char* rank : {"0", "1"}) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            ::setenv("ASSAY_TEST_RANK", rank, 1);
            ::setenv("ASSAY_TEST_STORE", store.c_str(), 1);
            ::execl("/proc/self/exe", "test_dist", "--gtest_filter=Gloo.AllCollectivesOverTwoProcesses", static_cast<char*>(nullptr));
            ::_exit(127);
        }
        children.push_back(child);
    }
    for (pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    std::filesystem::remove(store);
}

}  // namespace
}  // namespace assay::dist
