#include "tokenizer/rank_families.h"

#include <cstdio>

#include "tokenizer/splitter.h"

namespace assay::data {
namespace {

using SpecialTokens = std::vector<std::pair<std::string, int64_t>>;

SpecialTokens llama3Special() {
    SpecialTokens out;
    int64_t reserved = 0;
    for (int64_t i = 0; i < 256; ++i) {
        const char* name = i == 0 ? "<|begin_of_text|>" : i == 1 ? "<|end_of_text|>" : i == 6 ? "<|start_header_id|>" : i == 7 ? "<|end_header_id|>" : i == 9 ? "<|eot_id|>" : nullptr;
        out.emplace_back(name ? name : "<|reserved_special_token_" + std::to_string(reserved++) + "|>", 128000 + i);
    }
    return out;
}

SpecialTokens qwenSpecial(int64_t first) {
    SpecialTokens out;
    for (const char* name : {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}) out.emplace_back(name, first++);
    return out;
}

// Whisper's languages in the order of their ids. The models before large-v3 have no Cantonese.
constexpr const char* kWhisperLanguages[] = {
    "en", "zh", "de", "es", "ru", "ko", "fr", "ja", "pt", "tr", "pl", "ca", "nl", "ar", "sv", "it", "id", "hi", "fi", "vi", "he", "uk", "el", "ms", "cs",
    "ro", "da", "hu", "ta", "no", "th", "ur", "hr", "bg", "lt", "la", "mi", "ml", "cy", "sk", "te", "fa", "lv", "bn", "sr", "az", "sl", "kn", "et", "mk",
    "br", "eu", "is", "hy", "ne", "mn", "bs", "kk", "sq", "sw", "gl", "mr", "pa", "si", "km", "sn", "yo", "so", "af", "oc", "ka", "be", "tg", "sd", "gu",
    "am", "yi", "lo", "uz", "fo", "ht", "ps", "tk", "nn", "mt", "sa", "lb", "my", "bo", "tl", "mg", "as", "tt", "haw", "ln", "ha", "ba", "jw", "su", "yue"};
constexpr int kWhisperTimes = 1501;  // 0 to 30 seconds in steps of 0.02

SpecialTokens whisperSpecial(int64_t first, int languages) {
    SpecialTokens out;
    const auto add = [&](const std::string& name) { out.emplace_back("<|" + name + "|>", first++); };
    add("endoftext");
    add("startoftranscript");
    for (int i = 0; i < languages; ++i) add(kWhisperLanguages[i]);
    for (const char* name : {"translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps"}) add(name);
    for (int i = 0; i < kWhisperTimes; ++i) {
        char seconds[16];
        std::snprintf(seconds, sizeof seconds, "%d.%02d", i / 50, i % 50 * 2);
        add(seconds);
    }
    return out;
}

// One line per family, those for a stated vocabulary first.
const std::vector<RankFamily>& rankFamilies() {
    static const std::vector<RankFamily> families{
        {50256, "Whisper for English", &kGpt2Pattern, false, whisperSpecial(50256, 99), "", 51864},
        {50256, "gpt2", &kGpt2Pattern, false, {{"<|endoftext|>", 50256}}, ""},
        {50257, "Whisper large-v3", &kGpt2Pattern, false, whisperSpecial(50257, 100), "", 51866},
        {50257, "Whisper", &kGpt2Pattern, false, whisperSpecial(50257, 99), ""},
        {50280, "p50k", &kGpt2Pattern, false, {{"<|endoftext|>", 50256}}, ""},
        {100256, "cl100k", &kLlama3Pattern, false,
         {{"<|endoftext|>", 100257}, {"<|fim_prefix|>", 100258}, {"<|fim_middle|>", 100259}, {"<|fim_suffix|>", 100260}, {"<|endofprompt|>", 100276}}, ""},
        {128000, "Llama 3", &kLlama3Pattern, false, llama3Special(), "<|begin_of_text|>"},
        {151643, "Qwen", &kQwen2Pattern, true, qwenSpecial(151643), ""},
        {199998, "o200k", &kO200kPattern, false, {{"<|endoftext|>", 199999}, {"<|endofprompt|>", 200018}}, ""},
        {248044, "Qwen 3.5", &kQwen35Pattern, true, qwenSpecial(248044), ""},
    };
    return families;
}

}  // namespace

const RankFamily* rankFamily(size_t ranks, int64_t modelVocabulary) {
    for (const RankFamily& family : rankFamilies())
        if (family.ranks == ranks && (family.modelVocabulary < 0 || family.modelVocabulary == modelVocabulary)) return &family;
    return nullptr;
}

}  // namespace assay::data
