"""Runs the parts of tests/gpu/check and puts what they say into one JSON document.

Usage: check_report.py FOLDER_OF_PROGRAMS
"""
import json
import os
import subprocess
import sys
import tempfile
import time


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


def main() -> int:
    programs = sys.argv[1]
    plugin = os.path.join(programs, "libassay_cuda.so")
    report = {}
    code, text, seconds = run([os.path.join(programs, "assay_cuda_check"), plugin, "--run"], {})
    report["plugin"] = {"passed": code == 0, "seconds": seconds, "report": json.loads(text) if text.strip() else None}
    passed = code == 0
    if passed:  # without a working device the rest would only repeat it
        with tempfile.TemporaryDirectory() as folder:
            figures, results = os.path.join(folder, "figures.json"), os.path.join(folder, "tests.json")
            settings = {"ASSAY_TEST_DEVICE": "cuda", "ASSAY_CUDA_PLUGIN": plugin, "ASSAY_GPU_FIGURES": figures}
            code, text, seconds = run([os.path.join(programs, "test_gpu"), "--gtest_brief=1", "--gtest_filter=ShadowTraining.*:Gpu.*", "--gtest_output=json:" + results], settings)
            sys.stderr.write(text)
            report["training"] = {"passed": code == 0, "seconds": seconds, "tests": tests_of(results)}
            passed = code == 0
            if os.path.exists(figures):
                with open(figures, encoding="utf-8") as file:
                    report["figures"] = json.load(file)
    report["passed"] = passed
    print(json.dumps(report, indent=2))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
