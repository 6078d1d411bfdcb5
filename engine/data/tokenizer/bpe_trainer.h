#pragma once
// Learns a byte-level BPE vocabulary with GPT-2's pre-tokenizer. Deterministic: the most frequent pair is merged first,
// of equals the one with the smaller ids.
#include <assay/core/progress.h>
#include <assay/data/tokenizer.h>

#include <stop_token>
#include <string_view>
#include <vector>

namespace assay::data {

constexpr int64_t kMinTrainedVocab = 257;  // 256 bytes and <|endoftext|>

// Text of a tokenizer.json with at most `vocab` tokens: <|endoftext|> is id 0, then the bytes in the order of their
// characters, then the merges. Fewer when no pair is left that occurs twice.
Result<std::string> trainBpe(const std::vector<std::string_view>& documents, int64_t vocab, const ProgressSink& progress = {}, std::stop_token stop = {});

}  // namespace assay::data
