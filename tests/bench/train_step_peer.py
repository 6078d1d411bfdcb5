#!/usr/bin/env python3
"""The peer of bench_train_step: the same GPT-2 (biases, tanh GELU, tied head) in eager PyTorch, same shapes, text, optimizer
and clipping. Usage: train_step_peer.py cpu|gpu STEPS THREADS [TEXT]; prints {"ms", "first_loss", "last_loss"}."""
import json, math, random, sys, time
import torch, torch.nn as nn, torch.nn.functional as F

kind, steps, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
layers, heads, hidden, context, batch = (6, 6, 384, 256, 12) if kind == "gpu" else (4, 4, 128, 64, 12)
torch.set_num_threads(threads)
torch.manual_seed(1337)
text = open(sys.argv[4], "rb").read() if len(sys.argv) > 4 else random.Random(1).randbytes(1 << 20)
data = torch.frombuffer(bytearray(text), dtype=torch.uint8).bitwise_and(127).long()


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.qkv, self.out = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)
        self.up, self.down = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (z.view(b, t, heads, hidden // heads).transpose(1, 2) for z in self.qkv(self.norm1(x)).split(hidden, 2))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, hidden))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(128, hidden), nn.Embedding(context, hidden)
        self.blocks, self.norm = nn.ModuleList(Block() for _ in range(layers)), nn.LayerNorm(hidden)
        for name, p in self.named_parameters():
            if p.dim() == 2:
                nn.init.normal_(p, 0.0, 0.02 / math.sqrt(2 * layers) if name.endswith(("out.weight", "down.weight")) else 0.02)
            elif name.endswith("bias"):
                nn.init.zeros_(p)

    def forward(self, ids, labels):
        x = self.tokens(ids) + self.positions.weight[: ids.shape[1]]
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(F.linear(self.norm(x), self.tokens.weight).flatten(0, 1), labels.flatten())


model = Gpt()
optimizer = torch.optim.AdamW([{"params": [p for p in model.parameters() if p.dim() == 2], "weight_decay": 0.1},
                               {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0}],
                              lr=1e-3, betas=(0.9, 0.99), fused=True)
generator = torch.Generator().manual_seed(1337)
ms, losses = [], []
for _ in range(steps):
    start = time.perf_counter()
    at = torch.randint(len(data) - context - 1, (batch,), generator=generator).tolist()
    ids = torch.stack([data[i:i + context] for i in at])
    labels = torch.stack([data[i + 1:i + context + 1] for i in at])
    optimizer.zero_grad(set_to_none=True)
    loss = model(ids, labels)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    losses.append(loss.item())
    ms.append((time.perf_counter() - start) * 1e3)
print(json.dumps({"ms": ms, "first_loss": losses[0], "last_loss": losses[-1]}))
