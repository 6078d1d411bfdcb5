#!/usr/bin/env python3
"""What both sides of the bench train_step start from. Usage: train_step_inputs.py FOLDER cpu|gpu|smol STEPS [TEXT]
Writes FOLDER/config.json and model.safetensors (Hugging Face names and layouts), text.bin, and starts.json: where in the text
each row of each step's batch begins."""
import json, math, pathlib, random, sys
import torch
from safetensors.torch import save_file

folder, kind, steps = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
folder.mkdir(parents=True, exist_ok=True)
generator = torch.Generator().manual_seed(1337)


def normal(deviation, *shape):
    return torch.empty(shape).normal_(0, deviation, generator=generator)


weights = {}
if kind == "smol":  # SmolLM2-135M's sizes with random weights: time and memory do not depend on them
    layers, hidden, heads, kv, inner, vocab, context, batch = 30, 576, 9, 3, 1536, 49152, 256, 4
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": hidden, "intermediate_size": inner, "num_hidden_layers": layers,
              "num_attention_heads": heads, "num_key_value_heads": kv, "head_dim": 64, "vocab_size": vocab, "max_position_embeddings": 8192, "rms_norm_eps": 1e-5,
              "rope_theta": 100000.0, "hidden_act": "silu", "tie_word_embeddings": True, "attention_bias": False, "mlp_bias": False, "torch_dtype": "float32"}
    weights["model.embed_tokens.weight"] = normal(0.02, vocab, hidden)
    for i in range(layers):
        p = f"model.layers.{i}."
        for name, rows, columns in (("self_attn.q_proj", heads * 64, hidden), ("self_attn.k_proj", kv * 64, hidden), ("self_attn.v_proj", kv * 64, hidden),
                                    ("self_attn.o_proj", hidden, heads * 64), ("mlp.gate_proj", inner, hidden), ("mlp.up_proj", inner, hidden), ("mlp.down_proj", hidden, inner)):
            weights[f"{p}{name}.weight"] = normal(0.02, rows, columns)
        weights[p + "input_layernorm.weight"] = torch.ones(hidden)
        weights[p + "post_attention_layernorm.weight"] = torch.ones(hidden)
    weights["model.norm.weight"] = torch.ones(hidden)
else:
    layers, heads, hidden, context, batch = (6, 6, 384, 256, 12) if kind == "gpu" else (4, 4, 128, 64, 12)
    config = {"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "n_layer": layers, "n_head": heads, "n_embd": hidden, "n_positions": context, "n_ctx": context,
              "n_inner": 4 * hidden, "vocab_size": 128, "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new", "tie_word_embeddings": True,
              "resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0, "torch_dtype": "float32"}
    weights["transformer.wte.weight"] = normal(0.02, 128, hidden)
    weights["transformer.wpe.weight"] = normal(0.02, context, hidden)
    for i in range(layers):
        p = f"transformer.h.{i}."
        for name, inputs, outputs, deviation in (("attn.c_attn", hidden, 3 * hidden, 0.02), ("attn.c_proj", hidden, hidden, 0.02 / math.sqrt(2 * layers)),
                                                 ("mlp.c_fc", hidden, 4 * hidden, 0.02), ("mlp.c_proj", 4 * hidden, hidden, 0.02 / math.sqrt(2 * layers))):
            weights[f"{p}{name}.weight"] = normal(deviation, inputs, outputs)  # lies [in, out]
            weights[f"{p}{name}.bias"] = torch.zeros(outputs)
        for name in ("ln_1", "ln_2"):
            weights[f"{p}{name}.weight"], weights[f"{p}{name}.bias"] = torch.ones(hidden), torch.zeros(hidden)
    weights["transformer.ln_f.weight"], weights["transformer.ln_f.bias"] = torch.ones(hidden), torch.zeros(hidden)

text = pathlib.Path(sys.argv[4]).read_bytes() if len(sys.argv) > 4 else random.Random(1).randbytes(1 << 20)
(folder / "text.bin").write_bytes(bytes(b & 127 for b in text[: 1 << 22]))
(folder / "config.json").write_text(json.dumps(config))
save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
draw = random.Random(1337)
size = min(len(text), 1 << 22) - context - 1
(folder / "starts.json").write_text(json.dumps({"columns": context, "starts": [[draw.randrange(size) for _ in range(batch)] for _ in range(steps)]}))
