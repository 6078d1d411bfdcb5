#pragma once
// Log lines of programs: "2026-01-31T12:00:00.123Z info  engine: text", to stderr. No tokens, no dataset text.
#include <string_view>

namespace assay {

enum class LogLevel { kDebug, kInfo, kWarning, kError };
void setLogLevel(LogLevel level);
void logLine(LogLevel level, std::string_view category, std::string_view text);  // any thread; one write(2) per line
inline void logInfo(std::string_view category, std::string_view text) { logLine(LogLevel::kInfo, category, text); }
inline void logWarning(std::string_view category, std::string_view text) { logLine(LogLevel::kWarning, category, text); }
inline void logError(std::string_view category, std::string_view text) { logLine(LogLevel::kError, category, text); }

}  // namespace assay
