#!/usr/bin/env python3
"""The peer of bench_train_step: the same weights, batches, AdamW and clipping in PyTorch. GPT-2 (cpu, gpu) is written out as one
would by hand; smol is transformers' Llama. Usage: train_step_peer.py FOLDER cpu|gpu|smol eager|compile STEPS THREADS
Prints {"ms", "cpu_ms", "losses", "peak_rss", "version"}."""
import json, pathlib, resource, sys, time
import torch
from safetensors.torch import load_file

sys.path.append(str(pathlib.Path(__file__).parent))  # last: a file there has the name of a module of the standard library
from gpt_peer import Gpt, adamw  # noqa: E402

folder, kind, mode, steps, threads = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
torch.set_num_threads(threads)
config = json.loads((folder / "config.json").read_text())
plan = json.loads((folder / "starts.json").read_text())
data, columns = torch.frombuffer(bytearray((folder / "text.bin").read_bytes()), dtype=torch.uint8).long(), plan["columns"]
version = "PyTorch " + torch.__version__.split("+")[0]


def gpt(weights):
    model = Gpt(config["n_layer"], config["n_head"], config["n_embd"], config["n_positions"], 128)
    own = dict(model.named_parameters())
    names = {"attn.c_attn": "qkv", "attn.c_proj": "out", "mlp.c_fc": "up", "mlp.c_proj": "down"}
    with torch.no_grad():
        for name, value in weights.items():
            short = name.removeprefix("transformer.").replace("h.", "blocks.", 1) if ".h." in name else name.removeprefix("transformer.")
            for old, new in names.items():
                short = short.replace(old, new)
            linear = any(f".{n}.weight" in short for n in names.values())
            own[short].copy_(value.t() if linear else value)
    return model


if kind == "smol":
    import transformers

    version += ", transformers " + transformers.__version__
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="sdpa")
    model.config.use_cache = False
    model.train()
    run = lambda ids, labels: model(input_ids=ids, labels=labels, shift_labels=labels).loss
else:
    model = gpt(load_file(folder / "model.safetensors"))
    run = torch.compile(model) if mode == "compile" else model
optimizer = adamw(model, 1e-3 if kind != "smol" else 1e-4)
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
