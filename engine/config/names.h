#pragma once
// The words of the experiment file for each enumeration, in the order help texts show them.

#include <assay/config/spec.h>

#include <array>
#include <string_view>
#include <utility>

namespace assay::config {

template <class E>
using Word = std::pair<std::string_view, E>;

inline constexpr std::array kKinds{
    Word<Kind>{"prepare", Kind::kPrepare},     Word<Kind>{"train", Kind::kTrain},
    Word<Kind>{"evaluate", Kind::kEvaluate},   Word<Kind>{"quantize", Kind::kQuantize},
    Word<Kind>{"benchmark", Kind::kBenchmark}, Word<Kind>{"generate", Kind::kGenerate},
    Word<Kind>{"verify", Kind::kVerify},
    Word<Kind>{"claim", Kind::kClaim},         Word<Kind>{"pipeline", Kind::kPipeline}};
inline constexpr std::array kStages{  // in the order in which a pipeline runs them
    Word<Kind>{"prepare", Kind::kPrepare},   Word<Kind>{"train", Kind::kTrain},       Word<Kind>{"generate", Kind::kGenerate},
    Word<Kind>{"evaluate", Kind::kEvaluate}, Word<Kind>{"quantize", Kind::kQuantize}, Word<Kind>{"benchmark", Kind::kBenchmark}};
inline constexpr std::array kDocuments{Word<Document>{"line", Document::kLine}, Word<Document>{"paragraph", Document::kParagraph},
                                       Word<Document>{"file", Document::kFile}};
inline constexpr std::array kLossOn{Word<LossOn>{"all", LossOn::kAll}, Word<LossOn>{"assistant", LossOn::kAssistant},
                                    Word<LossOn>{"completion", LossOn::kCompletion}};
inline constexpr std::array kOverLength{Word<OverLength>{"split", OverLength::kSplit}, Word<OverLength>{"truncate", OverLength::kTruncate},
                                        Word<OverLength>{"drop", OverLength::kDrop}, Word<OverLength>{"error", OverLength::kError}};
inline constexpr std::array kPackings{Word<Packing>{"none", Packing::kNone}, Word<Packing>{"concat", Packing::kConcat},
                                      Word<Packing>{"best_fit", Packing::kBestFit}};
inline constexpr std::array kDeduplicate{Word<Deduplicate>{"none", Deduplicate::kNone}, Word<Deduplicate>{"exact", Deduplicate::kExact},
                                         Word<Deduplicate>{"near", Deduplicate::kNear}};
inline constexpr std::array kContamination{Word<Contamination>{"remove", Contamination::kRemove}, Word<Contamination>{"keep", Contamination::kKeep}};
inline constexpr std::array kNonFinite{Word<NonFinite>{"stop", NonFinite::kStop}, Word<NonFinite>{"skip", NonFinite::kSkip},
                                       Word<NonFinite>{"rollback", NonFinite::kRollback}};
inline constexpr std::array kPerplexityModes{Word<PerplexityMode>{"full", PerplexityMode::kFull},
                                             Word<PerplexityMode>{"half", PerplexityMode::kHalf}};
inline constexpr std::array kCheckpointing{
    Word<CheckpointingSpec::Kind>{"none", CheckpointingSpec::Kind::kNone}, Word<CheckpointingSpec::Kind>{"full", CheckpointingSpec::Kind::kFull},
    Word<CheckpointingSpec::Kind>{"selective", CheckpointingSpec::Kind::kSelective},
    Word<CheckpointingSpec::Kind>{"offload", CheckpointingSpec::Kind::kOffload}};

using Words = std::vector<std::string>;
inline const Words kFormats{"auto", "text", "jsonl", "csv", "parquet", "arrow", "hf"};
// As data::languageByCode() knows them (engine/data/prepare/language.h).
inline const Words kLanguages{"en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "pl", "cs", "hu", "ro", "fi", "tr", "vi", "id", "ru", "uk", "sr", "el", "he", "th", "ko", "ja", "zh", "ar"};
inline const Words kDevices{"auto", "cpu", "cuda"};
inline const Words kFamilies{"gpt2", "llama", "bert", "mixtral", "rwkv7", "bitnet"};
inline const Words kOptimizers{"adamw", "adamw_8bit", "adam", "sgd", "adafactor", "lion", "muon"};
inline const Words kSchedules{"constant", "linear", "cosine", "wsd"};
inline const Words kPipelineSchedules{"gpipe", "1f1b", "interleaved"};
inline const Words kKvCache{"fp32", "fp16", "bf16", "int8", "int4"};
inline const Words kPruneKinds{"magnitude", "wanda", "structured"};

template <class E, size_t N>
constexpr std::string_view wordOf(const std::array<Word<E>, N>& words, E value) {
    for (const auto& [word, v] : words)
        if (v == value) return word;
    return words[0].first;
}

}  // namespace assay::config
