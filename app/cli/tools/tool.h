#pragma once
// A tool is what the engine computes for `tools.call` without making a run (PROTOCOL.md): one JSON document in, one out. One
// file and one line in tools.cpp each.

#include <assay/config/spec.h>

#include "context.h"

namespace assay::cli {

struct Tool {
    const char* name;
    Result<Json> (*run)(const GlobalOptions& options, const Json& params);  // params is an object
};
const Tool* findTool(std::string_view name);  // nullptr: there is none of that name
std::string toolNames();                      // "data_inspect, data_lengths, …"

Result<Json> toolDataInspect(const GlobalOptions&, const Json&);
Result<Json> toolDataLengths(const GlobalOptions&, const Json&);
Result<Json> toolDataRows(const GlobalOptions&, const Json&);
Result<Json> toolDataView(const GlobalOptions&, const Json&);
Result<Json> toolDatasetsList(const GlobalOptions&, const Json&);
Result<Json> toolDoctor(const GlobalOptions&, const Json&);
Result<Json> toolFilesList(const GlobalOptions&, const Json&);
Result<Json> toolModelDescribe(const GlobalOptions&, const Json&);
Result<Json> toolModelsList(const GlobalOptions&, const Json&);
Result<Json> toolPlan(const GlobalOptions&, const Json&);
Result<Json> toolSpecCheck(const GlobalOptions&, const Json&);
Result<Json> toolTokenize(const GlobalOptions&, const Json&);

}  // namespace assay::cli
