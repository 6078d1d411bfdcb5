#pragma once
// The prediction kept with a run: what `assay plan` says when it is submitted, made beside the run and never waited for.

#include "tools.h"

#include <assay/store/store.h>

#include <QThreadPool>

#include <atomic>
#include <mutex>
#include <set>

namespace assay::server {

class Plans {
public:
    Plans(store::Store& store, ToolOptions tools);
    ~Plans();  // ends what is under way; the next start takes it up

    // For a run that was just submitted; returns at once. Any thread.
    void start(const std::string& run);
    // What an earlier engine left undone.
    void takeUp();
    bool idle() const { return waiting_ == 0; }

private:
    void enqueue(const std::string& run);
    void make(const std::string& run);
    void keep(const std::string& run, const Result<Json>& made);
    std::string marker(const std::string& run) const { return store_.folder() + "/plans/" + run; }
    std::string file(const std::string& run) const { return store_.runFolder(run) + "/plan.json"; }

    store::Store& store_;
    ToolOptions tools_;
    std::atomic<bool> cancelled_{false};
    std::atomic<int> waiting_{0};
    std::mutex mutex_;
    std::set<std::string> known_;  // waiting or being made
    QThreadPool pool_;             // one at a time: predictions must not crowd out the run they are about
};

// Adds `plan` and `plan_error` (null: none) to what runs.get answers about `row`: the whole document for a run that was
// submitted, its part of the root's document for one below. `leaves`: the runs with work at or below `row`.
Result<void> addPlan(store::Store& store, store::Reader& reader, const store::RunRow& row, const std::set<int>& leaves, Json& out);
// The part of some runs in a plan, by their places (`members` of its stages); null when none of them is in it.
Json planPart(const Json& document, const std::set<int>& places);

}  // namespace assay::server
