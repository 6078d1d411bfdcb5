#!/usr/bin/env python3
"""The commands that run workers, on a two-layer model trained for a few steps: every field, and figures that have to fit
together whatever the machine.

Usage: runs_test.py BIN_DIR
"""
import csv
import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import shapes  # noqa: E402
from commands_test import error, fits  # noqa: E402
from harness import Assay, Failure, check, equal, tiny_spec, tiny_text, wait_until  # noqa: E402

EXTRA = """quantize: {schemes: [fp16, int8], keep: []}
benchmark: {prefill: [16], decode: 8, batch: [1], depth: [0], repeats: 2}
accuracy: {perplexity: {window: 32, mode: full}, kl_divergence: true}
cost: {price: {usd_per_hour: 0.5}}
"""


def close(actual, expected, what, relative=1e-6):
    check(math.isclose(actual, expected, rel_tol=relative, abs_tol=1e-12), f"{what}: {actual} is not {expected}")


def prepared(assay, text, spec):
    tiny_text(text)
    tiny_spec(spec, text, steps=5, every=3, stages="[prepare, train, evaluate, quantize, benchmark]", extra=EXTRA)
    first = fits(assay.call("data", "prepare", spec), shapes.PREPARE, "data prepare")
    equal(first["cache"], "miss", "cache of a new store")
    out = assay.root / "prepared"
    second = assay.call("data", "prepare", spec, "--out", f"{out}/")  # a slash at the end changes nothing
    equal((second["cache"], second["path"]), ("hit", str(out)), "second data prepare")
    for key in ("documents", "tokens", "loss_tokens", "dropped"):
        equal(second[key], first[key], f"{key} of the second data prepare")
    check(any(out.iterdir()), "--out is empty")
    error(assay, "data", "prepare", spec, "--out", out, exit_code=2, code="bad_usage")
    for form in ("arrow", "parquet", "hf", "megatron", "nanogpt"):
        done = fits(assay.call("data", "export", out, "--to", form, "--out", assay.root / form), shapes.EXPORT, f"data export --to {form}")
        equal((done["path"], done["tokens"]), (str(assay.root / form), first["tokens"] + first["eval_tokens"]), f"data export --to {form}")
        check(all((assay.root / form / name).is_file() for name in done["files"]), f"files of the export to {form}: {done['files']}")
    error(assay, "data", "export", out, "--to", "abacus", "--out", assay.root / "abacus", exit_code=2, code="bad_usage")


def pipeline(assay, text, spec):
    done = fits(assay.call("run", spec), shapes.RUN, "run")
    equal((done["status"], len(done["children"])), ("done", 5), "run")
    rows = fits(assay.call("runs", "list"), shapes.RUNS, "runs list")["runs"]
    mine = {row["id"]: row for row in rows}
    check(set(done["children"]) <= set(mine), "children in runs list")
    for child in done["children"]:
        equal(mine[child]["parent"], done["run"], "parent of a stage")
    kinds = {mine[child]["kind"]: child for child in done["children"]}
    equal(set(kinds), {"prepare", "train", "evaluate", "quantize", "benchmark"}, "kinds of the stages")
    only = assay.call("runs", "list", "--where", "kind = train")["runs"]
    check(kinds["train"] in [row["id"] for row in only] and all(row["kind"] == "train" for row in only), f"--where: {only}")
    shown = fits(assay.call("runs", "show", done["run"]), shapes.ROW, "runs show")
    equal(shown["summary"], done["summary"], "summary of run and of runs show")
    train = kinds["train"]
    plan = fits(wait_until(lambda: assay.call("runs", "show", done["run"])["plan"], 60, "the plan kept with the run"), shapes.PLAN, "plan of runs show")
    part = assay.call("runs", "show", train)["plan"]
    stage = next(s for s in plan["stages"] if s["kind"] == "train")
    equal((part["memory"]["peak_bytes"], part["total_seconds"]), (stage["memory"]["peak_bytes"], stage["seconds"]), "part of the train stage in the plan")
    close(sum(assay.call("runs", "show", child)["plan"]["total_seconds"] for child in done["children"]), plan["total_seconds"], "the parts of the plan")
    log = fits(assay.call("runs", "log", train), {**shapes.ROW, "text": "text"}, "runs log")
    equal(log["id"], train, "run of the log")
    series = fits(assay.call("runs", "metrics", train, "train/loss"), shapes.METRICS, "runs metrics")
    equal([p[0] for p in series["points"]], [1, 2, 3, 4, 5], "steps of train/loss")
    check(all(len(p) == 4 for p in series["points"]) and not series["sampled"], f"points: {series}")
    for column, name in ((1, "seconds"), (2, "tokens")):
        values = [p[column] for p in series["points"]]
        equal(values, sorted(values), f"{name} of train/loss")
    # 5 steps of 4 sequences of 64 tokens at most.
    check(0 < series["points"][-1][2] <= 5 * 4 * 64, f"tokens after 5 steps: {series['points'][-1]}")
    error(assay, "runs", "metrics", train, "no/such", exit_code=3, code="not_found")
    again = fits(assay.call("runs", "verify-resume", done["run"]), shapes.VERIFY, "runs verify-resume")
    equal((again["run"], again["steps"], again["from_step"], again["equal"], again["first_difference"]), (train, 2, 3, True, None), "steps 4 and 5 done again")
    equal(assay.call("runs", "verify-resume", train, "--steps", 1)["steps"], 1, "steps of verify-resume --steps 1")
    error(assay, "runs", "verify-resume", kinds["evaluate"], exit_code=2, code="bad_usage")
    return done["run"], kinds


def jobs(assay, text, train):
    model = f"run:{train}"
    tokens = 300
    result = fits(assay.call("eval", model, "--text", text, "--max-tokens", tokens, "--window", 32), shapes.EVAL, "eval")
    equal((result["mode"], result["window"]), ("full", 32), "mode and window")
    # 300 ids in windows of 32: nine whole ones and one of 12; every token but the first of a window is scored.
    equal(result["tokens"], 9 * 31 + 11, "scored tokens")
    close(result["perplexity"], math.exp(result["nll"] / result["tokens"]), "perplexity from nll and tokens")
    # Of the bytes of the scored tokens, each of which is one byte here.
    close(result["bits_per_byte"], result["nll"] / math.log(2) / result["tokens"], "bits per byte of a byte tokenizer", 1e-5)
    half = assay.call("eval", model, "--text", text, "--max-tokens", tokens, "--window", 32, "--mode", "half")
    # Whole windows only, targets at positions 17 … 31.
    equal((half["mode"], half["tokens"]), ("half", 9 * 15), "half mode")
    same = fits(assay.call("eval", model, "--text", text, "--max-tokens", tokens, "--window", 32, "--base", model),
                shapes.EVAL_BASE, "eval --base")
    equal((same["perplexity_ratio"], same["same_top1"]), (1, 1), "a model against itself")
    close(same["kl_divergence"]["mean"], 0, "KL divergence of a model from itself")
    # P99 needs 459 values and P99.9 4603 (METRICS.md): 290 are too few for both, 5000 ids are enough.
    equal((same["kl_divergence"]["p99"], same["kl_divergence"]["p999"]), (None, None), "percentiles of 290 tokens")
    many = assay.call("eval", model, "--text", text, "--max-tokens", 5000, "--window", 64, "--base", model)["kl_divergence"]
    check(many["p99"] is not None and many["p999"] is not None, f"percentiles of 5000 ids: {many}")

    one = fits(assay.call("generate", model, "--prompt", "the king", "--max-tokens", 8, "--ignore-eos", "--top", 5),
               shapes.GENERATE, "generate")
    equal((len(one["prompt_ids"]), len(one["ids"]), len(one["top"])), (8, 8, 5), "generate")
    equal([p[1] for p in one["top"]], sorted((p[1] for p in one["top"]), reverse=True), "order of top")
    equal(one["ids"][0], one["top"][0][0], "greedy takes the largest logit")
    again = assay.call("generate", model, "--prompt", "the king", "--max-tokens", 8, "--ignore-eos")
    equal(again["ids"], one["ids"], "greedy ids of a second call")

    out = assay.root / "int8"
    packed = fits(assay.call("quantize", model, "--scheme", "int8", "--out", out), shapes.QUANTIZE, "quantize")
    equal(packed["path"], str(out), "path of quantize")
    check(packed["layers"] and (out / "config.json").exists(), f"quantize wrote {list(out.iterdir())}")
    rows = fits(assay.call("bench", model, "--scheme", "fp32", "--scheme", "int8", "--prefill", 16, "--decode", 8, "--batch", 1),
                shapes.BENCH, "bench")
    equal([row["scheme"] for row in rows], ["fp32", "int8"], "schemes of bench")
    for row in rows:
        close(row["resident_weight_bytes"], row["weight_bytes"], f"resident weights of {row['scheme']}", 0.02)
        equal((row["batch"], row["prefill"], row["decode"], row["depth"]), (1, 16, 8, 0), "shape of bench")
    check(rows[1]["weight_bytes"] < rows[0]["weight_bytes"], "int8 is not smaller than fp32")
    fits(assay.call("eval", out, "--text", text, "--max-tokens", tokens, "--window", 32), shapes.EVAL, "eval of a quantized folder")


def comparison(assay, run):
    both = fits(assay.call("compare", run), shapes.COMPARE, "compare")
    names = [setup["name"] for setup in both["setups"]]
    check({"fp32", "fp16", "int8"} <= {name.split(" ")[-1] for name in names}, f"set-ups: {names}")
    base = next(s for s in both["setups"] if s["id"] == both["baseline"])
    equal((base["accuracy"]["perplexity_ratio"], base["config_diff"]), (1, {}), "the baseline against itself")
    check(any(s["on_frontier"] for s in both["setups"]), "nothing is on the frontier")
    target = assay.call("compare", run, "--target", "perplexity_ratio<=1000")
    check(target["cheapest_meeting_target"] in [s["id"] for s in both["setups"]], f"target: {target['cheapest_meeting_target']}")
    error(assay, "compare", run, "--target", "nonsense", exit_code=2, code="bad_usage")
    error(assay, "compare", run, "--baseline", "nonsense", exit_code=3, code="not_found")
    files = {}
    for ending in ("html", "csv", "json"):
        path = assay.root / f"report.{ending}"
        written = fits(assay.call("report", run, "--out", path), shapes.REPORT, f"report {ending}")
        equal(written["path"], str(path), "path of the report")
        files[ending] = path.read_text()
    document = json.loads(files["json"])
    equal([s["id"] for s in document["setups"]], [s["id"] for s in both["setups"]], "set-ups of the JSON report")
    check("<svg" in files["html"] and "http-equiv=\"refresh\"" not in files["html"], "the HTML report has no chart")
    check(len(list(csv.reader(files["csv"].splitlines()))) > len(both["setups"]), "rows of the CSV report")
    pdf = assay.root / "report.pdf"
    if (assay.bin / "assay-studio").exists():  # it draws the PDF
        fits(assay.call("report", run, "--out", pdf), shapes.REPORT, "report pdf")
        check(pdf.read_bytes().startswith(b"%PDF-"), "the PDF report is none")
    else:
        error(assay, "report", run, "--out", pdf, exit_code=2, code="unsupported")


def control(assay, spec):
    fork = fits(assay.call("runs", "fork", assay.call("run", spec, "--set", "stages=[prepare, train]")["run"], "--set", "train.steps=6"),
                {**shapes.ROW, "run": "run"}, "runs fork")
    equal(fork["status"], "done", "status of the fork")
    queued = fits(assay.call("run", spec, "--detach", "--set", "stages=[prepare, train]", "--set", "train.steps=100000"), shapes.RUN, "run --detach")
    check(queued["status"] not in ("done", "failed"), f"run --detach waited: {queued}")
    stopped = fits(assay.call("runs", "stop", queued["run"]), shapes.ROW, "runs stop")
    equal(stopped["status"], "cancelled", "status after runs stop")
    resumed = fits(assay.call("runs", "resume", queued["run"], "--detach"), {**shapes.ROW, "resumed_from_step": "count?"}, "runs resume")
    check(resumed["status"] not in ("done", "cancelled"), f"runs resume: {resumed['status']}")
    discarded = assay.call("runs", "stop", queued["run"], "--discard")
    equal(discarded["status"], "cancelled", "status after runs stop --discard")
    fits(assay.call("runs", "rm", queued["run"]), shapes.ROW, "runs rm")
    error(assay, "runs", "show", queued["run"], exit_code=3, code="not_found")
    check(not assay.run_folder(queued["run"]).exists(), "the folder of a removed run is still there")


def main(bin_dir):
    with Assay(bin_dir) as assay:
        text, spec = assay.root / "text.txt", assay.root / "tiny.yaml"
        prepared(assay, text, spec)
        print("passed prepared", flush=True)
        run, kinds = pipeline(assay, text, spec)
        print("passed pipeline", flush=True)
        jobs(assay, text, kinds["train"])
        print("passed jobs", flush=True)
        comparison(assay, run)
        print("passed comparison", flush=True)
        control(assay, spec)
        print("passed control")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BIN_DIR")
    try:
        main(sys.argv[1])
    except Failure as failure:
        sys.exit(f"FAILED: {failure}")
