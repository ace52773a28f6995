"""Which type each tensor of a published file has, by the name of the mix: what llama.cpp's quantiser does, in short.

Source: llama_tensor_get_type and its callers in src/llama-quant.cpp of llama.cpp v0.5.0; prepare_tensors of
convert_hf_to_gguf.py for what stays F32. Where the quantiser looks at more (an importance matrix, a number of experts),
the common case is taken.
"""

import re

# mix: general.file_type, most tensors, output, attn_v and ffn_down of some layers, attn_qkv, token_embd
MIXES = {
    "F32": (0, "F32", "F32", "F32", "F32", "F32"),
    "F16": (1, "F16", "F16", "F16", "F16", "F16"),
    "BF16": (32, "BF16", "BF16", "BF16", "BF16", "BF16"),
    "Q4_0": (2, "Q4_0", "Q6_K", "Q4_0", "Q4_0", "Q4_0"),
    "Q4_1": (3, "Q4_1", "Q6_K", "Q4_1", "Q4_1", "Q4_1"),
    "Q8_0": (7, "Q8_0", "Q8_0", "Q8_0", "Q8_0", "Q8_0"),
    "Q5_0": (8, "Q5_0", "Q6_K", "Q5_0", "Q5_0", "Q5_0"),
    "Q2_K": (10, "Q2_K", "Q6_K", "Q3_K", "Q2_K", "Q2_K"),
    "Q3_K_M": (12, "Q3_K", "Q6_K", "Q5_K", "Q4_K", "Q3_K"),
    "Q4_K_S": (14, "Q4_K", "Q6_K", "Q5_K", "Q4_K", "Q4_K"),
    "Q4_K_M": (15, "Q4_K", "Q6_K", "Q6_K", "Q5_K", "Q4_K"),
    "Q5_K_M": (17, "Q5_K", "Q6_K", "Q6_K", "Q6_K", "Q5_K"),
    "Q6_K": (18, "Q6_K", "Q6_K", "Q6_K", "Q6_K", "Q6_K"),
    "IQ2_XXS": (19, "IQ2_XXS", "Q5_K", "Q2_K", "IQ2_XXS", "Q2_K"),
    "IQ2_XS": (20, "IQ2_XS", "Q5_K", "Q2_K", "IQ2_XS", "Q2_K"),
    "IQ3_XXS": (23, "IQ3_XXS", "Q5_K", "Q4_K", "IQ3_XXS", "IQ3_S"),
    "IQ1_S": (24, "IQ1_S", "Q5_K", "Q2_K", "IQ1_S", "Q2_K"),
    "IQ4_NL": (25, "IQ4_NL", "Q6_K", "Q5_K", "IQ4_NL", "IQ4_NL"),
    "IQ3_S": (26, "IQ3_S", "Q6_K", "Q4_K", "IQ3_S", "IQ3_S"),
    "IQ2_M": (29, "IQ2_S", "Q5_K", "IQ3_S", "IQ2_S", "IQ3_S"),
    "IQ4_XS": (30, "IQ4_XS", "Q6_K", "Q5_K", "IQ4_XS", "IQ4_XS"),
    "IQ1_M": (31, "IQ1_M", "Q5_K", "Q2_K", "IQ1_M", "Q2_K"),
    "TQ1_0": (36, "TQ1_0", "Q6_K", "TQ1_0", "TQ1_0", "Q4_K"),
    "MXFP4_MOE": (38, "Q8_0", "Q8_0", "Q8_0", "Q8_0", "Q8_0"),
}
BLOCKS = {"F32": 1, "F16": 1, "BF16": 1, "Q4_0": 32, "Q4_1": 32, "Q5_0": 32, "Q5_1": 32, "Q8_0": 32, "IQ4_NL": 32,
          "MXFP4": 32}  # all others: 256
# Where a row is no whole number of blocks of 256.
FALLBACKS = {"Q4_K": "Q5_0", "Q5_K": "Q5_1", "Q6_K": "Q8_0", "TQ1_0": "Q4_0"}  # others: IQ4_NL
# Parts of names of tensors that are never quantised, and stay F32 in files of any type.
PLAIN = ("_norm.weight", "norm.weight", "ffn_gate_inp", "ssm_conv1d", "shortconv.conv", "altup", "laurel", "attn_rel_b",
         "time_mix_first", "time_mix_w", "time_mix_v0", "time_mix_v1", "time_mix_v2", "time_mix_a", "time_mix_g1",
         "time_mix_g2", "time_mix_decay", "time_mix_lerp", "channel_mix_lerp", "time_mix_k_k", "time_mix_k_a",
         "time_mix_r_k", "position_embd", "token_types", "ssm_a", "ssm_d", "rope_", "sinks", "exp_probs_b")


def _more_bits(layer, layers):
    return layer < layers // 8 or layer >= 7 * layers // 8 or (layer - layers // 8) % 3 == 2


def type_of(mix, name, dims, layers, tied):
    _, base, output, more, joined, tokens = MIXES[mix]
    if len(dims) < 2 or not name.endswith(".weight") or any(part in name for part in PLAIN):
        return "F32"
    chosen = base
    found = re.match(r"(?:dec\.|enc\.)?blk\.(\d+)\.(.*)\.weight", name)
    if name == "output.weight" or (name == "token_embd.weight" and tied):
        chosen = output
    elif name == "token_embd.weight":
        chosen = tokens
    elif found and mix == "MXFP4_MOE" and found[2].endswith("_exps"):
        chosen = "MXFP4"
    elif found and found[2] in ("attn_v", "ffn_down", "ffn_down_exps") and _more_bits(int(found[1]), layers):
        chosen = more
    elif found and found[2] == "attn_qkv":
        chosen = joined
    if dims[0] % BLOCKS.get(chosen, 256) != 0:
        chosen = FALLBACKS.get(chosen, "IQ4_NL")
    return chosen if dims[0] % BLOCKS.get(chosen, 256) == 0 else "F16"
