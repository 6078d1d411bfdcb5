#include "assay/core/clock.h"

#include <cmath>
#include <cstdio>
#include <ctime>

namespace assay {
namespace {
double read(clockid_t id) {
    timespec t{};
    clock_gettime(id, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}
}  // namespace

double monotonicSeconds() {
    return read(CLOCK_MONOTONIC);
}
double wallSeconds() {
    return read(CLOCK_REALTIME);
}
double threadCpuSeconds() {
    return read(CLOCK_THREAD_CPUTIME_ID);
}
double processCpuSeconds() {
    return read(CLOCK_PROCESS_CPUTIME_ID);
}

std::string isoTime(double seconds) {
    constexpr double kYear10000 = 253402300800.0;
    if (!(std::abs(seconds) < kYear10000)) return "";
    auto milliseconds = static_cast<long long>(std::floor(seconds * 1000.0));
    long long fraction = (milliseconds % 1000 + 1000) % 1000;  // below 1970 too
    auto whole = static_cast<time_t>((milliseconds - fraction) / 1000);
    tm parts{};
    gmtime_r(&whole, &parts);
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                  static_cast<int>(fraction));
    return text;
}

}  // namespace assay
