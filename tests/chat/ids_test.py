#!/usr/bin/env python3
"""Conversations as ids: those of the tokenizers library for the same text, and the loss mask: for templates with generation
blocks the tokens that hold characters of the blocks, for others the letters of answers and of nothing else.
Tokenizers of several kinds, with the control tokens of the templates added to them.

ids_test.py BIN"""
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import jinja_reference  # noqa: E402
from conversations import ALL, TOKENS  # noqa: E402
from templates_test import NOW, PRIVATE, Ours, disguised, reference, templates  # noqa: E402
from tokenizers import AddedToken, Tokenizer  # noqa: E402

VOCAB = pathlib.Path(__file__).parent.parent / "golden" / "tokenizers" / "vocab"
CONTROL = ["<s>", "</s>", "<pad>", "<unk>", "<|im_start|>", "<|im_end|>", "<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|end|>", "<|user|>",
           "<|assistant|>", "<|system|>", "<|start|>", "<|message|>", "<|channel|>", "<|return|>", "<|call|>", "<start_of_turn>", "<end_of_turn>", "<｜User｜>", "<｜Assistant｜>",
           "<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|observation|>", "[gMASK]", "<sop>"]
FAMILIES = ["gpt2_type", "llama3_type", "qwen2_type", "llama2_type", "o200k_type", "metaspace_type"]
CHOSEN = ["trl/qwen3", "trl/qwen3_training", "trl/qwen2_5", "trl/llama3", "trl/llama3_training", "trl/gemma", "trl/gemma_training", "trl/phi3", "trl/phi3_training", "trl/gptoss_training",
          "trl/deepseekv3_training", "trl/glm4moe", "trl/glm4moe_training", "trl/cohere_training", "smollm2"]


def family(name: str, folder: str) -> tuple:
    tokenizer = Tokenizer.from_file(str(VOCAB / f"{name}.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.add_special_tokens([AddedToken(c, special=True, normalized=False, rstrip=c == "<|user|>" and name == "llama2_type") for c in CONTROL])
    path = os.path.join(folder, name, "tokenizer.json")
    os.makedirs(os.path.dirname(path))
    tokenizer.save(path)
    return tokenizer, path


def by_blocks(encoding, marked: str) -> list:
    """The tokens from the first that holds a character of a block to the last. (transformers takes only the first token of a
    block's last character.)"""
    mask, at, begin, stretches = [0] * len(encoding.ids), 0, None, []
    for c in marked:
        if c == jinja_reference.BEGIN:
            begin = at
        elif c == jinja_reference.END:
            if begin is not None and at > begin:
                stretches.append((begin, at))
            begin = None
        else:
            at += 1
    for begin, end in stretches:
        held = [i for i, (first, last) in enumerate(encoding.offsets) if first < end and last > begin]
        if held:
            mask[held[0]:held[-1] + 1] = [1] * (held[-1] + 1 - held[0])
    return mask


def main() -> int:
    env, ours, faults = jinja_reference.environment(NOW), Ours(sys.argv[1]), []
    counts = {"texts": 0, "ids": 0, "masks of blocks": 0, "masks of letters": 0, "control texts": 0}
    sources = templates()
    with tempfile.TemporaryDirectory() as folder:
        made = {name: family(name, folder) for name in FAMILIES}
        for name in CHOSEN:
            compiled = env.from_string(sources[name])
            blocks = "generation" in name or "{% generation" in sources[name] or "{%- generation" in sources[name]
            answer = ours.ask({"template": sources[name]})
            assert not answer, answer
            for kind, (tokenizer, path) in made.items():
                answer = ours.ask({"tokenizer": path})
                assert not answer, answer
                for case, more in ALL.items():
                    variables = {**TOKENS, "add_generation_prompt": False, **more}
                    text, _ = reference(compiled, variables)
                    if text is None or not variables["messages"]:
                        continue
                    label = f"{name}, {kind}, {case}"
                    got = ours.ask({"variables": variables, "now": NOW, "loss": "assistant"})
                    roles = [m["role"] for m in variables["messages"]]
                    if "error" in got:
                        if "writes nothing" not in got["error"]:
                            faults.append(f"{label}: {got['error']}")
                        continue
                    counts["texts"] += 1
                    if case == "control text":
                        # The ids say the same text, and the control tokens in them are as many as without the messages' ones.
                        counts["control texts"] += 1
                        special = {i for i, t in tokenizer.get_added_tokens_decoder().items() if t.special and t.content != "<unk>"}
                        tame = ours.ask({"variables": {**variables, "messages": [{**m, "content": "x"} for m in variables["messages"]]}, "now": NOW, "loss": "assistant"})
                        if sum(i in special for i in got["ids"]) != sum(i in special for i in tame["ids"]):
                            faults.append(f"{label}: control tokens come from messages")
                        continue
                    encoding = tokenizer.encode(text, add_special_tokens=False)
                    expected, shift = list(encoding.ids), 0
                    alone = tokenizer.encode("", add_special_tokens=True).ids
                    if alone and (not expected or expected[0] != alone[0]):
                        expected, shift = [alone[0]] + expected, 1
                    if got["ids"] != expected:
                        at = next((i for i, (a, b) in enumerate(zip(got["ids"], expected)) if a != b), min(len(got["ids"]), len(expected)))
                        faults.append(f"{label}: ids differ at {at}: {got['ids'][at - 2:at + 4]} {expected[at - 2:at + 4]} of {text!r}")
                        continue
                    counts["ids"] += len(expected)
                    mask = got["loss_mask"][shift:]
                    if blocks:
                        jinja_reference.Generation.marks = True
                        marked, _ = reference(compiled, variables)
                        jinja_reference.Generation.marks = False
                        if marked is None or marked.replace(jinja_reference.BEGIN, "").replace(jinja_reference.END, "") != text:
                            continue
                        wanted = by_blocks(encoding, marked)
                        if not any(wanted):
                            continue
                        counts["masks of blocks"] += 1
                        if mask != wanted:
                            faults.append(f"{label}: mask {''.join(map(str, mask))} is not {''.join(map(str, wanted))} of {encoding.tokens}")
                        continue
                    hidden, _ = reference(compiled, {**variables, "messages": disguised(variables["messages"])})
                    if hidden is None or len(hidden) != len(text):
                        continue
                    counts["masks of letters"] += 1
                    owner = [roles[ord(c) - PRIVATE] if 0 <= ord(c) - PRIVATE < len(roles) else None for c in hidden]
                    for i, (begin, end) in enumerate(encoding.offsets):
                        who = set(owner[begin:end]) - {None}
                        if who == {"assistant"} and not mask[i]:
                            faults.append(f"{label}: {text[begin:end]!r} of an answer is not learned")
                        if who and "assistant" not in who and mask[i]:
                            faults.append(f"{label}: {text[begin:end]!r} of {who} is learned")
    print(f"{len(CHOSEN)} templates, {len(FAMILIES)} tokenizers: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    for fault in faults[:40]:
        print(fault[:1500])
    enough = counts["texts"] > 1500 and counts["masks of blocks"] > 300 and counts["masks of letters"] > 300
    if not enough:
        print("too little was compared")
    return 0 if enough and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
