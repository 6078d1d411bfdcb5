#!/usr/bin/env python3
"""Prints the rows of train_step.sh. Usage: train_step_report.py cpu|gpu|smol PREFIX PEER..."""
import json, os, pathlib, statistics, sys

config, prefix, peers = sys.argv[1], sys.argv[2], sys.argv[3:]
TARGETS = {("cpu", "eager"): 0.75, ("cpu", "compile"): 0.90, ("gpu", "eager"): 0.90, ("gpu", "compile"): 0.90, ("smol", "eager"): 0.75}


def runs(name):
    return [json.loads(line) for line in pathlib.Path(f"{prefix}.{name}").read_text().splitlines()]


def step(run, key="ms"):  # without the first steps, which allocate or compile
    return statistics.median(run[key][1 if config == "smol" else 3:])


def spread(values, digits=1):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} - {max(values):.{digits}f})"


ours = runs("ours")
print(f"{config}: ours {spread([step(r) for r in ours])} ms a step, {len(ours)} runs; peak {statistics.median(r['peak_rss'] for r in ours) / 2**20:.0f} MiB resident, "
      f"{statistics.median(r['peak_bytes'] for r in ours) / 2**20:.0f} MiB of tensors; load {os.getloadavg()[0]:.1f}")
for peer in peers:
    theirs = runs(peer)
    pairs = list(zip(ours, theirs))
    print(f"  {theirs[0]['version']}, {peer}: {spread([step(r) for r in theirs])} ms; ratio {spread([step(a) / step(b) for a, b in pairs], 3)} "
          f"(target at most {TARGETS[config, peer]}), of processor time {spread([step(a, 'cpu_ms') / step(b, 'cpu_ms') for a, b in pairs], 3)}")
    memory = statistics.median(a["peak_rss"] / b["peak_rss"] for a, b in pairs)
    print(f"    peak {statistics.median(r['peak_rss'] for r in theirs) / 2**20:.0f} MiB resident, ratio {memory:.3f}" + (" (target at most 0.60)" if config == "smol" else ""))
long = os.path.exists(f"{prefix}.ours50")
a, b = (runs("ours50")[0], runs("eager50")[0]) if long else (ours[0], runs("eager")[0])
print(f"  losses: largest difference {max(abs(x - y) for x, y in zip(a['losses'][:50], b['losses'])):.2e} over {min(50, len(a['losses']))} steps (target below 1e-4)")
update = statistics.median(r["update_bytes"] / (statistics.median(r["update_ms"]) / 1e3) for r in ours)
copy = statistics.median(statistics.median(r["copy_bytes_per_second"]) for r in ours)
print(f"  AdamW alone: {update / 1e9:.1f} GB/s where a copy moves {copy / 1e9:.1f}; ratio {update / copy:.3f}" + (" (target at least 0.90)" if config == "smol" else " (in the cache)"))
