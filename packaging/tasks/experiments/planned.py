"""What `assay plan` had said of the runs, beside what they took. Pure."""
import statistics

import figures

PEAK = "system/tensor_bytes_peak"
STEP = "train/step_seconds"


def planned(plan) -> dict:
    """Of a run's plan, by the name of the set-up: peak bytes and step seconds of a train stage."""
    out = {}
    for stage in (plan or {}).get("stages", []):
        if stage.get("kind") == "train" and stage.get("step_seconds"):
            out[stage["name"].rsplit("/seed-", 1)[0].split("/", 1)[-1]] = (stage["memory"]["peak_bytes"], stage["step_seconds"])
    return out


def lines(all_measured: list) -> list:
    rows, errors = [], ([], [])
    for measured in all_measured:
        foretold = planned(measured.plan)
        for setup in measured.setups():
            variant = measured.variant(setup)
            peak, step = measured.mean(setup, PEAK), measured.mean(setup, STEP)
            if variant not in foretold or not peak or not step:
                continue
            error = (foretold[variant][0] / peak - 1, foretold[variant][1] / step - 1)
            for kept, one in zip(errors, error):
                kept.append(abs(one))
            cells = [measured.name, variant, figures.bytes_text(foretold[variant][0]), figures.bytes_text(peak), figures.percent(error[0]),
                     figures.milliseconds(foretold[variant][1] * 1e3), figures.milliseconds(step * 1e3), figures.percent(error[1])]
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    if not rows:
        return []
    said = [f"{what}: median error {100 * statistics.median(kept):.1f} %, largest {100 * max(kept):.1f} %" for what, kept in zip(("Peak of tensor bytes", "step"), errors)]
    return ["### What the plan had said", "", "`assay plan` before the first run, from one calibration of this machine; the step of a shape that the store has seen is that of the earlier run.",
            f"{'; '.join(said)}.", "", "| Experiment | Set-up | Peak, planned | measured | error | Step, planned | measured | error |", "|---|---|---:|---:|---:|---:|---:|---:|", *rows, ""]
