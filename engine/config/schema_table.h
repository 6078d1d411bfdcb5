#pragma once
// The rows, one file a part, in the order of the experiment file.

#include <assay/config/schema.h>

// Marks a text for translators (lupdate -tr-function-alias QT_TRANSLATE_NOOP+=ASSAY_TEXT); the window looks it up by its
// English words.
#define ASSAY_TEXT(context, text) text
#define L(text) ASSAY_TEXT("schema", text)

namespace assay::config {

std::span<const KeyInfo> headRows();      // what the experiment is, data, model, method
std::span<const KeyInfo> trainRows();
std::span<const KeyInfo> measureRows();   // quantize, benchmark, accuracy, generate, cost, inputs, sweep

}  // namespace assay::config
