#include "prepare/prepared.h"

#include <assay/core/hash.h>
#include <sys/mman.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdio>

namespace assay::data {

std::string hex64(uint64_t value) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

namespace {

// The checksum of a mapped file, block by block, without its pages staying in memory: opening a large folder costs none.
uint64_t checksum(std::string_view bytes) {
    constexpr size_t kBlock = size_t{16} << 20;
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
    if (!state) return xxh3(bytes);
    XXH3_64bits_reset(state.get());
    for (size_t at = 0; at < bytes.size(); at += kBlock) {
        const std::string_view block = bytes.substr(at, kBlock);
        XXH3_64bits_update(state.get(), block.data(), block.size());
        ::madvise(const_cast<char*>(block.data()), block.size(), MADV_DONTNEED);
    }
    return XXH3_64bits_digest(state.get());
}

Result<MappedFile> openChecked(const std::string& folder, const Json& file) {
    ASSAY_TRY(const std::string name, jsonString(file, "file"));
    ASSAY_TRY(const int64_t bytes, jsonInteger(file, "bytes"));
    ASSAY_TRY(const std::string hash, jsonString(file, "xxh3"));
    if (name.empty() || name.find('/') != name.npos) return fail(ErrorCode::kInvalidFile, folder + "/manifest.json names the file \"" + name + "\"");
    const std::string path = folder + "/" + name;
    ASSAY_TRY(MappedFile map, MappedFile::open(path));
    if (static_cast<int64_t>(map.bytes().size()) != bytes || hex64(checksum(map.bytes())) != hash)
        return fail(ErrorCode::kInvalidFile, path + " is damaged: its size or checksum differs from the manifest", "prepare the data anew");
    return map;
}

}  // namespace

Result<void> PreparedFolder::openPart(const Json& description, Part& out) {
    if (!description.contains("shards") || !description["shards"].is_array()) return fail(ErrorCode::kInvalidFile, folder_ + "/manifest.json lists no shards");
    for (const Json& file : description["shards"]) {
        ASSAY_TRY(MappedFile map, openChecked(folder_, file));
        ASSAY_TRY(Shard shard, Shard::open(map.bytes(), folder_ + "/" + jsonStringOr(file, "file", "")));
        ::madvise(const_cast<char*>(map.bytes().data()), map.bytes().size(), MADV_DONTNEED);  // its index was looked through
        out.sequences += static_cast<int64_t>(shard.sequences());
        out.tokens += static_cast<int64_t>(shard.tokens());
        out.begin.push_back(out.sequences);
        out.shards.push_back(shard);
        out.files.push_back(std::move(map));
    }
    return {};
}

Result<std::shared_ptr<const PreparedFolder>> PreparedFolder::openFolder(const std::string& folder) {
    auto out = std::make_shared<PreparedFolder>();
    out->folder_ = folder;
    auto manifest = readJsonFile(folder + "/manifest.json");
    if (!manifest && manifest.error().code == ErrorCode::kNotFound)
        return fail(ErrorCode::kNotFound, folder + " is no folder of prepared data: it holds no manifest.json", "make one with assay data prepare");
    ASSAY_TRY(out->manifest_, std::move(manifest));
    const Json& m = out->manifest_;
    if (jsonStringOr(m, "format", "") != kManifestFormat) return fail(ErrorCode::kInvalidFile, folder + " is no folder of prepared data", "make one with assay data prepare");
    if (const int64_t version = jsonIntegerOr(m, "version", 0); version != kManifestVersion)
        return fail(ErrorCode::kVersionMismatch, folder + " was prepared in format " + std::to_string(version), "prepare the data anew");
    ASSAY_TRY(out->length_, jsonInteger(m, "sequence_length"));
    if (out->length_ <= 0) return fail(ErrorCode::kInvalidFile, folder + "/manifest.json: sequence_length is not positive");
    out->packing_ = jsonStringOr(m, "packing", "concat");
    if (!m.contains("tokenizer") || !m.contains("train") || !m.contains("files") || !m["files"].is_array())
        return fail(ErrorCode::kInvalidFile, folder + "/manifest.json is incomplete", "prepare the data anew");
    ASSAY_TRY(out->vocab_, jsonInteger(m["tokenizer"], "vocab_size"));
    for (const Json& file : m["files"]) ASSAY_TRY_VOID(openChecked(folder, file));
    ASSAY_TRY_VOID(out->openPart(m["train"], out->train_));
    if (m.contains("eval") && !m["eval"].is_null()) ASSAY_TRY_VOID(out->openPart(m["eval"], out->eval_));
    return std::shared_ptr<const PreparedFolder>(std::move(out));
}

Result<std::shared_ptr<const PreparedData>> PreparedData::open(const std::string& folder) { return PreparedFolder::openFolder(folder); }

std::string PreparedFolder::tokenizerPath() const {
    return jsonStringOr(manifest_["tokenizer"], "kind", "") == "bytes" ? "bytes" : folder_ + "/tokenizer.json";
}

std::string PreparedFolder::evalTextPath() const {
    if (!manifest_.contains("eval") || manifest_["eval"].is_null()) return {};
    return folder_ + "/" + jsonStringOr(manifest_["eval"], "text", "eval.txt");
}

PreparedFolder::Row PreparedFolder::row(bool evaluation, int64_t sequence) const {
    const Part& p = part(evaluation);
    const auto next = std::upper_bound(p.begin.begin(), p.begin.end(), sequence);
    const auto shard = static_cast<size_t>(next - p.begin.begin() - 1);
    return {&p.shards[shard], static_cast<uint64_t>(sequence - p.begin[shard])};
}

PrepareReport reportFromManifest(const Json& m, const std::string& folder) {
    PrepareReport r;
    const Json& train = m["train"];
    r.documents = jsonIntegerOr(train, "documents", 0);
    r.tokens = jsonIntegerOr(train, "tokens", 0);
    r.lossTokens = jsonIntegerOr(train, "loss_tokens", 0);
    r.paddingFraction = jsonDoubleOr(train, "padding_fraction", 0);
    if (m.contains("dropped") && m["dropped"].is_object())
        for (auto it = m["dropped"].begin(); it != m["dropped"].end(); ++it)
            if (it.value().is_number_integer()) r.dropped[it.key()] = it.value().get<int64_t>();
    if (m.contains("eval") && m["eval"].is_object()) {
        r.evalDocuments = jsonIntegerOr(m["eval"], "documents", 0);
        r.evalTokens = jsonIntegerOr(m["eval"], "tokens", 0);
        r.evalBytes = jsonIntegerOr(m["eval"], "bytes", 0);
    }
    if (m.contains("problems")) r.problems = m["problems"];
    if (m.contains("near_duplicates")) r.nearDuplicates = m["near_duplicates"];
    if (m.contains("mixture")) r.mixture = m["mixture"];
    if (train.contains("tokens_lost")) r.tokensLost = train["tokens_lost"];
    r.tokensIn = jsonIntegerOr(train, "tokens_in", r.tokens);
    if (m.contains("bigram_nll") && m["bigram_nll"].is_number()) r.bigramNll = m["bigram_nll"].get<double>();
    r.seconds = jsonDoubleOr(m, "seconds", 0);
    r.mbPerS = jsonDoubleOr(m, "mb_per_s", 0);
    r.path = folder;
    return r;
}

Json reportToJson(const PrepareReport& r) {
    Json dropped = Json::object();
    for (const auto& [reason, count] : r.dropped) dropped[reason] = count;
    return Json{{"documents", r.documents},
                {"tokens", r.tokens},
                {"loss_tokens", r.lossTokens},
                {"dropped", dropped},
                {"padding_fraction", jsonNumber(r.paddingFraction)},
                {"seconds", jsonNumber(r.seconds)},
                {"mb_per_s", r.cacheHit ? Json() : jsonNumber(r.mbPerS)},  // a hit tokenizes nothing
                {"cache", r.cacheHit ? "hit" : "miss"},
                {"path", r.path},
                {"eval_documents", r.evalDocuments},
                {"eval_tokens", r.evalTokens},
                {"eval_bytes", r.evalBytes},
                {"tokens_in", r.tokensIn},
                {"tokens_lost", r.tokensLost},
                {"problems", r.problems},
                {"near_duplicates", r.nearDuplicates},
                {"mixture", r.mixture},
                {"bigram_nll", r.bigramNll ? jsonNumber(*r.bigramNll) : Json()}};
}

}  // namespace assay::data
