#!/usr/bin/env python3
"""GGUF files written by the reference package gguf, with what it reads back.

Needs: gguf 0.19.0, safetensors 0.8.0, numpy 2.4.6. Run: make.py [OUT]

TYPE.gguf       tensor "data" [4, 512] of the type, its blocks random bytes with finite scales (so every bit pattern of the
                quants occurs, normal and subnormal scales too), and tensor "expected" F32: gguf.quants.dequantize of it
metadata.gguf   one key of every kind, arrays, a long array, alignment 64; the values are in metadata.json
llama_f32.gguf  ../tiny/llama as a llama.cpp converter stores it (reversed dims, q and k rows interleaved per head)
"""
import json, pathlib, sys
import gguf, numpy as np
from gguf import GGMLQuantizationType as T
from safetensors.numpy import load_file

out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
SEED = 20261130
# type → byte offsets of the half-precision scales inside a block
SCALES = {T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0], T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208]}
ROWS, COLUMNS = 4, 512


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


for number, kind in enumerate([T.F16, T.BF16, *SCALES]):
    rng = np.random.default_rng(SEED + number)
    block, size = gguf.GGML_QUANT_SIZES[kind]
    raw = rng.integers(0, 256, (ROWS, COLUMNS // block, size), dtype=np.uint8)
    if kind in SCALES:
        for k, at in enumerate(SCALES[kind]):
            scale = rng.standard_normal((ROWS, COLUMNS // block)) * 0.05
            scale.flat[::7] = 3e-6 * rng.standard_normal(scale.flat[::7].shape)   # below 6.1e-5: subnormal halves
            raw[..., at:at + 2] = scale.astype(np.float16).view(np.uint8).reshape(ROWS, -1, 2)
    else:   # all exponents but that of infinity and NaN
        bits = raw.reshape(ROWS, COLUMNS, 2).copy().view(np.uint16)[..., 0]
        top = 0x7C00 if kind == T.F16 else 0x7F80
        bits[(bits & top) == top] &= 0x83FF if kind == T.F16 else 0x807F
        raw = bits.view(np.uint8)
    raw = raw.reshape(ROWS, -1)
    expected = gguf.quants.dequantize(raw.view(np.float16) if kind == T.F16 else raw, kind).astype(np.float32)
    assert expected.shape == (ROWS, COLUMNS) and np.isfinite(expected).all()
    w = gguf.GGUFWriter(out / f"{kind.name}.gguf", "test")
    w.add_uint32("golden.seed", SEED + number)
    w.add_tensor("data", raw.view(np.float16) if kind == T.F16 else raw, raw_dtype=kind)
    w.add_tensor("expected", expected)
    finish(w)

w = gguf.GGUFWriter(out / "metadata.gguf", "test")
values = {"general.architecture": "test", "general.alignment": 64, "k.u8": 255, "k.i8": -128, "k.u16": 65535, "k.i16": -32768, "k.u32": 4294967295,
          "k.i32": -2147483648, "k.f32": 0.5, "k.bool": True, "k.string": "naïve – 文字", "k.u64": 18446744073709551615,
          "k.i64": -9223372036854775808, "k.f64": 1e300, "k.strings": ["a", "", "ü"], "k.floats": [0.25, -2.0],
          "k.bools": [True, False], "k.nested": [[1, 2], [3]]}
w.add_custom_alignment(64)
for kind in ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "bool", "string", "uint64", "int64", "float64"):
    key = "k." + kind.replace("uint", "u").replace("int", "i").replace("float", "f")
    getattr(w, "add_" + kind)(key, values[key])
for key in ("k.strings", "k.floats", "k.bools", "k.nested"):
    w.add_array(key, values[key])
w.add_array("k.long", list(range(3000)))
w.add_tensor("one", np.array([[1.0, 2.0, 3.0]], dtype=np.float32))
w.add_tensor("two", np.array([4.0], dtype=np.float32))
finish(w)
(out / "metadata.json").write_text(json.dumps(values, ensure_ascii=False, indent=1) + "\n")

# The converter's row order: q and k of every head go from (half, pair) to (pair, half).
tiny = pathlib.Path(__file__).parent.parent / "tiny/llama"
config = json.loads((tiny / "config.json").read_text())
weights = load_file(tiny / "model.safetensors")
w = gguf.GGUFWriter(out / "llama_f32.gguf", "llama")
w.add_block_count(config["num_hidden_layers"])
w.add_context_length(config["max_position_embeddings"])
w.add_embedding_length(config["hidden_size"])
w.add_feed_forward_length(config["intermediate_size"])
w.add_head_count(config["num_attention_heads"])
w.add_head_count_kv(config["num_key_value_heads"])
w.add_layer_norm_rms_eps(config["rms_norm_eps"])
w.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
w.add_rope_dimension_count(config["hidden_size"] // config["num_attention_heads"])
w.add_bos_token_id(config["bos_token_id"])
w.add_eos_token_id(config["eos_token_id"])
names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config["num_hidden_layers"])
for name, a in weights.items():
    heads = config["num_attention_heads"] if "q_proj" in name else config["num_key_value_heads"]
    if "q_proj" in name or "k_proj" in name:
        a = a.reshape(heads, 2, a.shape[0] // heads // 2, *a.shape[1:]).swapaxes(1, 2).reshape(a.shape)
    w.add_tensor(names.get_name(name, try_suffixes=(".weight", ".bias")), np.ascontiguousarray(a))
finish(w)
print("\n".join(f"{f.name} {f.stat().st_size}" for f in sorted(out.glob("*.gguf"))))
