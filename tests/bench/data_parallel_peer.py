#!/usr/bin/env python3
"""The peer of data_parallel.py: one rank of PyTorch's DistributedDataParallel over Gloo, same GPT, shapes, optimizer and
clipping. Usage: data_parallel_peer.py STEPS VOCABULARY TEXT; rank 0 prints {"ms", "torch", "last_loss"}."""
import json, math, pathlib, sys, time
import torch, torch.nn as nn
import torch.distributed as dist

sys.path.append(str(pathlib.Path(__file__).parent))  # last: a file there has the name of a module of the standard library
from gpt_peer import Gpt, adamw  # noqa: E402

steps, vocabulary = int(sys.argv[1]), int(sys.argv[2])
layers, heads, hidden, context, batch = 6, 6, 384, 256, 12
torch.set_num_threads(1)
dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(1337)
data = torch.frombuffer(bytearray(open(sys.argv[3], "rb").read()), dtype=torch.uint8).long()

model = Gpt(layers, heads, hidden, context, vocabulary)
for name, p in model.named_parameters():
    if p.dim() == 2:
        nn.init.normal_(p, 0.0, 0.02 / math.sqrt(2 * layers) if name.endswith(("out.weight", "down.weight")) else 0.02)
    elif name.endswith("bias"):
        nn.init.zeros_(p)
parallel = nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)
optimizer = adamw(model, 1e-3)
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
