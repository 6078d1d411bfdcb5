#pragma once
// Seconds of a piece of work, and how much of them is left for a group of measurements.

#include <assay/core/clock.h>

#include <algorithm>

namespace assay::train::calibrate {

// Seconds on a machine that does nothing else. With one thread that is its processor time. With more it is the clock, unless
// that went well ahead of the calling thread's processor time: then others had the cores, and since threads share the work
// evenly and wait asleep, the calling thread's time is what a quiet machine would show but for some waiting.
class Stopwatch {
public:
    explicit Stopwatch(bool oneThread) : oneThread_(oneThread) {}
    struct Moment {
        double wall = 0, processor = 0;
    };
    static Moment now() { return {monotonicSeconds(), threadCpuSeconds()}; }
    double between(const Moment& from, const Moment& to) const {
        const double wall = to.wall - from.wall, processor = to.processor - from.processor;
        return oneThread_ || wall > kAhead * processor ? (oneThread_ ? 1 : kWaiting) * processor : wall;
    }

private:
    static constexpr double kAhead = 1.3, kWaiting = 1.05;
    bool oneThread_;
};

// All measurements share a span of time; each group may go on until its part of it is over, and what one leaves is the
// next one's. A shape that would not fit any more is left out. The span is that of this thread's work, so that a busy machine
// measures the same shapes, up to a limit on the clock.
class Budget {
public:
    Budget(const Stopwatch& clock, double seconds, double patience) : clock_(clock), seconds_(seconds), patience_(patience), start_(threadCpuSeconds()), wallStart_(monotonicSeconds()) {}
    void nextGroup(double endsAt) { share_ = endsAt; }  // a fraction of the whole span
    bool allows(double expected) const {
        const double until = share_ * seconds_;
        return threadCpuSeconds() - start_ + expected < until && monotonicSeconds() - wallStart_ + expected < patience_ * until;
    }

    struct Two {
        double first = 0, second = 0;
        double sum() const { return first + second; }
    };
    // The best of some passes of a piece of work in two parts: a pass of a quick thing is several calls, and all others only
    // ever slow it down. The first pass warms up; when it takes long it counts, and one more is enough.
    template <class First, class Second>
    Two best(const First& first, const Second& second, int passes) const {
        const auto pass = [&](int calls) {
            Two out;
            for (int i = 0; i < calls; ++i) {
                const auto start = Stopwatch::now();
                auto value = first();
                const auto middle = Stopwatch::now();
                second(value);
                const auto end = Stopwatch::now();
                out.first += clock_.between(start, middle) / calls;
                out.second += clock_.between(middle, end) / calls;
            }
            return out;
        };
        const Two warm = pass(1);
        const bool longOne = warm.sum() > 0.004;
        const int calls = warm.sum() < 100e-6 ? static_cast<int>(std::min(40.0, 200e-6 / std::max(warm.sum(), 1e-6))) + 1 : 1;
        Two least = longOne ? warm : Two{1e30, 1e30};
        for (int i = 0; i < (longOne ? 1 : passes); ++i) {
            if (i > 0 && !allows(warm.sum())) break;
            const Two now = pass(calls);
            least = {std::min(least.first, now.first), std::min(least.second, now.second)};
        }
        return least;
    }
    template <class Work>
    double best(const Work& work, int passes = 3) const {
        return best([&] { work(); return 0; }, [](int) {}, passes).first;
    }

private:
    const Stopwatch& clock_;
    double seconds_, patience_, start_, wallStart_, share_ = 1;
};

}  // namespace assay::train::calibrate
