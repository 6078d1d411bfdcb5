#pragma once
// How the keys of the experiment file are called: engine/config/schema_*.cpp holds the English words. Pure functions, GUI thread.

#include <QString>
#include <string_view>

namespace assay::presenters {

QString schemaText(std::string_view english);   // in the person's language
// "Prompt lengths (benchmark.prefill)": as the form says it, and as the file does. An unknown key: itself.
QString keyTitle(const QString& key);
// What a place that is still empty asks for: "Choose a dataset."
QString openPlaceText(const QString& key);

}  // namespace assay::presenters
