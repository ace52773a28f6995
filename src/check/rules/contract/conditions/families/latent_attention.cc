// Latent attention: keys and values that are stored compressed.

#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"

namespace ggufgate {
namespace latent_attention {
namespace {

using namespace formula;  // the words of the formulas

bool LatentKeyWidth(const P& p) {
  return (IsLatent(p) ? p.Value("attention.key_length_mla") : p.KeyWidth()) <= p.Rotated();
}

bool LatentAlways(const P& p) { return !IsLatent(p); }

bool LatentKey(const P& p) {
  return IsLatent(p) && p.KeyWidth() != p.Value("attention.kv_lora_rank") + p.Rotated();
}

// The graph of this architecture uses compressed keys, regardless of the widths in the metadata.
bool AbsorbedKey(const P& p) {
  return p.KeyWidth() != p.Value("attention.kv_lora_rank") + p.Rotated();
}

bool AbsorbedHeads(const P& p) {
  return AnyTrue(p, [&](Number i) { return p.KeyValueHeads(i) > 1; });
}

// The keys select one of two kinds of memory; the tensors select one of two graphs.
bool LatentJoint(const P& p) {
  return IsLatent(p) && AnyRows(p, ".attn_kv_b.weight", [](Number, Number) { return true; });
}

bool LatentSplit(const P& p) {
  return !IsLatent(p) && AnyRows(p, ".attn_k_b.weight", [](Number, Number) { return true; });
}

bool PlainHeadsEqual(const P& p) {
  return !IsLatent(p) && AnyTrue(p, [&](Number i) { return p.KeyValueHeads(i) != p.Heads(i); });
}

bool WindowLatentKey(const P& p) {
  return p.Has("attention.kv_lora_rank_swa") &&
         p.WindowKeyWidth() != p.Value("attention.kv_lora_rank_swa") + p.Rotated();
}

// If the indexer's heads are as wide as the others, llama.cpp rotates the memory of keys in blocks
// of 64. This includes the memory of layers with a window.
bool WindowWidthInBlocks(const P& p) {
  return p.KeyWidth() == p.Value("attention.indexer.key_length") && p.WindowKeyWidth() % 64 != 0;
}

bool OneKeyValueHead(const P& p) {
  return IsLatent(p) && AnyLayer(p, [&](Number i) { return p.KeyValueHeads(i) != 1; });
}

bool SingleKeyValueHead(const P& p) {
  return AnyLayer(p, [&](Number i) { return p.KeyValueHeads(i) != 1; });
}

// The graph uses the heads of layer 0 for every layer (llama_hparams::n_head() without a layer).
// Measured with two layers, 1, 2 and 4 heads in either, and attention in the second: the heads of
// the other layer make no difference.
bool HeadsOfFirst(const P& p) {
  return AnyTrue(
      p, [&](Number i) { return p.KeyValueHeads(i) > 0 && p.Heads() % p.KeyValueHeads(i) != 0; });
}

bool EvenConvolution(const P& p) {
  return p.Value("attention.causal", 1) == 0 && p.Value("shortconv.l_cache") % 2 == 0;
}

bool FewKeyValueHeads(const P& p) {
  return IsLatent(p) && AnyTrue(p, [&](Number i) { return p.KeyValueHeads(i) > 1; });
}

constexpr std::array kConditions = {
    Condition{"latent-key-width", RuleId::kHeadWidths,
              "attention.key_length_mla attention.key_length rope.dimension_count "
              "attention.value_length_mla",
              &LatentKeyWidth,
              "key_length_mla (key_length, if it is 0 or absent) must be greater than "
              "rope.dimension_count"},
    Condition{"latent-always", RuleId::kHeadWidths,
              "attention.key_length_mla attention.value_length_mla", &LatentAlways,
              "key_length_mla and value_length_mla must not be 0"},
    Condition{"latent-key", RuleId::kHeadWidths,
              "attention.key_length attention.kv_lora_rank rope.dimension_count "
              "attention.key_length_mla attention.value_length_mla",
              &LatentKey, "key_length must be the sum of kv_lora_rank and rope.dimension_count"},
    Condition{"absorbed-key", RuleId::kHeadWidths,
              "attention.key_length attention.kv_lora_rank rope.dimension_count "
              "attention.head_count embedding_length",
              &AbsorbedKey, "key_length must be the sum of kv_lora_rank and rope.dimension_count"},
    Condition{"absorbed-heads", RuleId::kHeadWidths, "attention.head_count_kv attention.head_count",
              &AbsorbedHeads, "head_count_kv must be 1, or 0 in layers with a state"},
    Condition{"latent-joint", RuleId::kHeadWidths,
              "attention.key_length_mla attention.value_length_mla", &LatentJoint,
              "key_length_mla or value_length_mla must be 0 in a model with the tensor attn_kv_b"},
    Condition{
        "latent-split", RuleId::kHeadWidths, "attention.key_length_mla attention.value_length_mla",
        &LatentSplit,
        "key_length_mla and value_length_mla must not be 0 in a model with the tensor attn_k_b"},
    Condition{"plain-heads-equal", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count attention.key_length_mla "
              "attention.value_length_mla",
              &PlainHeadsEqual,
              "head_count_kv must be equal to head_count if key_length_mla or value_length_mla is "
              "absent or 0"},
    Condition{"window-latent-key", RuleId::kHeadWidths,
              "attention.kv_lora_rank_swa attention.key_length_swa rope.dimension_count",
              &WindowLatentKey,
              "key_length_swa must be the sum of kv_lora_rank_swa and rope.dimension_count"},
    Condition{"window-width-in-blocks", RuleId::kHeadWidths,
              "attention.key_length_swa attention.key_length attention.indexer.key_length",
              &WindowWidthInBlocks,
              "key_length_swa must be a multiple of 64 if attention.indexer.key_length is equal to "
              "key_length"},
    Condition{"one-key-value-head", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count attention.key_length_mla "
              "attention.value_length_mla",
              &OneKeyValueHead, "head_count_kv must be 1"},
    Condition{"single-key-value-head", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count", &SingleKeyValueHead,
              "head_count_kv must be 1"},
    Condition{"heads-of-first", RuleId::kHeadWidths, "attention.head_count attention.head_count_kv",
              &HeadsOfFirst,
              "head_count of the first layer must be a multiple of head_count_kv in every layer"},
    Condition{"even-convolution", RuleId::kStateDimensions, "attention.causal shortconv.l_cache",
              &EvenConvolution, "shortconv.l_cache must be odd if attention.causal is false"},
    Condition{"few-key-value-heads", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count attention.key_length_mla "
              "attention.value_length_mla",
              &FewKeyValueHeads, "head_count_kv must be 1, or 0 in layers with a state"},
};

}  // namespace
}  // namespace latent_attention

std::span<const Condition> LatentAttentionConditions() { return latent_attention::kConditions; }

}  // namespace ggufgate
