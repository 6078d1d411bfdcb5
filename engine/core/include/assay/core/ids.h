#pragma once
#include <string>
#include <string_view>

namespace assay {

// Run id: 13 characters of lower-case Crockford base 32 (8 of milliseconds since 2025-01-01, 5 random), so ids sort by
// creation time and are safe in paths, URLs and shells. Ids of one process are strictly increasing. Any thread.
std::string newRunId();
bool isRunId(std::string_view text);
std::string randomHex(int bytes);  // from getrandom(2): tokens, epochs

}  // namespace assay
