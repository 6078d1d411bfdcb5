#pragma once
#include <string>

namespace assay {

double monotonicSeconds();  // for durations and timeouts; CLOCK_MONOTONIC
double wallSeconds();       // for display and records only; Unix time
std::string isoTime(double wallSeconds);  // "2026-01-31T12:00:00.123Z", UTC; non-finite: ""

}  // namespace assay
