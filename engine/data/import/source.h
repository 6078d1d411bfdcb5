#pragma once
// A data source of an experiment, opened: its path, its format, and what its rows mean.
#include "import/shape.h"

namespace assay::data {

struct OpenedSource {
    config::DataSource source;    // with the path on this machine
    RowRequest request;           // to open it again, with the columns that the mapping reads
    std::string format;
    std::vector<std::string> columns;  // of the header, or of the first rows
    std::vector<std::pair<std::string, std::string>> details;
    Mapping mapping;              // given, shown by the names of the columns, or guessed
    bool given = false;           // the user gave it
    int64_t bytes = 0;            // of its files
    int64_t rows = 0, faults = 0; // looked at, and those of them that cannot be read; text is not looked at
    std::string firstFault;       // reason, line and hint of the first
};

// Reads some hundred rows to see what they are. A mapping that would only be a guess is one all the same: whoever trains
// on it asks requireMapping().
Result<OpenedSource> openSource(const config::DataSource& source, config::Document document);
// kInvalidFile when there are no rows or none can be read, and, with the suggestion to write down, when the columns do not
// show what the rows mean.
Result<void> requireMapping(const OpenedSource& source);

// The path behind a source's reference.
Result<std::string> sourcePath(const config::DataSource& source);

}  // namespace assay::data
