#!/usr/bin/env python3
"""Tiny random models saved by transformers, with their logits, loss and gradients: oracles for the forward and backward pass
and for reading Hugging Face folders.

Needs: torch 2.11.0, transformers 5.24.0, safetensors 0.8.0, numpy 2.4.6 (packaging/dev oracles). Run: make.py [OUT [NAME …]]
Writes OUT/NAME/{config.json, generation_config.json, model*.safetensors, golden.json} for every model below; seeds are fixed.

golden.json: versions, seed, input_ids [2][T], labels (-100: not scored), logits [2][T][vocab] of fp32 eager attention, loss =
mean cross-entropy over the scored labels after the shift by one, and per parameter the gradient's norm, sum of absolute
values, and entries at fixed flat positions. Of a mixture of experts: aux_loss (the load-balance loss; the gradients are those of
loss + router_aux_loss_coef × aux_loss, `loss` is the language's alone) and gradients under the names of the files.
"""
import json, pathlib, re, shutil, sys
import numpy, safetensors, torch, transformers
from transformers import (GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, MistralConfig, MistralForCausalLM, MixtralConfig,
                          MixtralForCausalLM, Qwen2Config, Qwen2ForCausalLM, Qwen3Config, Qwen3ForCausalLM)

out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)


def llama(length=24, **options):
    base = dict(vocab_size=101, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
                num_key_value_heads=2, max_position_embeddings=64, rms_norm_eps=1e-5, bos_token_id=1, eos_token_id=2,
                rope_parameters={"rope_type": "default", "rope_theta": 10000.0}, tie_word_embeddings=True)
    base.update(options)
    return LlamaForCausalLM, LlamaConfig(**base), length


def small(rope, **options):
    return llama(hidden_size=16, intermediate_size=24, num_attention_heads=2, num_key_value_heads=1, vocab_size=61,
                 rope_parameters=rope, **options)


def variant(model, config, length=24, **options):
    base = dict(vocab_size=61, hidden_size=32, intermediate_size=40, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                max_position_embeddings=64, bos_token_id=1, eos_token_id=2, rope_parameters={"rope_type": "default", "rope_theta": 10000.0})
    base.update(options)
    return model, config(**base), length


def mixtral(**options):
    base = dict(hidden_size=16, intermediate_size=24, num_attention_heads=2, num_key_value_heads=1, num_local_experts=4, num_experts_per_tok=2,
                router_aux_loss_coef=0.05)
    base.update(options)
    return variant(MixtralForCausalLM, MixtralConfig, **base)


LONG = {"rope_type": "longrope", "rope_theta": 10000.0, "short_factor": [1.0, 1.2, 1.5, 2.0], "long_factor": [1.0, 2.0, 4.0, 7.5]}
MODELS = {
    "gpt2": (GPT2LMHeadModel, GPT2Config(vocab_size=97, n_positions=48, n_embd=32, n_layer=2, n_head=4, bos_token_id=0,
                                         eos_token_id=[0, 5], resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0), 24),
    "gpt2_untied": (GPT2LMHeadModel, GPT2Config(vocab_size=61, n_positions=24, n_embd=16, n_layer=2, n_head=2, n_inner=40,
                                                activation_function="gelu", layer_norm_epsilon=1e-6, bos_token_id=0, eos_token_id=0,
                                                resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, tie_word_embeddings=False), 24),
    "llama": llama(),
    "llama3_bias_untied": llama(tie_word_embeddings=False, attention_bias=True, mlp_bias=True, head_dim=16, eos_token_id=[2, 7],
                                rope_parameters={"rope_type": "llama3", "rope_theta": 10000.0, "factor": 4.0, "low_freq_factor": 1.0,
                                                 "high_freq_factor": 4.0, "original_max_position_embeddings": 16}),
    "llama_linear_sharded": small({"rope_type": "linear", "rope_theta": 10000.0, "factor": 2.0}),
    "llama_dynamic": small({"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 2.0}, max_position_embeddings=16),
    "llama_yarn": small({"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 16}),
    "llama_yarn_set": small({"rope_type": "yarn", "rope_theta": 10000.0, "factor": 8.0, "original_max_position_embeddings": 8, "beta_fast": 4.0,
                             "beta_slow": 0.5, "attention_factor": 1.3, "truncate": False}),
    "llama_yarn_mscale": small({"rope_type": "yarn", "rope_theta": 500.0, "factor": 4.0, "original_max_position_embeddings": 16, "mscale": 1.5,
                                "mscale_all_dim": 0.5}, tie_word_embeddings=False),
    "llama_longrope_short": small({**LONG, "original_max_position_embeddings": 32}),
    "llama_longrope_long": small({**LONG, "original_max_position_embeddings": 16, "attention_factor": 1.1, "factor": 4.0}),
    "mistral_window": variant(MistralForCausalLM, MistralConfig, sliding_window=7),
    "mistral_plain": variant(MistralForCausalLM, MistralConfig, sliding_window=None, head_dim=12, num_key_value_heads=1, tie_word_embeddings=True),
    "qwen2": variant(Qwen2ForCausalLM, Qwen2Config, tie_word_embeddings=True, use_sliding_window=True, sliding_window=6, max_window_layers=1,
                     num_hidden_layers=3),
    "qwen3": variant(Qwen3ForCausalLM, Qwen3Config, head_dim=16, attention_bias=True),
    "qwen3_tied": variant(Qwen3ForCausalLM, Qwen3Config, head_dim=4, num_key_value_heads=4, tie_word_embeddings=True,
                          rope_parameters={"rope_type": "yarn", "rope_theta": 1000.0, "factor": 4.0, "original_max_position_embeddings": 16}),
    "mixtral": mixtral(),
    "mixtral_top1_tied": mixtral(num_local_experts=3, num_experts_per_tok=1, tie_word_embeddings=True, sliding_window=9),
    "mixtral_fused": mixtral(num_local_experts=3, num_experts_per_tok=3, router_aux_loss_coef=0.0),
}


def digits(values):  # 9 significant digits name every fp32 number
    if isinstance(values, list):
        return [digits(v) for v in values]
    return float(f"{values:.9g}")


def fill(model, seed):
    """Weights large enough that a wrong norm, rotation or bias shows."""
    g = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, p in model.named_parameters():
            noise = torch.randn(p.shape, generator=g)
            if p.dim() >= 2:
                p.copy_(noise * 0.25)
            elif name.endswith("bias"):
                p.copy_(noise * 0.1)
            else:
                p.copy_(1 + noise * 0.1)


def of_files(name, gradient):
    """transformers 5 holds all experts of a layer in two tensors; files have three for each expert."""
    name = name.replace(".mlp.gate.", ".block_sparse_moe.gate.")
    found = re.fullmatch(r"(.*)\.mlp\.experts\.(gate_up_proj|down_proj)", name)
    if not found:
        return [(name, gradient)]
    parts = []
    for e, g in enumerate(gradient):
        which = {"w2": g} if found[2] == "down_proj" else dict(zip(("w1", "w3"), g.chunk(2)))
        parts += [(f"{found[1]}.block_sparse_moe.experts.{e}.{w}.weight", part.contiguous()) for w, part in which.items()]
    return parts


for number, (name, (cls, config, length)) in enumerate(MODELS.items()):
    if len(sys.argv) > 2 and name not in sys.argv[2:]:
        continue
    seed = 20261130 + number
    config._attn_implementation = "eager"
    torch.manual_seed(seed)
    model = cls(config).float()
    fill(model, seed)
    folder = out / name
    shutil.rmtree(folder, ignore_errors=True)
    model.save_pretrained(folder, max_shard_size="8KB" if "sharded" in name else "5GB", save_original_format="fused" not in name)
    model = cls.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").train()   # all dropout rates are 0

    g = torch.Generator().manual_seed(seed + 1000)
    ids = torch.randint(0, config.vocab_size, (2, length), generator=g)
    labels = ids.clone()
    labels[0, :5] = -100
    labels[1, 9] = -100
    mixture = hasattr(config, "num_local_experts")
    result = model(input_ids=ids, labels=labels, use_cache=False, **({"output_router_logits": True} if mixture else {}))
    result.loss.backward()
    language = result.loss - config.router_aux_loss_coef * result.aux_loss if mixture else result.loss
    gradients = {}
    for pname, g in (part for pname, p in model.named_parameters() for part in of_files(pname, p.grad)):
        flat = g.flatten()
        where = sorted({0, flat.numel() // 3, flat.numel() // 2, flat.numel() - 1})
        gradients[pname] = {"norm": digits(flat.double().norm().item()), "abs_sum": digits(flat.double().abs().sum().item()),
                            "at": where, "values": digits([flat[i].item() for i in where])}
    golden = {"versions": {"torch": torch.__version__, "transformers": transformers.__version__, "safetensors": safetensors.__version__,
                           "numpy": numpy.__version__},
              "seed": seed, "parameters": sum(p.numel() for p in model.parameters()), "input_ids": ids.tolist(), "labels": labels.tolist(),
              "logits": digits(result.logits.detach().tolist()), "loss": digits(language.item()), "gradients": gradients}
    if mixture:
        golden["aux_loss"] = digits(result.aux_loss.item())
    (folder / "golden.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")
    print(name, golden["parameters"], golden["loss"], sum(f.stat().st_size for f in folder.iterdir()))
