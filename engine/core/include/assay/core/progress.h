#pragma once
#include <functional>
#include <stop_token>
#include <string>

namespace assay {

// What a long operation reports. `total` 0 means unknown; `rate` in units per second, NaN when not known yet.
struct Progress {
    std::string phase;  // "tokenize", "train", "quantize", …
    std::string unit;   // "bytes", "steps", "tokens", "layers"
    double done = 0;
    double total = 0;
    double rate = 0;
    double etaSeconds = 0;
};
using ProgressSink = std::function<void(const Progress&)>;

// Computes rate and time left and lets at most one report per `minInterval` seconds through, and always the last one.
class ProgressMeter {
public:
    ProgressMeter(ProgressSink sink, std::string phase, std::string unit, double total, double minInterval = 0.2);
    void update(double done);
    void finish();

private:
    ProgressSink sink_;
    Progress progress_;
    double start_;
    double last_ = -1;
    double minInterval_;
};

}  // namespace assay
