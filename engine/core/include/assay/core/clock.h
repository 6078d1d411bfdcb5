#pragma once
#include <string>

namespace assay {

double monotonicSeconds();  // for durations and timeouts; CLOCK_MONOTONIC
double wallSeconds();       // for display and records only; Unix time
// Processor time, which other programs on the machine do not add to: of the calling thread, of all threads of the process.
double threadCpuSeconds();
double processCpuSeconds();
std::string isoTime(double wallSeconds);  // "2026-01-31T12:00:00.123Z", UTC; non-finite: ""

}  // namespace assay
