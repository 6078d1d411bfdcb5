#pragma once
// The widths of a splitter's parts in a page's saved state. What does not fit the splitter is ignored.

#include <assay/core/json.h>

#include <QSplitter>
#include <algorithm>

namespace assay::pages {

inline Json splitterState(const QSplitter& splitter) {
    Json sizes = Json::array();
    for (int size : splitter.sizes()) sizes.push_back(size);
    return sizes;
}

inline void restoreSplitter(QSplitter& splitter, const Json& state, const char* key) {
    const auto found = state.find(key);
    if (found == state.end() || !found->is_array()) return;
    QList<int> sizes;
    for (const Json& size : *found) sizes << (size.is_number_integer() ? size.get<int>() : 0);
    const bool whole = std::all_of(sizes.begin(), sizes.end(), [](int size) { return size > 0; });
    if (whole && sizes.size() == splitter.count()) splitter.setSizes(sizes);
}

}  // namespace assay::pages
