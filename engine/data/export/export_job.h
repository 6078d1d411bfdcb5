#pragma once
#include <assay/data/export.h>

#include "prepare/prepared.h"

namespace assay::data {

// What an exporter writes into, and where it counts.
struct ExportJob {
    const PreparedFolder& data;
    std::string folder;  // exists and is empty
    ExportReport& report;
    ProgressMeter& meter;
    double done = 0;     // tokens
    const std::stop_token& stop;

    Result<void> step(size_t tokens) {
        meter.update(done += static_cast<double>(tokens));
        if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
        return {};
    }
};

Result<void> exportArrow(ExportJob& job);
Result<void> exportParquet(ExportJob& job);
Result<void> exportHf(ExportJob& job);
Result<void> exportMegatron(ExportJob& job);
Result<void> exportNanoGpt(ExportJob& job);

}  // namespace assay::data
