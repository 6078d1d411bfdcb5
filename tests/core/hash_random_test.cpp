#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "assay/core/durable.h"
#include "assay/core/hash.h"
#include "assay/core/random.h"
#include "temp_folder.h"

namespace assay {
namespace {

// FIPS 180-4 example values (NIST, SHA256.pdf and the long message of the CAVS set).
TEST(Hash, sha256KnownVectors) {
    EXPECT_EQ(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    Sha256 million;
    for (int i = 0; i < 1000; ++i)
        million.update(std::string(1000, 'a'));
    EXPECT_EQ(million.finishHex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Hash, sha256OfFilesEqualsThatOfTheirBytes) {
    test::TempFolder folder;
    const std::string large((size_t{1} << 20) * 3 + 17, 'x');
    ASSERT_TRUE(writeFileDurably((folder / "large"), large));
    ASSERT_TRUE(writeFileDurably((folder / "empty"), ""));
    EXPECT_EQ(sha256HexOfFile((folder / "large")).value(), sha256Hex(large));
    EXPECT_EQ(sha256HexOfFile((folder / "empty")).value(), sha256Hex(""));
    EXPECT_EQ(sha256HexOfFile(folder.path()).error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(sha256HexOfFile((folder / "gone")).error().code, ErrorCode::kNotFound);
}

// Values of the reference tool `xxhsum -H3` 0.8.1 for these inputs.
TEST(Hash, xxh3KnownVectors) {
    EXPECT_EQ(xxh3(""), 0x2d06800538d394c2ull);
    EXPECT_EQ(xxh3("abc"), 0x78af5f94892f3950ull);
    EXPECT_NE(xxh3("abc", 1), xxh3("abc"));
}

// SplitMix64 seeded with 1234567: the published first outputs (Rosetta Code, Vigna's splitmix64.c).
TEST(Random, mixBitsIsSplitMix64) {
    constexpr uint64_t kGolden = 0x9E3779B97F4A7C15ull;
    EXPECT_EQ(mixBits(1234567), 6457827717110365317ull);
    EXPECT_EQ(mixBits(1234567 + kGolden), 3203168211198807973ull);
    EXPECT_EQ(mixBits(1234567 + 2 * kGolden), 9817491932198370423ull);
}

TEST(Random, permutationIsABijection) {
    for (uint64_t size : {1, 2, 3, 4, 5, 16, 17, 64, 65, 1000, 4096, 4097, 31102})
        for (uint64_t key : {0ull, 1ull, 0xffffffffffffffffull}) {
            Permutation permutation(size, key);
            std::vector<bool> seen(size);
            for (uint64_t i = 0; i < size; ++i) {
                const uint64_t to = permutation(i);
                ASSERT_LT(to, size);
                ASSERT_FALSE(seen[to]) << size << " " << key << " " << i;
                seen[to] = true;
            }
        }
}

TEST(Random, permutationServesHugeRanges) {
    const uint64_t size = (uint64_t{1} << 62) + 3;
    Permutation permutation(size, 9);
    std::set<uint64_t> images;
    for (uint64_t i = 0; i < 1000; ++i) {
        const uint64_t to = permutation(i);
        ASSERT_LT(to, size);
        images.insert(to);
    }
    EXPECT_EQ(images.size(), 1000u);
}

TEST(Random, permutationsOfDifferentKeysDiffer) {
    Permutation a(1000, 1), b(1000, 2), again(1000, 1);
    int fixed = 0, same = 0;
    for (uint64_t i = 0; i < 1000; ++i) {
        fixed += a(i) == i;
        same += a(i) == b(i);
        EXPECT_EQ(a(i), again(i));
    }
    // A random permutation has 1 fixed point on average; P(more than 10) < 1e-8. The same holds for
    // agreements.
    EXPECT_LE(fixed, 10);
    EXPECT_LE(same, 10);
}

// Every place is about equally likely for the first element: chi-square with 9 degrees of freedom over 10,000
// keys.
TEST(Random, permutationIsUniformOverKeys) {
    std::vector<double> counts(10);
    for (uint64_t key = 0; key < 10000; ++key)
        counts[Permutation(10, mixBits(key))(0)] += 1;
    double chiSquare = 0;
    for (double count : counts)
        chiSquare += (count - 1000) * (count - 1000) / 1000;
    EXPECT_LT(chiSquare, 33.7);  // 99.99 % quantile
}

}  // namespace
}  // namespace assay
