#pragma once

#include <assay/style/tokens.h>

namespace assay::style {

// The style sheet: frames of text fields, scroll bars, menus, tabs, headers. What needs icons, a focus ring or kinds of
// buttons is painted by AssayStyle instead.
QString sheetFor(const Tokens& tokens);

}  // namespace assay::style
