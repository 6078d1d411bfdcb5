#pragma once
// Frequencies of rotary positions (Su et al. 2021) with the scaling kinds of Hugging Face's modeling_rope_utils: linear (Chen et
// al. 2023), dynamic NTK, llama3 (Llama 3.1 report), yarn (Peng et al. 2023), longrope (Ding et al. 2024).

#include <assay/model/config.h>

#include <vector>

namespace assay::model {

struct RopeFrequencies {
    std::vector<double> inverse;  // radians a position turns the pair (i, i + headDim/2), headDim/2 of them
    double magnitude = 1;         // cosines and sines are multiplied by it (yarn, longrope)
};
// `length`: positions of the sequence; dynamic and longrope turn longer ones otherwise.
RopeFrequencies ropeFrequencies(const ModelConfig& config, int64_t length);

}  // namespace assay::model
