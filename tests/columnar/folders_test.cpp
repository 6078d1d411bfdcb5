// Folders that hold datasets, the caches of Hugging Face, and the index of Megatron datasets: what is no file of Arrow.
#include <assay/data/datasets.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <cstring>
#include <fstream>
#include <map>

#include "columnar/dataset_folder.h"
#include "export/megatron.h"
#include "temp_folder.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Folders : public ::testing::Test {
protected:
    std::string write(const std::string& name, const std::string& content = "x") {
        const fs::path path = folder_ / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << content;
        return path.string();
    }
    test::TempFolder folder_;
};

TEST_F(Folders, ShardsAreOnePartAndSplitsAreToldByTheirWords) {
    for (const char* name : {"r/data/train-00000-of-00002.parquet", "r/data/train-00001-of-00002.parquet", "r/data/test-00000-of-00001-0123456789abcdef.parquet", "r/en/validation.jsonl", "r/README.md", "r/.git/x.parquet",
                             "r/dataset_infos.json"})
        write(name);
    const auto parts = datasetParts(folder_ / "r");
    ASSERT_TRUE(parts) << parts.error().text();
    ASSERT_EQ(parts->size(), 3u);
    std::map<std::string, const DatasetPart*> bySplit;
    for (const DatasetPart& part : *parts) bySplit[part.split] = &part;
    EXPECT_EQ(bySplit["train"]->path, folder_ / "r/data/train-*.parquet");
    EXPECT_EQ(bySplit["train"]->files.size(), 2u);
    EXPECT_EQ(bySplit["test"]->path, folder_ / "r/data/test-00000-of-00001-0123456789abcdef.parquet");
    EXPECT_EQ(bySplit["validation"]->config, "en");
    EXPECT_EQ(bySplit["validation"]->format, "jsonl");
    const auto chosen = chosenPart(folder_ / "r");
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->split, "train");
    const auto files = matchingFiles(folder_ / "r/data/train-*.parquet");
    ASSERT_TRUE(files);
    EXPECT_EQ(*files, bySplit["train"]->files);
}

TEST_F(Folders, WhatIsNotClearIsAskedFor) {
    write("two/a.parquet");
    write("two/b.parquet");
    EXPECT_THAT(chosenPart(folder_ / "two").error().hint, HasSubstr("b.parquet"));
    write("none/x.txt");
    EXPECT_EQ(chosenPart(folder_ / "none").error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(matchingFiles(folder_ / "two/z*.parquet").error().code, ErrorCode::kNotFound);
    EXPECT_FALSE(isPattern(folder_ / "two/a.parquet"));
    write("odd/a*.parquet");
    EXPECT_FALSE(isPattern(folder_ / "odd/a*.parquet"));  // a file of that very name
    EXPECT_TRUE(isPattern(folder_ / "two/*.parquet"));
}

TEST_F(Folders, NamesInStateFilesLeadNowhere) {
    for (const char* name : {"../x.arrow", "/etc/passwd", "a/b.arrow", "", ".hidden"}) {
        write("s/state.json", std::string(R"({"_data_files":[{"filename":")") + name + "\"}]}");
        EXPECT_EQ(datasetParts(folder_ / "s").error().code, ErrorCode::kInvalidFile) << name;
    }
    for (const char* text : {"[]", "{", R"({"_data_files":7})", R"({"_data_files":[7]})", R"({"_data_files":[]})"}) {
        write("s/state.json", text);
        EXPECT_FALSE(datasetParts(folder_ / "s")) << text;
    }
    for (const char* text : {R"({"splits":["../s"]})", R"({"splits":[1]})", R"({"splits":"train"})", "{}"}) {
        write("d/dataset_dict.json", text);
        EXPECT_FALSE(datasetParts(folder_ / "d")) << text;
    }
}

TEST_F(Folders, BothCachesAreListed) {
    const std::string snapshot = "hub/datasets--owner--verses/snapshots/0123abc/", made = "datasets/owner___verses/default/0.0.0/0123abc/";
    write("blobs/one", "12345");
    fs::create_directories(folder_ / (snapshot + "data"));
    fs::create_symlink(folder_ / "blobs/one", folder_ / (snapshot + "data/train-00000-of-00001.parquet"));
    fs::create_symlink(folder_ / "blobs/gone", folder_ / (snapshot + "data/test-00000-of-00001.parquet"));
    write("hub/models--owner--other/snapshots/1/train.parquet");
    write("hub/version.txt");
    write(made + "dataset_info.json", "{}");
    write(made + "verses-train.arrow", "123");
    write(made + "cache-0123.arrow");
    write("hub/datasets--broken/snapshots/1/state.json", "{");
    ::setenv("HF_HOME", folder_.path().c_str(), 1);
    for (const char* name : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_DATASETS_CACHE"}) ::unsetenv(name);
    const FoundDatasets found = findDatasets();
    EXPECT_THAT(found.folders, ElementsAre(folder_ / "hub", folder_ / "datasets"));
    ASSERT_EQ(found.datasets.size(), 3u);
    EXPECT_EQ(found.datasets[0].name, "broken");
    EXPECT_NE(found.datasets[0].error, "");
    EXPECT_EQ(found.datasets[0].path, "");
    const FoundDataset &built = found.datasets[1], &hub = found.datasets[2];
    EXPECT_EQ(std::tuple(hub.name, hub.revision, hub.split, hub.source, hub.format, hub.files, hub.bytes), std::tuple("owner/verses", "0123abc", "train", "hub", "parquet", 1, 5));
    EXPECT_EQ(hub.path, folder_ / (snapshot + "data/train-00000-of-00001.parquet"));
    EXPECT_EQ(std::tuple(built.name, built.config, built.split, built.source, built.format, built.bytes), std::tuple("owner/verses", "default", "train", "datasets", "arrow", 3));
    // The variables of either cache come first.
    ::setenv("HF_HUB_CACHE", (folder_ / "nowhere").c_str(), 1);
    EXPECT_THAT(findDatasets().folders, ElementsAre(folder_ / "datasets"));
    ::unsetenv("HF_HUB_CACHE");
    ::unsetenv("HF_HOME");
    const Json json = foundToJson(found);
    EXPECT_EQ(json["datasets"][0]["path"], nullptr);
    EXPECT_EQ(json["cut"], false);
}

template <class T>
void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
// An index of sequences with 16-bit ids that lie one after the other.
std::string indexOf(const std::vector<int32_t>& lengths, const std::vector<int64_t>& documents, uint8_t type = 8) {
    std::string out("MMIDIDX\0\0", 9);
    put<uint64_t>(out, 1);
    put(out, type);
    put<uint64_t>(out, lengths.size());
    put<uint64_t>(out, documents.size());
    for (const int32_t n : lengths) put(out, n);
    int64_t offset = 0;
    for (const int32_t n : lengths) {
        put(out, offset);
        offset += n * 2;
    }
    for (const int64_t d : documents) put(out, d);
    return out;
}

TEST(MegatronIndexTest, ReadsWhatMegatronWrites) {
    const std::string idx = indexOf({2, 1, 0}, {0, 2, 3});
    EXPECT_EQ(idx.size(), 34u + 3 * 4 + 3 * 8 + 3 * 8);
    std::string bin;
    for (const uint16_t id : {7, 8, 65535}) put(bin, id);
    const auto index = MegatronIndex::parse(idx, bin.size(), "x.idx");
    ASSERT_TRUE(index) << index.error().text();
    EXPECT_EQ(index->documents(), 2);
    EXPECT_EQ(index->firstSequence(1), 2);
    std::vector<int32_t> ids;
    for (int64_t s = 0; s < index->sequences(); ++s) ASSERT_TRUE(index->read(bin, s, ids));
    EXPECT_THAT(ids, ElementsAre(7, 8, 65535));
    EXPECT_TRUE(MegatronIndex::parse(idx + std::string(3, '\0'), bin.size(), "with modes"));
    const std::string negative = indexOf({1}, {0, 1}, 3);
    const auto other = MegatronIndex::parse(negative, 2, "x.idx");
    ASSERT_TRUE(other);
    EXPECT_EQ(other->read("\xFF\xFF", 0, ids).error().code, ErrorCode::kInvalidFile);
}

TEST(MegatronIndexTest, RefusesWhatDoesNotFit) {
    const std::string idx = indexOf({2, 1}, {0, 1, 2});
    EXPECT_THAT(MegatronIndex::parse(idx, 5, "x").error().message, HasSubstr("sequence 2"));
    for (size_t n = 0; n < idx.size(); ++n) EXPECT_FALSE(MegatronIndex::parse(std::string_view(idx).substr(0, n), 6, "x")) << n;
    EXPECT_FALSE(MegatronIndex::parse(indexOf({2, -1}, {0, 1, 2}), 6, "x"));
    EXPECT_FALSE(MegatronIndex::parse(indexOf({2, 1}, {0, 2, 1}), 6, "x"));
    EXPECT_FALSE(MegatronIndex::parse(indexOf({2, 1}, {1, 2}), 6, "x"));
    EXPECT_FALSE(MegatronIndex::parse(indexOf({2, 1}, {0, 1}), 6, "x"));
    EXPECT_FALSE(MegatronIndex::parse(indexOf({2, 1}, {}), 6, "x"));
    for (const uint8_t type : {0, 6, 7, 9}) EXPECT_FALSE(MegatronIndex::parse(indexOf({2, 1}, {0, 1, 2}, type), 100, "x")) << int{type};
    std::string huge = idx;
    for (size_t i = 18; i < 26; ++i) huge[i] = '\x7F';
    EXPECT_FALSE(MegatronIndex::parse(huge, 6, "x"));
}

// Offsets have 64 bits: a sequence behind 2^31 bytes, in a .bin that only says how long it is (NVIDIA/Megatron-LM#1672).
TEST(MegatronIndexTest, OffsetsBehindTwoGibibytes) {
    std::string idx = indexOf({1}, {0, 1});
    const int64_t far = (int64_t{1} << 32) + 6;
    std::memcpy(idx.data() + 34 + 4, &far, 8);
    EXPECT_TRUE(MegatronIndex::parse(idx, static_cast<uint64_t>(far) + 2, "x"));
    EXPECT_FALSE(MegatronIndex::parse(idx, static_cast<uint64_t>(far) + 1, "x"));
}

}  // namespace
}  // namespace assay::data
