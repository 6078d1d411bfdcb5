#pragma once
// Learns a WordPiece vocabulary as the Hugging Face library does: pairs of symbols merged by frequency, what continues a word
// written with ## in front. Text is cleaned and cut as BERT's uncased models do it. Deterministic.
#include <assay/core/progress.h>
#include <assay/data/tokenizer.h>

#include <stop_token>
#include <string_view>
#include <vector>

namespace assay::data {

constexpr int64_t kMinTrainedWordPiece = 100;

// Text of a tokenizer.json with at most `vocab` tokens: [PAD], [UNK], [CLS], [SEP], [MASK], then the characters (the 1,000 most
// frequent at most, and no more than a quarter of the vocabulary), then what they are within words, then the merges. Fewer
// when no pair is left that occurs twice.
Result<std::string> trainWordPiece(const std::vector<std::string_view>& documents, int64_t vocab, const ProgressSink& progress = {}, std::stop_token stop = {});

}  // namespace assay::data
