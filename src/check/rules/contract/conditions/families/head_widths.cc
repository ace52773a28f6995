// Numbers of heads, and their widths.

#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"

namespace ggufgate {
namespace head_widths {
namespace {

using namespace formula;  // the words of the formulas

bool KeyAndValueWidths(const P& p) { return p.KeyWidth() != p.ValueWidth(); }

bool WidthsOfEmbedding(const P& p) {
  return p.Heads() > 0 &&
         (p.KeyWidth() != p.Embedding() / p.Heads() || p.ValueWidth() != p.Embedding() / p.Heads());
}

// If one tensor contains queries, keys and values, some graphs use the embedding length to find
// them.
bool KeyWidthBeyondEmbedding(const P& p) {
  return p.Heads() > 0 && p.KeyWidth() > p.Embedding() / p.Heads();
}

bool HeadsOfEmbedding(const P& p) { return p.Heads() > 0 && p.Embedding() % p.Heads() != 0; }

bool KeyWidthsBelowEmbedding(const P& p) {
  return p.Heads() > 0 && p.KeyWidth() * p.Heads() < p.Embedding();
}

bool WidthOdd(const P& p) { return p.KeyWidth() % 2 != 0; }

// ggml rotates quantised keys in blocks of 64 (src/learn/settings.py). Only the server's settings
// quantise them.
bool CacheWidth(const P& p) { return p.KeyWidth() % 64 == 32; }

bool FirstKeyValueHeads(const P& p) {
  return p.KeyValueHeads() == 0 || p.Heads() % p.KeyValueHeads() != 0;
}

bool FirstHeadsNone(const P& p) { return p.Heads() == 0; }

bool FirstKeyValueHeadsEqual(const P& p) { return p.KeyValueHeads() != p.Heads(); }

bool SplitHeadsEqual(const P& p) {
  return p.KeyValueHeads() != p.Heads() && AnyLayerHas(p, ".attn_k.weight");
}

bool KeyValueHeadsPerLayer(const P& p) { return KeyValueHeadsDiffer(p); }

bool SplitKeyValueHeads(const P& p) {
  return KeyValueHeadsDiffer(p) && AnyLayerHas(p, ".attn_k.weight");
}

bool KeyValueHeadsLater(const P& p) {
  return p.IsArray("attention.head_count_kv") && AnyLayer(p, [&](Number i) {
           return p.KeyValueHeads(i) == 0 || p.KeyValueHeads(i) > p.KeyValueHeads();
         });
}

bool KeyValueHeadsEach(const P& p) {
  return AnyTrue(
      p, [&](Number i) { return p.KeyValueHeads(i) > 0 && p.Heads(i) % p.KeyValueHeads(i) != 0; });
}

bool KeyValueHeadsEachPlain(const P& p) {
  return AnyTrue(p, [&](Number i) {
    return p.KeyValueHeads(i) > 0 && p.At("feed_forward_length", i) == 0 &&
           p.Heads(i) % p.KeyValueHeads(i) != 0;
  });
}

bool KeyValueHeadsNone(const P& p) {
  return AnyTrue(p, [&](Number i) { return p.KeyValueHeads(i) == 0; });
}

bool HeadsPerLayer(const P& p) { return Differs(p, "attention.head_count"); }

bool WindowWidths(const P& p) { return p.WindowKeyWidth() != p.WindowValueWidth(); }

bool WindowWidthIsWidth(const P& p) { return p.WindowKeyWidth() != p.KeyWidth(); }

bool SplitWindowWidths(const P& p) {
  return p.WindowKeyWidth() != p.WindowValueWidth() && AnyLayerHas(p, ".attn_k.weight");
}

bool WindowKeyBeyondValue(const P& p) { return p.WindowKeyWidth() > p.WindowValueWidth(); }

bool WindowValueWidthIsWidth(const P& p) { return p.WindowValueWidth() != p.ValueWidth(); }

constexpr std::array kConditions = {
    Condition{"key-and-value-widths", RuleId::kHeadWidths,
              "attention.key_length attention.value_length attention.head_count embedding_length",
              &KeyAndValueWidths,
              "key_length and value_length must be equal (an absent one is embedding_length / "
              "head_count)"},
    Condition{"widths-of-embedding", RuleId::kHeadWidths,
              "attention.key_length attention.value_length attention.head_count embedding_length",
              &WidthsOfEmbedding,
              "key_length and value_length must be embedding_length / head_count"},
    Condition{"key-width-beyond-embedding", RuleId::kHeadWidths,
              "attention.key_length attention.head_count embedding_length",
              &KeyWidthBeyondEmbedding, "key_length must be at most embedding_length / head_count"},
    Condition{"heads-of-embedding", RuleId::kHeadWidths, "attention.head_count embedding_length",
              &HeadsOfEmbedding, "embedding_length must be a multiple of head_count"},
    Condition{"key-widths-below-embedding", RuleId::kHeadWidths,
              "attention.key_length attention.head_count embedding_length",
              &KeyWidthsBelowEmbedding,
              "key_length times head_count must be at least embedding_length"},
    Condition{"width-odd", RuleId::kHeadWidths,
              "attention.key_length attention.head_count embedding_length", &WidthOdd,
              "the width of a head (key_length) must be even"},
    Condition{"cache-width", RuleId::kCacheType,
              "attention.key_length attention.head_count embedding_length", &CacheWidth,
              "the width of a head (key_length) must be a multiple of 64"},
    Condition{"first-key-value-heads", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count", &FirstKeyValueHeads,
              "head_count must be a multiple of head_count_kv in the first layer"},
    Condition{"first-heads-none", RuleId::kHeadWidths, "attention.head_count", &FirstHeadsNone,
              "the first layer must have attention heads"},
    Condition{"first-key-value-heads-equal", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count", &FirstKeyValueHeadsEqual,
              "head_count_kv must be equal to head_count in the first layer"},
    Condition{"split-heads-equal", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count", &SplitHeadsEqual,
              "head_count_kv must be equal to head_count in the first layer"},
    Condition{"key-value-heads-per-layer", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count", &KeyValueHeadsPerLayer,
              "head_count_kv must be the same in every layer"},
    Condition{"split-key-value-heads", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count", &SplitKeyValueHeads,
              "head_count_kv must be the same in every layer"},
    Condition{"key-value-heads-later", RuleId::kHeadWidths, "attention.head_count_kv",
              &KeyValueHeadsLater,
              "head_count_kv must be at least 1 in every layer, and no more than in the first"},
    Condition{"key-value-heads-each", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count", &KeyValueHeadsEach,
              "head_count must be a multiple of head_count_kv in every layer"},
    Condition{"key-value-heads-each-plain", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count feed_forward_length",
              &KeyValueHeadsEachPlain,
              "head_count must be a multiple of head_count_kv in every layer without a "
              "feed-forward network"},
    Condition{"key-value-heads-none", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count", &KeyValueHeadsNone,
              "head_count_kv must be at least 1 in every layer"},
    Condition{"heads-per-layer", RuleId::kHeadWidths, "attention.head_count", &HeadsPerLayer,
              "head_count must be the same in every layer"},
    Condition{"window-widths", RuleId::kHeadWidths,
              "attention.key_length_swa attention.value_length_swa attention.key_length "
              "attention.value_length",
              &WindowWidths, "key_length_swa and value_length_swa must be equal"},
    Condition{"window-width-is-width", RuleId::kHeadWidths,
              "attention.key_length_swa attention.key_length attention.head_count embedding_length",
              &WindowWidthIsWidth, "key_length_swa must be equal to key_length"},
    Condition{"split-window-widths", RuleId::kHeadWidths,
              "attention.key_length_swa attention.value_length_swa attention.key_length "
              "attention.value_length",
              &SplitWindowWidths, "key_length_swa and value_length_swa must be equal"},
    Condition{"window-key-beyond-value", RuleId::kHeadWidths,
              "attention.key_length_swa attention.value_length_swa attention.key_length "
              "attention.value_length",
              &WindowKeyBeyondValue, "key_length_swa must be at most value_length_swa"},
    Condition{"window-value-width", RuleId::kHeadWidths,
              "attention.value_length_swa attention.value_length", &WindowValueWidthIsWidth,
              "value_length_swa must be equal to value_length"},
};

}  // namespace
}  // namespace head_widths

std::span<const Condition> HeadWidthsConditions() { return head_widths::kConditions; }

}  // namespace ggufgate
