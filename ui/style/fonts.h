#pragma once

namespace assay::style {

void ensureResources();   // registers the embedded files, once
void ensureFonts();       // loads the embedded fonts, once; needs a QGuiApplication

}  // namespace assay::style
