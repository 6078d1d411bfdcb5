#!/usr/bin/env python3
"""The peer of bench_train_step: the same weights, batches, AdamW and clipping in PyTorch. GPT-2 (cpu, gpu) is written out as one
would by hand; smol is transformers' Llama. Usage: train_step_peer.py FOLDER cpu|gpu|smol eager|compile STEPS THREADS
Prints {"ms", "cpu_ms", "losses", "peak_rss", "version"}."""
import json, pathlib, resource, sys, time
import torch, torch.nn as nn, torch.nn.functional as F
from safetensors.torch import load_file

folder, kind, mode, steps, threads = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
torch.set_num_threads(threads)
config = json.loads((folder / "config.json").read_text())
plan = json.loads((folder / "starts.json").read_text())
data, columns = torch.frombuffer(bytearray((folder / "text.bin").read_bytes()), dtype=torch.uint8).long(), plan["columns"]
version = "PyTorch " + torch.__version__.split("+")[0]


class Block(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.heads, self.hidden = heads, hidden
        self.ln_1, self.ln_2 = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.qkv, self.out = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)
        self.up, self.down = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)

    def forward(self, x):
        b, t, hidden = x.shape
        q, k, v = (z.view(b, t, self.heads, hidden // self.heads).transpose(1, 2) for z in self.qkv(self.ln_1(x)).split(self.hidden, 2))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, hidden))
        return x + self.down(F.gelu(self.up(self.ln_2(x)), approximate="tanh"))


class Gpt(nn.Module):
    def __init__(self, weights):
        super().__init__()
        hidden = config["n_embd"]
        self.wte, self.wpe = nn.Embedding(128, hidden), nn.Embedding(config["n_positions"], hidden)
        self.blocks, self.ln_f = nn.ModuleList(Block(hidden, config["n_head"]) for _ in range(config["n_layer"])), nn.LayerNorm(hidden)
        own = dict(self.named_parameters())
        names = {"attn.c_attn": "qkv", "attn.c_proj": "out", "mlp.c_fc": "up", "mlp.c_proj": "down"}
        with torch.no_grad():
            for name, value in weights.items():
                short = name.removeprefix("transformer.").replace("h.", "blocks.", 1) if ".h." in name else name.removeprefix("transformer.")
                for old, new in names.items():
                    short = short.replace(old, new)
                linear = any(f".{n}.weight" in short for n in names.values())
                own[short].copy_(value.t() if linear else value)

    def forward(self, ids, labels):
        x = self.wte(ids) + self.wpe.weight[: ids.shape[1]]
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(F.linear(self.ln_f(x), self.wte.weight).flatten(0, 1), labels.flatten())


if kind == "smol":
    import transformers

    version += ", transformers " + transformers.__version__
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="sdpa")
    model.config.use_cache = False
    model.train()
    run = lambda ids, labels: model(input_ids=ids, labels=labels, shift_labels=labels).loss
else:
    model = Gpt(load_file(folder / "model.safetensors"))
    run = torch.compile(model) if mode == "compile" else model
# Decay where Assay has it: on matrices, not on norms, biases and vectors.
matrices, vectors = [p for p in model.parameters() if p.dim() == 2], [p for p in model.parameters() if p.dim() < 2]
optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}], lr=1e-3 if kind != "smol" else 1e-4, betas=(0.9, 0.99), fused=True)
ms, cpu_ms, losses = [], [], []
for at in plan["starts"][:steps]:
    start, cpu = time.perf_counter(), time.process_time()
    ids = torch.stack([data[i:i + columns] for i in at])
    labels = torch.stack([data[i + 1:i + columns + 1] for i in at])
    optimizer.zero_grad(set_to_none=True)
    loss = run(ids, labels)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    losses.append(loss.item())
    ms.append((time.perf_counter() - start) * 1e3)
    cpu_ms.append((time.process_time() - cpu) * 1e3)
print(json.dumps({"ms": ms, "cpu_ms": cpu_ms, "losses": losses, "peak_rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, "version": version}))
