#!/usr/bin/env python3
"""The commands that start no worker: documents, exit codes, where global options stand, wrong use, unreachable engines.

Usage: commands_test.py BIN_DIR
"""
import json
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import shapes  # noqa: E402
from harness import Assay, Failure, check, equal, tiny_spec, tiny_text  # noqa: E402


def fits(document, shape, what):
    wrong = shapes.mismatches(document, shape)
    check(not wrong, f"{what}: {wrong[:5]} in {json.dumps(document)[:1500]}")
    return document


def error(assay, *arguments, exit_code, code=None):
    document = fits(assay.call(*arguments, expect=exit_code), shapes.ERROR, f"error of {arguments}")
    if code:
        equal(document["error"]["code"], code, f"code of {arguments}")
    return document["error"]


def in_the_command_itself(assay):
    text, spec = assay.root / "text.txt", assay.root / "tiny.yaml"
    tiny_text(text)
    tiny_spec(spec, text)
    doctor = fits(assay.call("doctor"), shapes.DOCTOR, "doctor")
    equal(doctor["store"], str(assay.store), "store of doctor")
    pages = int(next(line.split()[1] for line in open("/proc/meminfo") if line.startswith("MemTotal")))
    check(0.9 < doctor["memory_bytes"] / (pages * 1024) < 1.2, f"memory_bytes {doctor['memory_bytes']} against {pages} kB")

    checked = fits(assay.call("check", spec), shapes.CHECK, "check")
    check(checked["ok"] and not checked["problems"] and checked["resolved"]["train"]["steps"] == 60, f"check: {checked}")
    equal(assay.call("check", spec, "--set", "train.steps=7")["resolved"]["train"]["steps"], 7, "steps after --set")
    bad = assay.root / "bad.yaml"
    bad.write_text(spec.read_text().replace("  steps: 60", "  stepps: 60"))
    wrong = fits(assay.call("check", bad, expect=2), shapes.CHECK, "check of a wrong file")
    check(not wrong["ok"] and wrong["resolved"] is None, f"{wrong}")
    line = 1 + bad.read_text().split("\n").index("  stepps: 60")
    check((line, 3) in [(p["line"], p["column"]) for p in wrong["problems"]], f"the unknown key at {line}:3: {wrong['problems']}")
    error(assay, "check", assay.root / "nowhere.yaml", exit_code=3, code="not_found")

    plan = fits(assay.call("plan", spec), shapes.PLAN, "plan")
    memory = plan["memory"]
    equal(sum(memory[k] for k in shapes.MEMORY if k != "peak_bytes"), memory["peak_bytes"], "the parts of the planned memory")
    equal(memory["optimizer_bytes"], 2 * memory["weights_bytes"], "two moments a weight")
    there = fits(assay.call("plan", spec, "--hardware", "h100-sxm"), shapes.PLAN, "plan elsewhere")
    equal((there["hardware"], there["fits"]), ("h100-sxm", "fits"), "the hardware asked for")
    error(assay, "plan", spec, "--hardware", "abacus", exit_code=3, code="not_found")

    sentence = "the king went up to the città 日本 🙂"
    raw = sentence.encode()
    ids = fits(assay.call("tokenize", "--tokenizer", "bytes", "--text", sentence), shapes.IDS, "tokenize")["ids"]
    equal(len(ids), len(raw), "ids of the byte tokenizer")
    full = fits(assay.call("tokenize", "--tokenizer", "bytes", "--text", sentence, "--offsets"), shapes.OFFSETS, "tokenize --offsets")
    equal(full["offsets"], [[i, i + 1] for i in range(len(raw))], "offsets of the byte tokenizer")
    equal(len(full["tokens"]), len(raw), "tokens")
    equal(assay.call("detokenize", "--tokenizer", "bytes", "--ids", ",".join(map(str, ids))), {"text": sentence}, "detokenize")
    process = assay.start("tokenize", "--tokenizer", "bytes", "--file", text, "--lines")
    out, _ = process.communicate(timeout=60)
    lines = text.read_bytes().split(b"\n")[:-1]
    equal([len(json.loads(one)["ids"]) for one in out.splitlines()], [len(one) for one in lines], "ids per line")

    chat = assay.root / "chat.json"
    chat.write_text(json.dumps([{"role": "user", "content": "è"}, {"role": "assistant", "content": "Yo"}]))
    rendered = fits(assay.call("chat", "render", "--tokenizer", "bytes", "--messages", chat, "--template", "chatml"), shapes.CHAT, "chat render")
    before, answer = "<|im_start|>user\nè<|im_end|>\n<|im_start|>assistant\n", "Yo<|im_end|>"
    equal(rendered["text"], before + answer + "\n", "text of a chat")
    equal(rendered["ids"], list(rendered["text"].encode()), "ids of a chat")
    equal(rendered["loss_mask"], [0] * len(before.encode()) + [1] * len(answer) + [0], "loss mask of a chat")
    chat.write_text(json.dumps({"messages": [{"role": "user", "content": "Q"}], "custom": 1}))
    prompt = assay.call("chat", "render", "--tokenizer", "bytes", "--messages", chat, "--template", "chatml", "--generation-prompt")
    equal(prompt["text"], "<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\n", "a chat's prompt")
    error(assay, "chat", "render", "--tokenizer", "bytes", "--messages", chat, exit_code=3, code="not_found")
    chat.write_text('{"messages": [{"content": "x"}]}')
    error(assay, "chat", "render", "--tokenizer", "bytes", "--messages", chat, "--template", "chatml", exit_code=2, code="invalid_file")

    rows = assay.root / "rows.jsonl"
    rows.write_text('{"text": "one"}\n{"text": "two"}\n{"text": "thr\n{"text": "four"}\n')
    report = fits(assay.call("data", "inspect", rows), shapes.INSPECT, "data inspect")
    equal((report["format"], report["usable"]), ("jsonl", 3), "data inspect")
    check(any(p["line"] == 3 for p in report["problems"]), f"the broken line 3: {report['problems']}")
    error(assay, "data", "inspect", assay.root / "none.jsonl", exit_code=3)
    snapshot = assay.root / "huggingface/hub/datasets--owner--verses/snapshots/0123abc"
    snapshot.mkdir(parents=True)
    (snapshot / "train.jsonl").write_bytes(rows.read_bytes())
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_DATASETS_CACHE"):
        assay.environment.pop(name, None)
    assay.environment["HF_HOME"] = str(assay.root / "huggingface")
    found = fits(assay.call("data", "list"), shapes.DATASETS, "data list")["datasets"]
    del assay.environment["HF_HOME"]
    equal([(one["name"], one["split"], one["path"]) for one in found], [("owner/verses", "train", str(snapshot / "train.jsonl"))], "data list")
    error(assay, "data", "export", assay.root, "--to", "hf", "--out", assay.root / "hf", exit_code=3)
    check(not (assay.store / "engine.json").exists(), "a command that runs by itself started an engine")


def wrong_use(assay):
    for arguments in ([], ["frobnicate"], ["run"], ["runs"], ["runs", "show"], ["runs", "metrics"], ["tokenize"],
                      ["tokenize", "--tokenizer", "bytes"], ["detokenize", "--tokenizer", "bytes", "--ids", "x"],
                      ["eval", "m"], ["generate", "m", "--prompt", "x"], ["quantize", "m"], ["bench"], ["compare"],
                      ["report", "x"], ["attach"], ["attach", "ssh://-oProxyCommand=x"], ["engine"],
                      ["--engine", "http://127.0.0.1:1", "runs", "list"]):
        error(assay, *arguments, exit_code=2, code="bad_usage")
    for arguments in (["tokenize", "--tokenizer", assay.root / "none", "--text", "x"],
                      ["generate", assay.root / "none.gguf", "--prompt", "x", "--max-tokens", "1"]):
        error(assay, *arguments, exit_code=3, code="not_found")
    plain = subprocess.run([str(assay.bin / "assay"), "frobnicate"], capture_output=True, text=True, timeout=60, check=False)
    equal((plain.returncode, plain.stdout), (2, ""), "wrong use without --json")
    check(plain.stderr.startswith("assay: error: "), plain.stderr)


def engines(assay):
    equal(fits(assay.call("engine", "status"), shapes.ENGINE, "engine status")["state"], "stopped", "state before the start")
    started = fits(assay.call("engine", "start"), shapes.ENGINE, "engine start")
    equal((started["state"], started["store"]), ("running", str(assay.store)), "engine start")
    equal(started["pid"], assay.engine_pid(), "pid")
    equal(stat.S_IMODE((assay.store / "engine.json").stat().st_mode), 0o600, "mode of engine.json")
    equal(assay.call("engine", "start")["pid"], started["pid"], "pid after a second start")
    token = assay.call("engine", "token")["token"]
    equal(json.loads((assay.store / "engine.json").read_text())["token"], token, "token")

    # By address: from another store, with the token and without.
    elsewhere = ["--store", str(assay.root / "elsewhere"), "--engine", started["url"]]
    os.environ.pop("ASSAY_TOKEN", None)
    error(assay, *elsewhere, "runs", "list", exit_code=4, code="unauthorized")
    assay.environment["ASSAY_TOKEN"] = "0" * 64
    refused = error(assay, *elsewhere, "runs", "list", exit_code=4, code="unauthorized")
    check("0" * 64 not in json.dumps(refused), "the token is in the error")
    assay.environment["ASSAY_TOKEN"] = token
    equal(fits(assay.call(*elsewhere, "runs", "list"), shapes.RUNS, "runs list")["runs"], [], "runs of a new store")
    del assay.environment["ASSAY_TOKEN"]

    for command in (["runs", "show"], ["runs", "stop"], ["runs", "resume"], ["runs", "fork"], ["runs", "rm"], ["runs", "log"], ["runs", "verify-resume"],
                    ["compare"]):
        error(assay, *command, "0000000000000", exit_code=3, code="not_found")
    error(assay, "runs", "metrics", "0000000000000", "train/loss", exit_code=3, code="not_found")
    error(assay, "runs", "list", "--where", "lr <", exit_code=2)

    equal(fits(assay.call("engine", "stop"), shapes.ENGINE, "engine stop")["state"], "stopped", "state after the stop")
    check(not assay.pids("assay-engine"), "the engine is still there after `engine stop`")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    gone = error(assay, "--engine", f"ws://127.0.0.1:{port}", "runs", "list", exit_code=4, code="unreachable")
    check(str(port) in gone["message"], f"the address is not in {gone}")


def main(bin_dir):
    with Assay(bin_dir) as assay:
        for part in (in_the_command_itself, wrong_use, engines):
            part(assay)
            print(f"passed {part.__name__}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BIN_DIR")
    try:
        main(sys.argv[1])
    except Failure as failure:
        sys.exit(f"FAILED: {failure}")
