#pragma once
#include <assay/core/durable.h>
#include <assay/model/gguf.h>
#include <assay/model/model_file.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "temp_folder.h"

namespace assay::model {

using test::TempFolder;

inline std::string golden(const std::string& name) { return std::string(ASSAY_SOURCE_DIR) + "/tests/golden/" + name; }

inline void put(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

template <class T>
void append(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// A safetensors file of a given header text and data.
inline std::string rawSafetensors(std::string_view header, std::string_view data) {
    std::string out;
    append<uint64_t>(out, header.size());
    return out.append(header).append(data);
}

// Message of the error of a result, or "" when there is none.
template <class T>
std::string errorOf(const Result<T>& result) {
    return result ? std::string() : result.error().text();
}

// Owns the values that entries view into.
struct Weights {
    std::vector<std::pair<std::string, std::vector<float>>> storage;
    std::vector<SafetensorsEntry> entries;
};

// Every parameter of the model with values that differ: element i of tensor k is k + i/1024.
inline Weights weightsOf(const ModelConfig& config) {
    Weights w;
    const auto parameters = parametersOf(config);
    w.storage.reserve(parameters.size() + 1);
    for (const ParameterInfo& p : parameters) {
        size_t n = 1;
        for (int64_t d : p.shape) n *= static_cast<size_t>(d);
        std::vector<float> values(n);
        for (size_t i = 0; i < n; ++i) values[i] = static_cast<float>(w.storage.size()) + static_cast<float>(i) / 1024;
        w.storage.emplace_back(p.name, std::move(values));
        const auto& back = w.storage.back().second;
        w.entries.push_back({p.name, DType::kF32, p.shape, {reinterpret_cast<const char*>(back.data()), back.size() * 4}});
    }
    return w;
}

}  // namespace assay::model
