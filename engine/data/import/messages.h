#pragma once
// Conversations as data sets write them → the messages that chat templates read.
#include <assay/core/json.h>

#include "import/shape.h"

namespace assay::data {

struct MessageCheck {
    std::string reason, hint;  // why the conversation is not usable
    std::string notice;        // odd, with `hint`
};
MessageCheck checkMessages(const Cell& cell);   // an array of {role, content} or {from, value}
std::string messagesText(const Cell& cell);     // the contents, one a line

// {"messages": […], "tools": …}: roles by the names that templates know, parts of text joined, null fields left out,
// ShareGPT's calls of functions as tool_calls. The row must have passed checkMessages.
Result<Json> conversationOf(const RowParts& parts);

}  // namespace assay::data
