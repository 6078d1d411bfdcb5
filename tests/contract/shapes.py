"""The result documents of CONTRACT.md's command table, as shapes, and a checker that knows their types and units.

A shape is a type name, a list with one shape (an array of it), a dict (an object with at least these keys; a key that ends
with "?" may be absent, the key "*" is every other key), or a tuple of alternatives.
"""
import math
import re

SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}  # how non-finite numbers are written


def number(value):
    return (isinstance(value, (int, float)) and not isinstance(value, bool)) or (isinstance(value, str) and value in SPECIAL)


def count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


TYPES = {
    "text": lambda v: isinstance(v, str),
    "word": lambda v: isinstance(v, str) and v != "",
    "bool": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "any": lambda v: True,
    "count": count,
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": number,
    "positive": lambda v: number(v) and not isinstance(v, str) and v > 0,
    "notnegative": lambda v: number(v) and not isinstance(v, str) and v >= 0,
    "fraction": lambda v: number(v) and not isinstance(v, str) and 0 <= v <= 1,
    "number?": lambda v: v is None or number(v),
    "notnegative?": lambda v: v is None or (number(v) and not isinstance(v, str) and v >= 0),
    "fraction?": lambda v: v is None or (number(v) and not isinstance(v, str) and 0 <= v <= 1),
    "count?": lambda v: v is None or count(v),
    "text?": lambda v: v is None or isinstance(v, str),
    "run": lambda v: isinstance(v, str) and re.fullmatch("[0-9a-hjkmnp-tv-z]{13}", v) is not None,
    "sha256": lambda v: isinstance(v, str) and re.fullmatch("[0-9a-f]{64}", v) is not None,
    "status": lambda v: v in ("queued", "starting", "running", "stopping", "done", "failed", "cancelled", "interrupted"),
    "url": lambda v: isinstance(v, str) and v.startswith(("ws://", "wss://")),
    "object": lambda v: isinstance(v, dict),
    "list": lambda v: isinstance(v, list),
}


def mismatches(value, shape, where="$"):
    """What is wrong with `value`, as sentences; empty when it fits."""
    if isinstance(shape, str):
        return [] if TYPES[shape](value) else [f"{where}: {value!r} is not of type {shape}"]
    if isinstance(shape, tuple):
        tries = [mismatches(value, one, where) for one in shape]
        return [] if any(not wrong for wrong in tries) else min(tries, key=len)
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{where}: {value!r} is not an array"]
        return [text for i, item in enumerate(value) for text in mismatches(item, shape[0], f"{where}[{i}]")]
    if not isinstance(value, dict):
        return [f"{where}: {value!r} is not an object"]
    wrong = []
    for key, inner in shape.items():
        name = key.rstrip("?")
        if key == "*":
            for other in value.keys() - {k.rstrip("?") for k in shape}:
                wrong += mismatches(value[other], inner, f"{where}.{other}")
        elif name in value:
            wrong += mismatches(value[name], inner, f"{where}.{name}")
        elif not key.endswith("?"):
            wrong.append(f"{where}.{name} is missing")
    return wrong


ERROR = {"error": {"code": "word", "message": "word", "hint": "text", "context": ["text"]}}
DOCTOR = {
    "cpu": {"model": "word", "features": ["word"], "cores": "positive"}, "memory_bytes": "positive",
    "memory_gb_per_s": "positive", "gpus": "list", "libtorch": "text?", "store": "word",
    "missing": [{"what": "word", "how": "word"}],
}
CHECK = {"ok": "bool", "problems": [{"line": "count", "column": "count", "key": "text", "message": "word", "hint": "text"}],
         "resolved": ("object", "null")}
IDS = {"ids": ["count"]}
CHAT = {"text": "text", "ids": ["count"], "loss_mask": ["count"], "warnings": ["text"]}
OFFSETS = {"ids": ["count"], "offsets": [["count"]], "tokens": ["text"]}
INSPECT = {"format": "word", "rows": "count", "usable": "count", "columns": "list",
           "problems": [{"row": "count?", "line": "count?", "reason": "word", "count": "positive", "hint": "text"}]}
PREPARE = {"documents": "positive", "tokens": "positive", "loss_tokens": "positive", "dropped": {"*": "count"},
           "padding_fraction": "fraction", "seconds": "notnegative", "mb_per_s": "notnegative", "cache": "word", "path": "word"}
EXPORT = {"path": "word", "rows": "positive", "splits": {"*": "positive"}, "tokens": "positive", "bytes": "positive", "files": ["word"],
          "warnings": ["word"]}
DATASETS = {"folders": ["word"], "datasets": [{"name": "word", "revision": "text?", "config": "text?", "split": "text?", "source": "word",
                                               "format": "text?", "files": "count", "bytes": "count", "path": "text?", "error": "text?"}],
            "cut": "bool"}
RUN = {"run": "run", "status": "status", "children": ["run"], "summary": {"*": ("number", "text", "null")}}
ROW = {"id": "run", "name": "text", "kind": "word", "status": "status", "reason": "text?", "parent": ("run", "null"),
       "created_at": "word", "summary": "object"}
RUNS = {"runs": [ROW]}
VERIFY = {"steps": "positive", "equal": "bool", "first_difference": ("object", "null"), "run": "run", "from_step": "count", "to_step": "positive",
          "compared_numbers": "count", "compared_tensors": "count", "warnings": ["word"]}
METRICS = {"name": "word", "points": [["number"]], "sampled": "bool"}
EVAL = {"tokens": "positive", "nll": "positive", "perplexity": "positive", "perplexity_se": "notnegative",
        "bits_per_byte": "positive", "mode": "word", "window": "positive"}
EVAL_BASE = {**EVAL, "kl_divergence": {"mean": "number", "se": "number", "median": "number", "p99": "number?", "p999": "number?",
                                      "max": "number"},  # a percentile of too few tokens is not measured
             "same_top1": "fraction", "perplexity_ratio": "positive", "perplexity_ratio_se": "notnegative"}
GENERATE = {"prompt_ids": ["count"], "ids": ["count"], "text": "text", "top": [["number"]], "stop_reason": "word", "top_texts?": ["text"], "first_token_seconds?": "notnegative", "seconds?": "notnegative"}
QUANTIZE = {"path": "word", "bytes": "positive", "bits_per_weight": "positive", "seconds": "notnegative",
            "layers": [{"name": "word", "scheme": "word", "relative_error": "notnegative"}]}
BENCH = [{"scheme": "word", "batch": "positive", "prefill": "positive", "decode": "count", "depth": "count",
          "threads": "positive", "prefill_tokens_per_s": "positive", "decode_tokens_per_s": "positive",
          "ttft_ms": "positive", "tpot_ms": "positive", "weight_bytes": "positive", "resident_weight_bytes": "positive",
          "peak_bytes": "positive", "repeats": ["object"]}]
COMPARE = {
    "baseline": "word", "x": "word", "y": "word",
    "setups": [{
        "id": "word", "name": "word", "runs": ["run"],
        "cost": {"usd_per_run": "notnegative?", "usd_per_1m_output_tokens": "notnegative?"},
        "accuracy": {k: "number?" for k in ("perplexity", "perplexity_se", "perplexity_ratio", "perplexity_ratio_se",
                                            "bits_per_byte")},
        "speed": {k: "notnegative?" for k in ("prefill_tokens_per_s", "decode_tokens_per_s", "train_tokens_per_s")},
        "bytes": {"weights": "notnegative?", "peak": "notnegative?"},
        "config_diff": {"*": "list"}, "on_frontier": "bool"}],
    "warnings": ["word"], "cheapest_meeting_target": "text?",
}
REPORT = {"path": "word", "sha256": "sha256"}
ENGINE = {"state": "word", "url": ("url", "null"), "pid": "count?", "version": "text?", "store": "word", "runs_active": "count"}

MEMORY = {"weights_bytes": "count", "gradients_bytes": "count", "optimizer_bytes": "count", "activations_bytes": "count", "other_bytes": "count", "peak_bytes": "count"}
PLAN = {"memory": MEMORY, "step_seconds": "notnegative?", "total_seconds": "notnegative", "energy_joules": "notnegative?", "cost_usd": "notnegative?",
        "layout": "object", "assumptions": ["word"], "hardware": "word", "capacity_bytes": "count", "fits": "word",
        "warnings": [{"key": "word", "message": "word", "hint": "text", "blocks": "bool"}],
        "elsewhere": [{"hardware": "word", "total_seconds": "notnegative", "cost_usd": "notnegative?", "fits": "word"}]}
