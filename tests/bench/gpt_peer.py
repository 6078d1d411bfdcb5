"""The GPT-2 of the training benches' peers, written out in PyTorch as one would by hand, and its AdamW."""
import torch, torch.nn as nn, torch.nn.functional as F


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
    def __init__(self, layers, heads, hidden, context, vocabulary):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, hidden), nn.Embedding(context, hidden)
        self.blocks, self.ln_f = nn.ModuleList(Block(hidden, heads) for _ in range(layers)), nn.LayerNorm(hidden)

    def forward(self, ids, labels):
        x = self.wte(ids) + self.wpe.weight[: ids.shape[1]]
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(F.linear(self.ln_f(x), self.wte.weight).flatten(0, 1), labels.flatten())


def adamw(model, rate):
    """Decay where Assay has it: on matrices, not on norms, biases and vectors."""
    matrices, vectors = [p for p in model.parameters() if p.dim() == 2], [p for p in model.parameters() if p.dim() < 2]
    return torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}], lr=rate, betas=(0.9, 0.99), fused=True)
