#include "model_helpers.h"

namespace assay::model {
namespace {

std::string tensor(const std::string& name, const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

std::string openError(const std::string& bytes) {
    TempFolder folder;
    put(folder.file("a.safetensors"), bytes);
    return errorOf(SafetensorsFile::open(folder.file("a.safetensors")));
}

TEST(Safetensors, ReadsWhatTheReferenceWrites) {
    auto file = SafetensorsFile::open(golden("tiny/llama/model.safetensors"));
    ASSERT_TRUE(file) << errorOf(file);
    EXPECT_EQ((*file)->entries().size(), 20u);  // embedding, 2 layers of 9, norm
    const SafetensorsEntry* e = (*file)->find("model.layers.1.self_attn.k_proj.weight");
    ASSERT_TRUE(e);
    EXPECT_EQ(e->shape, (std::vector<int64_t>{16, 32}));
    EXPECT_EQ(e->type, DType::kF32);
    EXPECT_EQ(e->bytes.size(), 16u * 32 * 4);
    EXPECT_EQ((*file)->metadata()["format"], "pt");
}

TEST(Safetensors, ScalarsAndEmptyTensorsAreRight) {
    TempFolder folder;
    put(folder.file("a.safetensors"),
        rawSafetensors("{" + tensor("scalar", "F32", "[]", "[0,4]") + "," + tensor("none", "F16", "[3,0,2]", "[4,4]") + "," + tensor("b", "U8", "[1]", "[4,5]") + "}  ",
                       std::string("\0\0\x80\x3f!", 5)));
    auto file = SafetensorsFile::open(folder.file("a.safetensors"));
    ASSERT_TRUE(file) << errorOf(file);
    EXPECT_TRUE((*file)->find("scalar")->shape.empty());
    EXPECT_EQ((*file)->find("none")->bytes.size(), 0u);
    EXPECT_EQ((*file)->find("b")->bytes, "!");
    EXPECT_EQ((*file)->find("absent"), nullptr);
}

struct Hostile {
    const char* what;
    std::string bytes;
    const char* expected;  // in the message
};

std::string withLength(uint64_t length, std::string_view rest) {
    std::string out;
    append(out, length);
    return out.append(rest);
}

TEST(Safetensors, HostileFilesAreRefused) {
    const std::string one = tensor("a", "F32", "[1]", "[0,4]"), data = "1234";
    std::string deep(200000, '[');
    const std::vector<Hostile> table{
        {"empty", "", "too few"},
        {"seven bytes", "1234567", "too few"},
        {"length 0", withLength(0, "{}"), "too small"},
        {"length 2^63", withLength(uint64_t{1} << 63, "{}"), "above the limit"},
        {"length just above 100 MB", withLength(100'000'001, "{}"), "above the limit"},
        {"length wraps with its own 8 bytes", withLength(~uint64_t{0} - 7, "{}"), "above the limit"},
        {"length beyond the file", withLength(3, "{}"), "beyond the end"},
        {"pickle in disguise", std::string("PK\x03\x04\0\0\0\0garbage", 15), "not a valid safetensors"},
        {"no brace", rawSafetensors(" {}", ""), "does not start with"},
        {"not JSON", rawSafetensors("{\"a\":}", ""), "not JSON"},
        {"two documents", rawSafetensors("{}{}", ""), "not JSON"},
        {"not UTF-8", rawSafetensors("{\"\xff\":1}", ""), "not JSON"},
        {"deep nesting", rawSafetensors("{\"a\":" + deep, ""), "array where none belongs"},
        {"duplicate name", rawSafetensors("{" + one + "," + tensor("a", "F32", "[1]", "[4,8]") + "}", "12345678"), "duplicate key \"a\""},
        {"duplicate key in a tensor", rawSafetensors("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[0,4]}}", data), "duplicate key \"dtype\""},
        {"unknown key", rawSafetensors("{\"a\":{\"dtype\":\"F32\",\"stride\":[1],\"shape\":[1],\"data_offsets\":[0,4]}}", data), "unknown key \"stride\""},
        {"missing shape", rawSafetensors("{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", data), "is missing"},
        {"unknown type", rawSafetensors("{" + tensor("a", "F31", "[1]", "[0,4]") + "}", data), "unknown type \"F31\""},
        {"type we do not read", rawSafetensors("{" + tensor("a", "F8_E4M3", "[4]", "[0,4]") + "}", data), "not supported"},
        {"shape product wraps", rawSafetensors("{" + tensor("a", "F32", "[4294967296,4294967296]", "[0,0]") + "}", ""), "overflows"},
        {"bytes wrap", rawSafetensors("{" + tensor("a", "F32", "[4611686018427387904]", "[0,0]") + "}", ""), "overflows"},
        {"shape above 2^63", rawSafetensors("{" + tensor("a", "U8", "[9223372036854775808]", "[0,0]") + "}", ""), "too large"},
        {"negative shape", rawSafetensors("{" + tensor("a", "F32", "[-1]", "[0,4]") + "}", data), "negative number"},
        {"fractional shape", rawSafetensors("{" + tensor("a", "F32", "[1.0]", "[0,4]") + "}", data), "no integer"},
        {"negative offset", rawSafetensors("{" + tensor("a", "F32", "[1]", "[-4,0]") + "}", data), "negative number"},
        {"backward offsets", rawSafetensors("{" + tensor("a", "F32", "[1]", "[4,0]") + "}", data), "run backwards"},
        {"one offset", rawSafetensors("{" + tensor("a", "F32", "[1]", "[0]") + "}", data), "two numbers"},
        {"three offsets", rawSafetensors("{" + tensor("a", "F32", "[1]", "[0,4,4]") + "}", data), "two numbers"},
        {"shape and offsets disagree", rawSafetensors("{" + tensor("a", "F32", "[2]", "[0,4]") + "}", data), "needs 8 bytes"},
        {"beyond the end", rawSafetensors("{" + tensor("a", "F32", "[2]", "[0,8]") + "}", data), "truncated"},
        {"overlap", rawSafetensors("{" + one + "," + tensor("b", "U8", "[4]", "[2,6]") + "}", "123456"), "overlaps"},
        {"the same bytes twice", rawSafetensors("{" + one + "," + tensor("b", "F32", "[1]", "[0,4]") + "}", data), "overlaps"},
        {"hole", rawSafetensors("{" + one + "," + tensor("b", "U8", "[1]", "[5,6]") + "}", "123456"), "belong to no tensor"},
        {"trailing bytes", rawSafetensors("{" + one + "}", "12345"), "at the end belong to no tensor"},
        {"metadata is no object", rawSafetensors("{\"__metadata__\":[]}", ""), "none belongs"},
        {"metadata value is no string", rawSafetensors("{\"__metadata__\":{\"a\":1}}", ""), "none belongs"},
        {"seventeen dimensions", rawSafetensors("{" + tensor("a", "U8", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,1]") + "}", "1"), "more than 16"},
    };
    for (const Hostile& h : table) EXPECT_THAT(openError(h.bytes), ::testing::HasSubstr(h.expected)) << h.what;
}

TEST(Safetensors, ManyNamesCostLinearTime) {  // a hostile header may hold a million names
    std::string header = "{";
    for (int i = 0; i < 200000; ++i) header += tensor("t" + std::to_string(i), "U8", "[0]", "[0,0]") + ",";
    header.back() = '}';
    TempFolder folder;
    put(folder.file("a.safetensors"), rawSafetensors(header, ""));
    auto file = SafetensorsFile::open(folder.file("a.safetensors"));
    ASSERT_TRUE(file) << errorOf(file);
    EXPECT_EQ((*file)->entries().size(), 200000u);
}

TEST(Safetensors, FoldersAndMissingFilesAreClear) {
    TempFolder folder;
    EXPECT_THAT(errorOf(SafetensorsFile::open(folder.path())), ::testing::HasSubstr("directory"));
    auto missing = SafetensorsFile::open(folder.file("no.safetensors"));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

// Random tensors of every type: what is written is read back, twice the same bytes, data aligned as promised.
TEST(Safetensors, RandomRoundTrips) {
    std::mt19937_64 rng(7);
    const DType types[] = {DType::kF32, DType::kF16, DType::kBF16, DType::kI8, DType::kU8, DType::kI32, DType::kI64, DType::kBool, DType::kF64};
    TempFolder folder;
    for (int round = 0; round < 20; ++round) {
        std::vector<std::string> data;
        std::vector<SafetensorsEntry> entries;
        const size_t count = rng() % 12;
        data.reserve(count);
        for (size_t k = 0; k < count; ++k) {
            SafetensorsEntry e;
            e.name = "tensor \"" + std::to_string(k) + "\" ü";
            e.type = types[rng() % std::size(types)];
            int64_t elements = 1;
            for (size_t d = rng() % 4; d > 0; --d) {
                e.shape.push_back(static_cast<int64_t>(rng() % 7));
                elements *= e.shape.back();
            }
            std::string bytes(static_cast<size_t>(elements * dtypeBytes(e.type)), '\0');
            for (char& c : bytes) c = static_cast<char>(rng());
            data.push_back(std::move(bytes));
            e.bytes = data.back();
            entries.push_back(e);
        }
        Json metadata = Json::object();
        if (round % 2) metadata = {{"format", "pt"}, {"note", "a\"b\n"}};
        const std::string path = folder.file("r.safetensors"), again = folder.file("s.safetensors");
        auto written = writeSafetensors(path, entries, metadata);
        ASSERT_TRUE(written) << errorOf(written);
        ASSERT_TRUE(writeSafetensors(again, entries, metadata));
        const std::string bytes = *readFile(path);
        EXPECT_EQ(bytes.size(), static_cast<size_t>(*written));
        EXPECT_EQ(bytes, *readFile(again));
        uint64_t header;
        std::memcpy(&header, bytes.data(), 8);
        EXPECT_EQ((8 + header) % 64, 0u);
        auto file = SafetensorsFile::open(path);
        ASSERT_TRUE(file) << errorOf(file);
        EXPECT_EQ((*file)->entries().size(), entries.size());
        EXPECT_EQ((*file)->metadata(), metadata);
        for (const SafetensorsEntry& e : entries) {
            const SafetensorsEntry* got = (*file)->find(e.name);
            ASSERT_TRUE(got) << e.name;
            EXPECT_EQ(got->type, e.type);
            EXPECT_EQ(got->shape, e.shape);
            EXPECT_EQ(got->bytes, e.bytes);
            if (e.bytes.empty()) continue;
            EXPECT_EQ(reinterpret_cast<uintptr_t>(got->bytes.data()) % static_cast<uintptr_t>(dtypeBytes(e.type)), 0u) << e.name;
        }
    }
    EXPECT_EQ(test::entriesIn(folder.path()), 2u);  // no temporary files are left
}

TEST(Safetensors, WriterRefusesWhatCannotBeRight) {
    TempFolder folder;
    const std::string path = folder.file("a.safetensors");
    EXPECT_FALSE(writeSafetensors(path, {{"a", DType::kF32, {2}, "1234"}}, {}));
    EXPECT_FALSE(writeSafetensors(path, {{"a", DType::kU8, {1}, "1"}, {"a", DType::kU8, {1}, "2"}}, {}));
    EXPECT_FALSE(writeSafetensors(path, {{"a", DType::kQ4_0, {32}, std::string_view("123456789012345678")}}, {}));
    EXPECT_FALSE(writeSafetensors(path, {}, Json{{"n", 1}}));
    EXPECT_FALSE(writeSafetensors(folder.file("no/such/folder/a.safetensors"), {}, {}));
    EXPECT_EQ(test::entriesIn(folder.path()), 0u);
}

}  // namespace
}  // namespace assay::model
