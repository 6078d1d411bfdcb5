#include "prepare/duplicates.h"

namespace assay::data {

Result<void> ExactDuplicates::add(const ContentHash& hash, uint64_t document) { return entries_.add({hash, document}); }

Result<void> ExactDuplicates::finish(const std::function<void(const Match&)>& match) {
    ContentHash group;
    bool any = false, heldOut = false, trained = false;  // of the documents with this hash so far
    return entries_.finish([&](const Entry& e) -> Result<void> {
        if (!any || !(e.hash == group)) heldOut = trained = false;
        any = true;
        group = e.hash;
        if (e.document == 0) {  // held-out ones come first
            heldOut = true;
            return {};
        }
        if (heldOut || trained) match({e.document, heldOut, trained});
        trained = true;
        return {};
    });
}

}  // namespace assay::data
