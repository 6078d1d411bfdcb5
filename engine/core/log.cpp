#include "assay/core/log.h"

#include <unistd.h>

#include <atomic>
#include <string>

#include "assay/core/clock.h"

namespace assay {
namespace {
std::atomic<LogLevel> minimum{LogLevel::kInfo};
constexpr const char* kNames[] = {"debug", "info ", "warn ", "error"};
}  // namespace

void setLogLevel(LogLevel level) { minimum = level; }

void logLine(LogLevel level, std::string_view category, std::string_view text) {
    if (level < minimum.load(std::memory_order_relaxed)) return;
    std::string line = isoTime(wallSeconds()) + " " + kNames[static_cast<int>(level)] + " " + std::string(category) + ": ";
    for (char c : text) line += c == '\n' ? ' ' : c;  // one record is one line
    line += '\n';
    [[maybe_unused]] ssize_t n = ::write(2, line.data(), line.size());
}

}  // namespace assay
