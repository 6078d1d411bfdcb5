#include <assay/presenters/page_history.h>

namespace assay::presenters {

void PageHistory::visit(const Place& place) {
    if (!places_.empty()) {
        if (places_[at_] == place) return;
        places_.resize(at_ + 1);
    }
    places_.push_back(place);
    if (places_.size() > kMost) places_.erase(places_.begin());
    at_ = places_.size() - 1;
}

std::optional<PageHistory::Place> PageHistory::back() {
    if (!canGoBack()) return {};
    return places_[--at_];
}

std::optional<PageHistory::Place> PageHistory::forward() {
    if (!canGoForward()) return {};
    return places_[++at_];
}

std::optional<PageHistory::Place> PageHistory::current() const {
    if (places_.empty()) return {};
    return places_[at_];
}

}  // namespace assay::presenters
