// Inputs: widths of embeddings, positions; and experts of single architectures.

#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"

namespace ggufgate {
namespace inputs {
namespace {

using namespace formula;  // the words of the formulas

bool DenseIn(const P& p) {
  return p.Value("dense_2_feat_in") != 0 && p.Value("dense_2_feat_in") != p.Embedding();
}

bool DenseOut(const P& p) {
  return p.Value("dense_3_feat_out") != 0 && p.Value("dense_3_feat_out") != p.Embedding();
}

bool GatedFeedForward(const P& p) {
  return AnyRows(p, ".ffn_up.weight", [&](Number, Number rows) {
    return rows != p.Value("feed_forward_length") && rows != 2 * p.Value("feed_forward_length");
  });
}

bool EmbeddingsOfGrams(const P& p) {
  return p.Has("ple.ngram_size") && (p.Value("ple.ngram_size") - 1) *
                                            p.Value("ple.heads_per_ngram") *
                                            p.Value("embedding_length_per_layer_input") !=
                                        p.Embedding();
}

bool ExpertsPerGroup(const P& p) { return p.Value("experts_per_group") == 0; }

bool ExpertsInGroups(const P& p) {
  return p.Value("experts_per_group") > 0 &&
         p.Value("expert_count") % p.Value("experts_per_group") != 0;
}

bool Positions(const P& p) { return p.Value("context_length") < 64; }

bool PositionsOfText(const P& p) { return p.Value("context_length") < 32; }

bool PositionsOfTable(const P& p) {
  return p.Value("context_length") < 64 && HasTensor(p, "position_embd.weight");
}

bool RelativeBuckets(const P& p) { return p.Value("attention.relative_buckets_count") < 4; }

// The width of an expert is feed_forward_length divided by expert_used_count, if it is absent.
bool ExpertWidthOfNone(const P& p) { return IsExpertWidthOfNone(p); }

bool NextExpertWidth(const P& p) {
  return p.FirstNextLayer() < p.all_layers() && IsExpertWidthOfNone(p);
}

bool ExpertsAlways(const P& p) { return p.Value("expert_count") == 0; }

// A norm of all keys of a token has as many numbers as the embedding. The graph uses the heads of
// the first layer.
bool JoinedKeyNorm(const P& p) {
  return p.KeyValueHeads(0) * p.KeyWidth() != p.Embedding() &&
         AnyLayerHas(p, ".attn_k_norm.weight");
}

bool StacksAndCycles(const P& p) {
  return p.Value("nextn_predict_layers") >= p.all_layers() ||
         p.Value("hrm.layers_per_stack") == 0 || p.Value("hrm.h_cycles") == 0 ||
         p.Value("hrm.l_cycles") == 0 ||
         p.Value("hrm.layers_per_stack") * p.Value("hrm.h_cycles") *
                 (p.Value("hrm.l_cycles") + 1) !=
             p.layers();
}

bool GateLowerBound(const P& p) { return !(p.Real("kda.gate_lower_bound", 0) < 0); }

bool SafeGate(const P& p) { return p.Value("kda.safe_gate", 1) == 0; }

constexpr std::array kConditions = {
    Condition{"dense-in", RuleId::kArchitectureCondition, "dense_2_feat_in embedding_length",
              &DenseIn, "dense_2_feat_in must be equal to embedding_length"},
    Condition{"dense-out", RuleId::kArchitectureCondition, "dense_3_feat_out embedding_length",
              &DenseOut, "dense_3_feat_out must be equal to embedding_length"},
    Condition{"gated-feed-forward", RuleId::kArchitectureCondition, "feed_forward_length",
              &GatedFeedForward, "ffn_up must have feed_forward_length rows, or twice as many"},
    Condition{
        "embeddings-of-grams", RuleId::kArchitectureCondition,
        "ple.ngram_size ple.heads_per_ngram embedding_length_per_layer_input embedding_length",
        &EmbeddingsOfGrams,
        "(ple.ngram_size - 1) times ple.heads_per_ngram times embedding_length_per_layer_input "
        "must be equal to embedding_length"},
    Condition{"experts-per-group", RuleId::kArchitectureCondition, "experts_per_group",
              &ExpertsPerGroup, "must not be 0"},
    Condition{"experts-in-groups", RuleId::kArchitectureCondition, "experts_per_group expert_count",
              &ExpertsInGroups, "expert_count must be a multiple of experts_per_group"},
    Condition{
        "positions", RuleId::kArchitectureCondition, "context_length", &Positions,
        "must be at least 64, because each token of a text needs a row in the table of positions"},
    Condition{
        "positions-of-text", RuleId::kArchitectureCondition, "context_length", &PositionsOfText,
        "must be at least 32, because each token of a text needs a row in the table of positions"},
    Condition{"positions-of-table", RuleId::kArchitectureCondition, "context_length",
              &PositionsOfTable,
              "must be at least 64 in a model with the tensor position_embd.weight, because each "
              "token of a text needs a row in it"},
    Condition{"relative-buckets", RuleId::kArchitectureCondition,
              "attention.relative_buckets_count", &RelativeBuckets, "must be at least 4"},
    Condition{"expert-width-of-none", RuleId::kExpertRouting,
              "expert_used_count expert_feed_forward_length", &ExpertWidthOfNone,
              "expert_used_count must not be 0 without expert_feed_forward_length"},
    Condition{"next-expert-width", RuleId::kExpertRouting,
              "nextn_predict_layers expert_used_count expert_feed_forward_length", &NextExpertWidth,
              "with nextn_predict_layers, expert_used_count must not be 0 without "
              "expert_feed_forward_length"},
    Condition{"experts-always", RuleId::kExpertRouting, "expert_count", &ExpertsAlways,
              "expert_count must not be 0"},
    Condition{"joined-key-norm", RuleId::kHeadWidths,
              "attention.head_count_kv attention.head_count attention.key_length", &JoinedKeyNorm,
              "head_count_kv of the first layer times the width of a head must be equal to "
              "embedding_length in a model with the tensor attn_k_norm"},
    Condition{"stacks-and-cycles", RuleId::kLayerCounts,
              "hrm.layers_per_stack hrm.h_cycles hrm.l_cycles nextn_predict_layers block_count",
              &StacksAndCycles,
              "layers_per_stack times h_cycles times (l_cycles + 1) must be equal to block_count "
              "minus nextn_predict_layers"},
    Condition{"gate-lower-bound", RuleId::kArchitectureCondition, "kda.gate_lower_bound",
              &GateLowerBound, "must be negative"},
    Condition{"safe-gate", RuleId::kArchitectureCondition, "kda.safe_gate", &SafeGate,
              "must be true"},
};

}  // namespace
}  // namespace inputs

std::span<const Condition> InputsConditions() { return inputs::kConditions; }

}  // namespace ggufgate
