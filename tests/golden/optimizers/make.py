#!/usr/bin/env python3
"""What torch.optim and torch.amp.GradScaler make of fixed gradients: oracles for engine/train/optimizers and the loss scaler.

Needs: torch 2.11.0 (packaging/dev oracles optimizers). Run: make.py [OUT]. Writes OUT/optimizers.json; the seed is fixed.

optimizers.json: version, seed, start = {matrix [5][7], vector [7]}, gradients = one such pair a step, rates = learning rate of
each step; cases = options of one optimizer each (decay on the matrix only) and the values after every step, all in float64.
scaler: gradients of one float32 vector (as texts: inf is one of them), and after each step scale, growth tracker and weights.
"""
import json, pathlib, sys
import torch

SEED, STEPS = 20, 6
out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
torch.manual_seed(SEED)
torch.set_num_threads(1)
double = dict(dtype=torch.float64)
start = {"matrix": torch.randn(5, 7, **double), "vector": torch.randn(7, **double)}
gradients = [{"matrix": torch.randn(5, 7, **double) * 10 ** (s - 3), "vector": torch.randn(7, **double)} for s in range(STEPS)]
rates = [0.02 * (s + 1) / STEPS for s in range(STEPS)]

adam = dict(betas=(0.9, 0.95), eps=1e-8)
CASES = [
    ("adamw", dict(weight_decay=0.1), lambda groups: torch.optim.AdamW(groups, **adam)),
    ("adam", dict(weight_decay=0.1), lambda groups: torch.optim.Adam(groups, **adam)),
    ("sgd", dict(weight_decay=0.1, momentum=0.0), lambda groups: torch.optim.SGD(groups)),
    ("sgd", dict(weight_decay=0.1, momentum=0.9), lambda groups: torch.optim.SGD(groups, momentum=0.9)),
    ("sgd", dict(weight_decay=0.1, momentum=0.9, nesterov=True), lambda groups: torch.optim.SGD(groups, momentum=0.9, nesterov=True)),
    ("adafactor", dict(weight_decay=0.1), lambda groups: torch.optim.Adafactor(groups, eps=(1e-8, 1e-3))),
]


def listed(values):
    return {name: value.detach().flatten().tolist() for name, value in values.items()}


cases = []
for name, options, make in CASES:
    weights = {key: value.clone().requires_grad_() for key, value in start.items()}
    optimizer = make([dict(params=[weights["matrix"]], weight_decay=options["weight_decay"]), dict(params=[weights["vector"]], weight_decay=0.0)])
    after = []
    for rate, gradient in zip(rates, gradients):
        for group in optimizer.param_groups:
            group["lr"] = rate
        for key, value in weights.items():
            value.grad = gradient[key].clone()
        optimizer.step()
        after.append(listed(weights))
    cases.append(dict(name=name, options=options, after=after))

scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2)
weight = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=0.1, momentum=0.9)
inf, nan = float("inf"), float("nan")
pattern = [[1, 2, 3], [inf, 1, 1], [1, nan, 1], [-1, 1, 0.5], [2, 1, 0], [0.25, 1, 1], [1, 1, -inf], [1, 1, 1], [1, 2, 1], [1, 1, 1], [0, 1, 0]]
trace = []
for row in pattern:
    weight.grad = None
    scaler.scale((weight * torch.tensor(row, dtype=torch.float32)).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    trace.append(dict(gradient=[repr(float(x)) for x in row], scale=scaler.get_scale(), growth_tracker=scaler._get_growth_tracker(), weight=weight.tolist()))

golden = dict(torch=torch.__version__, seed=SEED, start=listed(start), gradients=[listed(g) for g in gradients], rates=rates, cases=cases,
              scaler=dict(init=8.0, growth=2.0, backoff=0.5, interval=2, lr=0.1, momentum=0.9, start=[1.0, -2.0, 3.0], steps=trace))
(out / "optimizers.json").write_text(json.dumps(golden) + "\n")
