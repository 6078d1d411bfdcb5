// ProcessGroupGloo of the wheel between two processes that meet through a file.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <assay/torch.h>
#include <unistd.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "temp_folder.h"

namespace assay {
namespace {

constexpr int kWorld = 2;

// Returns 0, or the number of the collective that gave a wrong result.
int checkRank(int rank, const std::string& file) {
    auto store = c10::make_intrusive<c10d::FileStore>(file, kWorld);
    auto options = c10d::ProcessGroupGloo::Options::create(std::chrono::seconds(30));
    options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
    auto group = c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, kWorld, options);

    std::vector<at::Tensor> sum{at::tensor({1.f + static_cast<float>(rank), 10.f})};
    group->allreduce(sum)->wait();
    if (!at::equal(sum[0], at::tensor({3.f, 20.f}))) return 1;

    at::Tensor gathered = at::zeros({4}), part = at::tensor({rank * 2.f, rank * 2.f + 1});
    group->_allgather_base(gathered, part)->wait();
    if (!at::equal(gathered, at::tensor({0.f, 1.f, 2.f, 3.f}))) return 2;

    at::Tensor scattered = at::zeros({2}), whole = at::tensor({1.f, 2.f, 3.f, 4.f});
    group->_reduce_scatter_base(scattered, whole)->wait();
    if (!at::equal(scattered, rank == 0 ? at::tensor({2.f, 4.f}) : at::tensor({6.f, 8.f}))) return 3;

    at::Tensor received = at::zeros({2}), sent = at::tensor({rank * 10.f, rank * 10.f + 1});
    std::vector<int64_t> even;
    group->alltoall_base(received, sent, even, even)->wait();
    if (!at::equal(received, rank == 0 ? at::tensor({0.f, 10.f}) : at::tensor({1.f, 11.f}))) return 4;

    std::vector<at::Tensor> shared{at::full({3}, static_cast<float>(rank + 5))};
    group->broadcast(shared)->wait();
    if (!at::equal(shared[0], at::full({3}, 5.f))) return 5;
    group->barrier()->wait();
    return 0;
}

TEST(Gloo, collectivesBetweenTwoProcesses) {
    test::TempFolder folder;
    pid_t pids[kWorld];
    // This file runs alone in its process and the parent has used no tensor yet, so that a fork copies no
    // threads.
    for (int rank = 0; rank < kWorld; ++rank) {
        pids[rank] = ::fork();
        ASSERT_GE(pids[rank], 0);
        if (pids[rank] == 0) {
            int failed = 99;
            try {
                at::set_num_threads(1);
                failed = checkRank(rank, (folder / "store"));
            } catch (const std::exception& error) {
                std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
            }
            ::_exit(failed);
        }
    }
    for (int rank = 0; rank < kWorld; ++rank) {
        int status = 0;
        ASSERT_EQ(::waitpid(pids[rank], &status, 0), pids[rank]);
        ASSERT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 0) << "rank " << rank << ": number of the failed collective";
    }
}

}  // namespace
}  // namespace assay
