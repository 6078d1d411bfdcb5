#pragma once
// What a job can run on: this machine as measured, or an entry of resources/catalogue/hardware.json. Plain data, any thread.

#include <assay/core/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::plan {

struct Price {
    double usdPerHour = 0;  // of one accelerator, or of the whole machine for a CPU
    std::string source, date;
};

struct Hardware {
    std::string name, label;
    int64_t memoryBytes = 0;
    double bandwidth = 0;  // bytes/s of its memory
    double link = 0;       // bytes/s to its neighbours; 0: unknown
    std::vector<std::pair<std::string, double>> flops;  // number format → dense FLOP/s
    std::optional<double> tdpWatts;
    std::optional<Price> price;
    bool measured = false;  // false: figures of the vendor
    double flopsOf(std::string_view format) const;  // 0: not known
};

// Every entry of the catalogue that is compiled in, in its order.
const std::vector<Hardware>& catalogue();
Result<std::vector<Hardware>> parseCatalogue(const Json& document);  // kInvalidFile names entry and key
const Hardware* findHardware(std::string_view name);                 // by name, else by label; case does not matter
// The accelerator that its driver calls "NVIDIA H200" or "NVIDIA A100-SXM4-80GB", with so much memory (within 15 %).
const Hardware* findHardwareByModel(std::string_view model, int64_t memoryBytes);
std::string hardwareNames();                                         // for messages

}  // namespace assay::plan
