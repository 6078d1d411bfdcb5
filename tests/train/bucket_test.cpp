// Buckets by themselves: when sums leave, what hooks see, parameters that nobody uses.
#include "rank_group.h"

namespace assay::train {
namespace {

using testing::ThreadRing;

nn::Parameter parameter(const std::string& name, std::vector<double> values, at::ScalarType type = at::kDouble, bool trained = true) {
    nn::Parameter p;
    p.info.name = name;
    p.info.shape = {static_cast<int64_t>(values.size())};
    p.value = at::tensor(values, at::kDouble).to(type).requires_grad_(trained);
    return p;
}
void forget(const std::vector<nn::Parameter>& parameters) {
    for (const auto& p : parameters) at::Tensor(p.value).mutable_grad().reset();
}
const ParallelOptions kOneEach{.firstBucketBytes = 1, .bucketBytes = 1};

// c · (b · (a · x)): gradients of c, b, a in this order.
at::Tensor chain(const std::vector<nn::Parameter>& p, double x) { return (p[2].value * (p[1].value * (p[0].value * x))).sum(); }

TEST(Buckets, SumsLeaveDuringTheBackwardPass) {
    ThreadRing ring(1);
    ThreadRing::Member group(ring, 0);
    const std::vector<nn::Parameter> p{parameter("a", {2, 3}), parameter("b", {5, 7}), parameter("c", {1, 4})};
    DataParallel parallel(p, group, kOneEach);
    for (int step = 0; step < 3; ++step) {
        forget(p);
        parallel.begin();
        group.sent = 0;
        parallel.nextBatch(false);  // accumulation: not a word to the others
        chain(p, 2).backward();
        EXPECT_EQ(group.sent, 0);
        parallel.nextBatch(true);
        chain(p, 3).backward();
        EXPECT_EQ(group.sent, 3);
        ASSERT_TRUE(parallel.finish());
        EXPECT_EQ(group.sent, 3);
        EXPECT_TRUE(at::equal(p[0].value.grad(), at::tensor({25., 140.}, at::kDouble)));  // 5 · b · c
        EXPECT_TRUE(at::equal(p[2].value.grad(), at::tensor({50., 105.}, at::kDouble)));
    }
    EXPECT_EQ(parallel.gradientBytes(), 6 * 8);  // the gradients themselves are in the buckets
    EXPECT_EQ(p[0].value.grad().storage().nbytes(), 16u);
}

// The first pass of all teaches how often a gradient is added: then nothing leaves before the end.
TEST(Buckets, TheFirstPassWaitsForItsEnd) {
    ThreadRing ring(1);
    ThreadRing::Member group(ring, 0);
    const std::vector<nn::Parameter> p{parameter("a", {2, 3}), parameter("b", {5, 7}), parameter("c", {1, 4})};
    DataParallel parallel(p, group, kOneEach);
    parallel.begin();
    parallel.nextBatch(true);
    chain(p, 1).backward();
    EXPECT_EQ(group.sent, 0);
    ASSERT_TRUE(parallel.finish());
    EXPECT_EQ(group.sent, 3);
}

// training.md fault 19 (pytorch#24005, #43135): passes inside a pass add to a gradient several times; it is sent once.
TEST(Fault19, SeveralAdditionsOneSum) {
    ThreadRing ring(1);
    ThreadRing::Member group(ring, 0);
    const std::vector<nn::Parameter> p{parameter("b", {5, 7}), parameter("tied", {2, 3})};
    DataParallel parallel(p, group, kOneEach);
    auto pass = [&](int parts) {
        forget(p);
        parallel.begin();
        group.sent = 0;
        parallel.nextBatch(true);
        for (int i = 0; i < parts; ++i) (p[1].value * p[1].value).sum().backward();  // used twice in each graph, too
        (p[0].value * p[1].value).sum().backward();
        return parallel.finish();
    };
    for (int step = 0; step < 2; ++step) {
        ASSERT_TRUE(pass(1));
        EXPECT_EQ(group.sent, 2);
        EXPECT_TRUE(at::equal(p[1].value.grad(), at::tensor({9., 13.}, at::kDouble)));  // 2·tied + b
    }
    // More additions than ever before come after the sum: refused, not lost.
    auto late = pass(3);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::kInternal);
    EXPECT_NE(late.error().message.find("tied"), std::string::npos);
}

// training.md fault 27 (pytorch#28883, #34904, #14675): unused on one rank, unused on all, frozen and of another type.
TEST(Fault27, UnusedParameters) {
    ThreadRing ring(2);
    std::vector<std::vector<nn::Parameter>> all(2);
    for (auto& p : all) p = {parameter("a", {2, 3}), parameter("one", {5, 7}), parameter("none", {1, 1}), parameter("frozen", {1, 1, 1}, at::kBFloat16, false)};
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < 2; ++rank)
        threads.emplace_back([&, rank] {
            ThreadRing::Member group(ring, rank);
            const auto& p = all[static_cast<size_t>(rank)];
            DataParallel parallel(p, group, kOneEach);
            for (int step = 0; step < 3; ++step) {
                forget(p);
                parallel.begin();
                for (const bool last : {false, true}) {
                    parallel.nextBatch(last);
                    (rank == 0 ? p[0].value * p[1].value : p[0].value * 2).sum().backward();
                }
                ASSERT_TRUE(parallel.finish());
                EXPECT_TRUE(at::equal(p[0].value.grad(), at::tensor({14., 18.}, at::kDouble)));  // 2 · (one + 2)
                EXPECT_TRUE(at::equal(p[1].value.grad(), at::tensor({4., 6.}, at::kDouble)));
                EXPECT_TRUE(at::equal(p[2].value.grad(), at::zeros({2}, at::kDouble)));
                EXPECT_TRUE(at::equal(p[3].value.grad(), at::zeros({3}, at::kFloat)));
            }
        });
}

// bf16 gradients are added in fp32, over micro-batches and ranks: 1 + 2⁻⁸ is not a number of bf16.
TEST(Buckets, NarrowGradientsAreSummedWide) {
    ThreadRing ring(1);
    ThreadRing::Member group(ring, 0);
    const std::vector<nn::Parameter> p{parameter("a", {1}, at::kBFloat16)};
    DataParallel parallel(p, group, {});
    parallel.begin();
    for (const double x : {1.0, 0.00390625}) {
        parallel.nextBatch(x < 1);
        (p[0].value * x).sum().backward();
    }
    ASSERT_TRUE(parallel.finish());
    EXPECT_EQ(p[0].value.grad().scalar_type(), at::kFloat);
    EXPECT_EQ(p[0].value.grad().item<double>(), 1.00390625);
}

// Replicas that are not the same bits any more are found out.
TEST(Replicas, DriftIsAnError) {
    ThreadRing ring(2);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < 2; ++rank)
        threads.emplace_back([&, rank] {
            ThreadRing::Member group(ring, rank);
            const std::vector<nn::Parameter> p{parameter("a", {1, 2})};
            DataParallel parallel(p, group, {});
            EXPECT_TRUE(parallel.checkReplicas());
            at::NoGradGuard noGrad;
            if (rank == 1) at::Tensor(p[0].value).add_(1e-15);
            auto drifted = parallel.checkReplicas();
            ASSERT_FALSE(drifted);
            EXPECT_EQ(drifted.error().code, ErrorCode::kInternal);
        });
}

}  // namespace
}  // namespace assay::train
