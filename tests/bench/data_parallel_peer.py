#!/usr/bin/env python3
"""The peer of data_parallel.py: one rank of PyTorch's DistributedDataParallel over Gloo, same GPT, shapes, optimizer and
clipping. Usage: data_parallel_peer.py STEPS VOCABULARY TEXT; rank 0 prints {"ms", "torch", "last_loss"}."""
import json, math, os, sys, time
import torch, torch.nn as nn, torch.nn.functional as F
import torch.distributed as dist

steps, vocabulary = int(sys.argv[1]), int(sys.argv[2])
layers, heads, hidden, context, batch = 6, 6, 384, 256, 12
torch.set_num_threads(1)
dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(1337)
data = torch.frombuffer(bytearray(open(sys.argv[3], "rb").read()), dtype=torch.uint8).long()


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
        self.tokens, self.positions = nn.Embedding(vocabulary, hidden), nn.Embedding(context, hidden)
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
parallel = nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)
optimizer = torch.optim.AdamW([{"params": [p for p in model.parameters() if p.dim() == 2], "weight_decay": 0.1},
                               {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0}],
                              lr=1e-3, betas=(0.9, 0.99), fused=True)
generator = torch.Generator().manual_seed(1337)
ms = []
for _ in range(steps):
    start = time.perf_counter()
    at = torch.randint(len(data) - context - 1, (batch,), generator=generator).tolist()[rank::world]
    ids = torch.stack([data[i:i + context] for i in at])
    labels = torch.stack([data[i + 1:i + context + 1] for i in at])
    optimizer.zero_grad(set_to_none=True)
    loss = parallel(ids, labels)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    last = loss.item()
    ms.append((time.perf_counter() - start) * 1e3)
if rank == 0:
    print(json.dumps({"ms": ms, "torch": torch.__version__, "last_loss": last}))
dist.destroy_process_group()
