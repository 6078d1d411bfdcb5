"""Table of predicted ÷ measured from the lines of bench_plan_accuracy; exit code 1 when one is too far off."""
import json
import statistics
import sys


def main():
    step_limit, peak_limit = float(sys.argv[2]) / 100, float(sys.argv[3]) / 100
    steps, peaks, bad = [], [], 0
    for line in open(sys.argv[1], encoding="utf-8"):
        row = json.loads(line)
        if "spec" not in row:
            print("calibration %.1f s%s" % (row["calibration_seconds"], ", others were at work meanwhile" if row["disturbed"] else ""))
            continue
        step, peak = row["predicted"] / row["measured"], row["peak_predicted"] / row["peak_measured"]
        steps.append(step)
        peaks.append(peak)
        wrong = abs(step - 1) > step_limit or abs(peak - 1) > peak_limit
        bad += wrong
        parts = " ".join("%s %.1f" % (name, 1000 * seconds) for name, seconds in row["parts"].items())
        print("%s step %.2f of %8.1f ms, peak %+5.1f %%  %s (%s)" % ("!" if wrong else " ", step, 1000 * row["measured"], 100 * (peak - 1), row["spec"], parts))
    assert steps, "nothing was measured"
    for name, ratios in (("step", steps), ("peak", peaks)):
        errors = [abs(r - 1) for r in ratios]
        print("%s: predicted / measured median %.3f, median error %.1f %%, worst %.1f %%" % (name, statistics.median(ratios), 100 * statistics.median(errors), 100 * max(errors)))
    print("%d of %d set-ups are too far off" % (bad, len(steps)))
    return bad > 0


sys.exit(main())
