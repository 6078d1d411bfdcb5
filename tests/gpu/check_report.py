"""Runs the parts of tests/gpu/check and puts what they say into one JSON document; a table goes to stderr.

Usage: check_report.py FOLDER_OF_PROGRAMS [--dry-run]
"""
import json
import os
import subprocess
import sys
import tempfile
import time

from worker_check import run_all


def run(command, environment):
    """Exit status, stdout and seconds; stderr goes to the person's."""
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env={**os.environ, **environment})
    return done.returncode, done.stdout, round(time.monotonic() - start, 1)


def tests_of(path):
    """The outcome of every test by name, from googletest's report."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    outcome = {}
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            failures = [failure["failure"] for failure in test.get("failures", [])]
            outcome[suite["name"] + "." + test["name"]] = failures or ("skipped" if test.get("result") == "SKIPPED" else "passed")
    return outcome


def plugin_part(programs, plugin, dry):
    """The plugin loaded as the worker loads it, and its own steps on every GPU."""
    code, text, seconds = run([os.path.join(programs, "assay_cuda_check"), plugin] + ([] if dry else ["--run"]), {})
    report = json.loads(text) if text.strip() else {}
    part = {"passed": code == 0, "seconds": seconds, "report": report}
    if dry:
        part["left_out"] = "its own training steps, which need a GPU"
        part["passed"] = None if code else True
        if code:
            part["skipped"] = "it was not loaded: the CUDA libraries that a GPU needs are not here (packaging/dev deps --cuda-run)"
    return part


def training_part(programs, plugin, dry, folder):
    figures, results = os.path.join(folder, "figures.json"), os.path.join(folder, "tests.json")
    settings = {"ASSAY_CUDA_PLUGIN": plugin, "ASSAY_GPU_FIGURES": figures, "ASSAY_TEST_DEVICE": "shadow" if dry else "cuda"}
    code, text, seconds = run([os.path.join(programs, "test_gpu"), "--gtest_brief=1", "--gtest_filter=ShadowTraining.*:Gpu.*:Offload.*" + (":OffloadCounts.*:ShadowCounts.*" if dry else ""), "--gtest_output=json:" + results], settings)
    sys.stderr.write(text)
    part = {"passed": code == 0, "seconds": seconds, "tests": tests_of(results)}
    if os.path.exists(figures):
        with open(figures, encoding="utf-8") as file:
            part["figures"] = json.load(file)
    return part


def gigabytes(value):
    return "-" if value is None else f"{value / 1e9:.2f}"


def table(report):
    """What was measured and checked, for people."""
    lines = []
    for shape in report.get("training", {}).get("figures", []):
        lines.append(f"\n{shape['family']}, {shape['layers']} layers of {shape['hidden']}, {shape['parameters'] / 1e6:.1f}M parameters, {shape['rows']} x {shape['columns']} tokens a step")
        lines.append(f"{'':22}{'step ms':>10}{'tokens/s':>12}{'TFLOP/s':>9}{'MFU':>7}{'peak GB':>9}{'planned':>9}{'host GB':>9}")
        for way in shape["ways"]:
            if way is None:
                continue
            mfu = "-" if way["mfu"] is None else f"{100 * way['mfu']:.1f}%"
            lines.append(f"{way['way']:22}{way['step_ms']:10.2f}{way['tokens_per_s']:12.0f}{way['tflops']:9.2f}{mfu:>7}{gigabytes(way['peak_bytes']):>9}{gigabytes(way['planned_peak_bytes']):>9}{gigabytes(way['host_bytes']):>9}")
    lines.append("")
    rows = [("plugin", report["plugin"])] + [("worker: " + name, part) for name, part in report.get("worker", {}).items()]
    rows += [("test: " + name, {"passed": outcome == "passed", "why": outcome}) for name, outcome in report.get("training", {}).get("tests", {}).items()]
    for name, part in rows:
        word = {True: "passed", False: "FAILED", None: "skipped"}[part["passed"]]
        left_out = f"left out: {part['left_out']}" if "left_out" in part else ""
        reason = str(part.get("skipped", "")) if part["passed"] is None else left_out if part["passed"] else str(part.get("why", ""))
        lines.append(f"{word:8}{name}{': ' + reason if reason else ''}")
    return "\n".join(lines)


def main() -> int:
    programs, dry = sys.argv[1], "--dry-run" in sys.argv[2:]
    plugin = os.path.join(programs, "libassay_cuda.so")
    report = {"dry_run": dry, "plugin": plugin_part(programs, plugin, dry)}
    passed = report["plugin"]["passed"] is not False
    if passed:  # without a working device the rest would only repeat it
        with tempfile.TemporaryDirectory() as folder:
            report["training"] = training_part(programs, plugin, dry, folder)
        gpus = len(report["plugin"]["report"].get("devices", []))
        report["worker"] = run_all(programs, plugin, "cpu" if dry else "cuda", 2 if dry else gpus)
        passed = report["training"]["passed"] and all(part["passed"] is not False for part in report["worker"].values())
    report["passed"] = passed
    if dry:
        report["note"] = "nothing here was measured on a GPU: the worker computed on the CPU, the tests on the shadow device"
    print(json.dumps(report, indent=2))
    print(table(report), file=sys.stderr)
    if dry:
        print("\nDry run: " + report["note"], file=sys.stderr)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
