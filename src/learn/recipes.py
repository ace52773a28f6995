"""Values with which a tiny model of any architecture runs. The loader does not provide them.

The loader shows which keys it reads, but not useful values. A value is stored by the name of its key without the
architecture. Exceptions of single architectures are below. Sources: the conditions in load_hparams of llama.cpp v0.5.0
(src/llama-model.cpp, src/models/*.cpp) and the sizes of the models in its tests (tests/test-llama-archs.cpp).
"""

from gguf_file import Value

EMBEDDING, HEADS, HEAD, FEED_FORWARD, LAYERS, CONTEXT = 64, 2, 32, 96, 2, 128


def u32(number):
    return Value("u32", number)


def u32s(*numbers):
    return Value("[u32]", list(numbers))


def f32(number):
    return Value("f32", number)


def flag(state):
    return Value("bool", state)


LATENT, ROTATED, PLAIN = 32, 16, 16  # multi-head latent attention: rank, rotated and plain part of a key

COMMON = {
    "context_length": u32(CONTEXT), "embedding_length": u32(EMBEDDING), "block_count": u32(LAYERS),
    "features_length": u32(EMBEDDING), "feed_forward_length": u32(FEED_FORWARD),
    "leading_dense_block_count": u32(1), "use_parallel_residual": flag(False), "logit_scale": f32(1.0),
    "attention.head_count": u32(HEADS), "attention.head_count_kv": u32(HEADS),
    "attention.max_alibi_bias": f32(8.0), "attention.clamp_kqv": f32(1.0),
    "attention.layer_norm_epsilon": f32(1e-5), "attention.layer_norm_rms_epsilon": f32(1e-5),
    "attention.group_norm_epsilon": f32(1e-5), "attention.group_norm_groups": u32(8),
    "attention.q_lora_rank": u32(LATENT), "attention.kv_lora_rank": u32(LATENT),
    "attention.relative_buckets_count": u32(8), "attention.sliding_window": u32(16),
    "attention.sliding_window_pattern": u32(2), "attention.indexer.head_count": u32(4),
    "attention.indexer.key_length": u32(64), "attention.indexer.top_k": u32(64),
    "attention.indexer.block_size": u32(4), "attention.indexer.local_blocks": u32(1),
    "attention.decay_lora_rank": u32(16), "attention.iclr_lora_rank": u32(16),
    "attention.value_residual_mix_lora_rank": u32(16), "attention.gate_lora_rank": u32(16),
    "rope.dimension_count": u32(HEAD), "rope.freq_base": f32(10000.0), "rope.dimension_sections": u32s(8, 8, 8, 8),
    "full_attention_interval": u32(2), "time_mix_extra_dim": u32(16), "time_decay_extra_dim": u32(16),
    "posnet.embedding_length": u32(EMBEDDING), "posnet.block_count": u32(LAYERS),
    "convnext.embedding_length": u32(EMBEDDING), "convnext.block_count": u32(LAYERS),
    "xielu.alpha_n": f32(1.0), "xielu.alpha_p": f32(1.0), "xielu.beta": f32(1.0), "xielu.eps": f32(1e-7),
    "ssm.inner_size": u32(2 * EMBEDDING), "ssm.conv_kernel": u32(4), "ssm.state_size": u32(32),
    "ssm.time_step_rank": u32(4), "ssm.group_count": u32(2), "kda.head_dim": u32(32), "kda.safe_gate": flag(True),
    "kda.gate_lower_bound": f32(-5.0), "wkv.head_size": u32(64), "shortconv.l_cache": u32(3),
    "residual_scale": f32(1.0), "attn_res.block_size": u32(12), "activation.situ_beta": f32(4.0),
    "activation.situ_linear_beta": f32(25.0), "hyper_connection.count": u32(4),
    "hyper_connection.sinkhorn_iterations": u32(2), "hyper_connection.epsilon": f32(1e-6),
    "hyper_connection.magnitude": f32(2.0), "hyper_connection.low_rank": u32(8),
    "embedding_scale": f32(1.0), "num_loops": u32(1), "hrm.layers_per_stack": u32(1), "hrm.h_cycles": u32(2),
    "hrm.l_cycles": u32(3), "attention.scale": f32(0.125), "token_shift_count": u32(2),
}

EXPERTS = {
    "expert_count": u32(4), "expert_used_count": u32(2), "expert_shared_count": u32(1),
    "expert_feed_forward_length": u32(64), "expert_shared_feed_forward_length": u32(32),
    "expert_chunk_feed_forward_length": u32(32), "expert_latent_length": u32(64), "moe_latent_size": u32(64),
    "interleave_moe_layer_step": u32(2), "expert_gating_func": u32(2), "expert_group_scale": f32(1.0),
    "experts_per_group": u32(1), "moe_every_n_layers": u32(2), "expert_weights_scale": f32(1.0),
    "expert_weights_norm": flag(True),
}

LATENT_ATTENTION = {
    "attention.head_count_kv": u32(1), "attention.key_length": u32(LATENT + ROTATED),
    "attention.value_length": u32(LATENT), "attention.key_length_mla": u32(PLAIN + ROTATED),
    "attention.value_length_mla": u32(PLAIN + ROTATED), "rope.dimension_count": u32(ROTATED),
}
# A state of 32 by 32 for each of 4 heads, as gated delta nets require.
DELTA_NET = {"ssm.inner_size": u32(128), "ssm.time_step_rank": u32(4)}


def mixed_heads(layers, without):
    return u32s(*(0 if layer in without else HEADS for layer in range(layers)))


def windows(layers):
    return Value("[u32]", [layer % 2 for layer in range(layers)])


OWN = {
    "llama4": {"block_count": u32(4)},
    "gemma4": {"block_count": u32(5),
               "attention.sliding_window_pattern": Value("[bool]", [True, True, True, True, False]),
               "embedding_length_per_layer_input": u32(32), "attention.shared_kv_layers": u32(0),
               "attention.key_length": u32(HEAD), "attention.value_length": u32(HEAD),
               "attention.key_length_swa": u32(HEAD), "attention.value_length_swa": u32(HEAD),
               "rope.dimension_count_swa": u32(HEAD), "rope.freq_base_swa": f32(10000.0)},
    "gemma3n": {"block_count": u32(22), "embedding_length_per_layer_input": u32(32)},
    "deepseek4": {"block_count": u32(4), "embedding_length": u32(128), "attention.head_count_kv": u32(1),
                  "attention.key_length": u32(64), "attention.value_length": u32(64),
                  "rope.dimension_count": u32(ROTATED), "expert_gating_func": u32(4),
                  "attention.output_group_count": u32(2), "attention.output_lora_rank": u32(16),
                  "attention.compress_ratios": u32s(0, 0, 4, 128),
                  "attention.compress_rope_freq_base": f32(160000.0), "hash_layer_count": u32(0),
                  "swiglu_clamp_exp": f32(10.0)},
    "minicpm3": {"attention.key_length": u32(PLAIN + ROTATED), "attention.value_length": u32(PLAIN),
                 "rope.dimension_count": u32(ROTATED)},
    "plm": {"attention.key_length": u32(2 * PLAIN + ROTATED), "attention.value_length": u32(2 * PLAIN),
            "rope.dimension_count": u32(ROTATED)},
    "rwkv6": {"attention.head_count": u32(0), "attention.head_count_kv": u32(0)},
    "rwkv6qwen2": {"token_shift_count": u32(1), "attention.head_count": u32(1), "attention.head_count_kv": u32(1)}, "arwkv7": {"token_shift_count": u32(1)},
    "graniteswitch": {"adapters.count": u32(1), "adapters.lora_rank": u32(4),
                      "adapters.token_ids_activate": Value("[i32]", [5]),
                      "adapters.token_ids_substitute": Value("[i32]", [6])},
    "gemma4-assistant": {"attention.sliding_window_pattern": Value("[bool]", [True, False]),
                         "embedding_length_out": u32(EMBEDDING)},
    "dflash": {"target_layers": u32s(0, 1), "block_size": u32(4)},
    "eagle3": {"target_layers": u32s(0, 1, 1), "target_hidden_size": u32(EMBEDDING), "block_count": u32(1)},
    "hrm_text": {"block_count": u32(8)},
    "maple": {"swiglu_clamp_exp": f32(7.0)},
    "minimax-m3": {"attention.indexer.head_count": u32(HEADS)},
    "plamo2": {"ssm.group_count": u32(0), "ssm.time_step_rank": u32(2)},
    "jamba": {"ssm.time_step_rank": u32(4)},
    "bailingmoe3": {"swiglu_clamp_exp": Value("[f32]", [0.0, 4.0]), "swiglu_clamp_shexp": Value("[f32]", [0.0, 5.0])},
    "hy_v4": {"hyper_connection.count": u32(4), "swiglu_clamp_exp": f32(10.0),
              "attention.indexer.types": u32s(1, 0)},
    "dots3note": {"attention.kv_lora_rank_swa": u32(LATENT), "attention.key_length_swa": u32(LATENT + ROTATED),
                  "attention.value_length_swa": u32(LATENT), "attention.key_length_mla_swa": u32(PLAIN + ROTATED),
                  "attention.value_length_mla_swa": u32(PLAIN + ROTATED), "rope.freq_base_swa": f32(10000.0),
                  "attention.indexer.types": u32s(1, 0)},
    "qwen4exp": {"attention.compress_ratios": u32s(4, 4), "ple.layers": u32s(0), "ple.ngram_size": u32(3),
                 "ple.heads_per_ngram": u32(2), "ple.conv_kernel": u32(4), "ple.eos_token_id": u32(0),
                 "embedding_length_per_layer_input": u32(16), "ple.layer_multipliers": Value("[u64]", [1, 3, 5]),
                 "ple.head_offsets": Value("[u64]", [0, 283, 566, 849]),
                 "ple.head_vocab_sizes": Value("[u64]", [283] * 4)},
    "nemotron_h": {"block_count": u32(3), "feed_forward_length": u32s(0, 0, FEED_FORWARD)},
    "nemotron_h_moe": {"block_count": u32(3), "feed_forward_length": u32s(0, 0, FEED_FORWARD)},
}
for _name in ("nemotron_h", "nemotron_h_moe"):
    OWN[_name] |= {"attention.head_count": mixed_heads(3, {1}), "attention.head_count_kv": mixed_heads(3, {1})}
for _name in ("plamo2", "jamba", "granitehybrid", "lfm2", "lfm2moe", "kimi-linear", "bailingmoe3", "kimi-k3"):
    OWN[_name] = {"attention.head_count": mixed_heads(2, {1}),
                  "attention.head_count_kv": mixed_heads(2, {1})} | OWN.get(_name, {})
for _name in ("deepseek2", "deepseek32", "glm-dsa", "dots3note", "mistral4", "hy_v4"):
    OWN[_name] = LATENT_ATTENTION | OWN.get(_name, {})
for _name in ("kimi-linear", "bailingmoe3", "kimi-k3"):
    OWN[_name] = LATENT_ATTENTION | OWN[_name] | {"attention.head_count_kv": u32s(1, 0)}
for _name in ("qwen3next", "qwen35", "qwen35moe", "qwen4exp"):
    OWN[_name] = DELTA_NET | OWN.get(_name, {})
for _name in ("cohere2moe", "mimo2", "step35", "spark2_5", "muse-glimmer", "granite_swa", "dots3note", "maple"):
    OWN[_name] = {"attention.sliding_window_pattern": windows(2)} | OWN.get(_name, {})


# Values for an architecture without a form that runs; the first that helps is used.
ALTERNATIVES = (
    # b10361 only runs if the rotated half of an indexer's key is as wide as the other half (deepseek32, glm-dsa).
    {"attention.indexer.key_length": u32(64), "rope.dimension_count": u32(32),
     "attention.key_length": u32(LATENT + 32), "attention.key_length_mla": u32(PLAIN + 32)},
)


def values(architecture, experts):
    """Key without architecture to Value."""
    made = dict(COMMON)
    if experts:
        made |= EXPERTS
    made |= OWN.get(architecture, {})
    if not experts:
        for name in EXPERTS:
            made.pop(name, None)
    return made
