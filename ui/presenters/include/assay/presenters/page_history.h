#pragma once
// Back and forward over pages with their arguments, as in a browser.

#include <assay/core/json.h>

#include <QString>
#include <optional>
#include <vector>

namespace assay::presenters {

class PageHistory {
public:
    struct Place {
        QString page;
        Json argument = Json::object();
        bool operator==(const Place&) const = default;
    };
    static constexpr size_t kMost = 100;
    void visit(const Place& place);   // drops what lay ahead; the same place again is no new step
    std::optional<Place> back();
    std::optional<Place> forward();
    bool canGoBack() const { return at_ > 0; }
    bool canGoForward() const { return at_ + 1 < places_.size(); }
    std::optional<Place> current() const;

private:
    std::vector<Place> places_;
    size_t at_ = 0;
};

}  // namespace assay::presenters
