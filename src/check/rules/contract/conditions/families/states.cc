// States of recurrent layers, and the layers that have one.

#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"

namespace ggufgate {
namespace states {
namespace {

using namespace formula;  // the words of the formulas

bool HeadSizeOfVectors(const P& p) { return p.Value("wkv.head_size") % 64 != 0; }

bool HeadSizeDivides(const P& p) {
  return p.Value("wkv.head_size") == 0 || p.Embedding() % p.Value("wkv.head_size") != 0;
}

bool HeadsOfStates(const P& p) {
  return p.Value("wkv.head_size") > 0 && AnyLayer(p, [&](Number i) {
           return p.KeyValueHeads(i) > 0 &&
                  (p.Embedding() / p.Value("wkv.head_size")) % p.KeyValueHeads(i) != 0;
         });
}

bool TokenShifts(const P& p) { return p.Value("token_shift_count", 2) != 2; }

bool OneTokenShift(const P& p) { return p.Value("token_shift_count", 2) != 1; }

bool InnerOfStates(const P& p) {
  return p.Value("ssm.inner_size") != p.Value("ssm.state_size") * p.Value("ssm.time_step_rank");
}

bool InnerTwiceEmbedding(const P& p) { return p.Value("ssm.inner_size") != 2 * p.Embedding(); }

bool InnerOfHeads(const P& p) {
  return p.Value("ssm.time_step_rank") > 0 &&
         p.Value("ssm.inner_size") % p.Value("ssm.time_step_rank") != 0;
}

bool GroupsOfHeads(const P& p) {
  return p.Value("ssm.group_count") > 0 &&
         p.Value("ssm.time_step_rank") % p.Value("ssm.group_count") != 0;
}

bool ShortConvolution(const P& p) { return p.Value("shortconv.l_cache") < 2; }

bool NoGroups(const P& p) { return p.Value("ssm.group_count") != 0; }

bool AttentionInterval(const P& p) {
  return p.Has("full_attention_interval") && p.Value("full_attention_interval") == 0;
}

bool AttentionNowhere(const P& p) {
  return p.layers() > 0 && !AnyTrue(p, [&](Number i) { return p.KeyValueHeads(i) > 0; });
}

bool AttentionNowherePlain(const P& p) {
  return p.layers() > 0 && !AnyTrue(p, [&](Number i) {
           return p.KeyValueHeads(i) > 0 && p.At("feed_forward_length", i) == 0;
         });
}

bool StatesNowhere(const P& p) {
  return p.layers() > 0 && !AnyTrue(p, [&](Number i) { return p.KeyValueHeads(i) == 0; });
}

bool NextLayersNowhere(const P& p) {
  return p.FirstNextLayer() < p.all_layers() && p.Value("attention.sliding_window") > 0 &&
         !AnyLayer(p, [&](Number i) { return i >= p.FirstNextLayer() && p.KeyValueHeads(i) > 0; });
}

bool StatesNowherePlain(const P& p) {
  return p.layers() > 0 && !AnyTrue(p, [&](Number i) {
           return p.KeyValueHeads(i) == 0 && p.At("feed_forward_length", i) == 0;
         });
}

bool IntervalWithoutAttention(const P& p) {
  return TellsRecurrent(p) && !AnyTrue(p, [&](Number i) { return !Recurrent(p, i); });
}

bool IntervalWithoutStates(const P& p) {
  return TellsRecurrent(p) && !AnyTrue(p, [&](Number i) { return Recurrent(p, i); });
}

bool NormGroups(const P& p) {
  return p.Value("attention.group_norm_groups") == 0 ||
         (p.Value("attention.group_norm_groups") > 1'048'576 &&
          p.Value("attention.group_norm_groups") <= 0x7FFF'FFFF);
}

constexpr std::array kConditions = {
    Condition{"wkv-head-size", RuleId::kStateDimensions, "wkv.head_size", &HeadSizeOfVectors,
              "must be a multiple of 64"},
    Condition{"wkv-head-size-divides", RuleId::kStateDimensions, "wkv.head_size embedding_length",
              &HeadSizeDivides, "embedding_length must be a multiple of wkv.head_size"},
    Condition{"heads-of-states", RuleId::kStateDimensions,
              "attention.head_count_kv wkv.head_size embedding_length", &HeadsOfStates,
              "embedding_length / wkv.head_size must be a multiple of head_count_kv"},
    Condition{"token-shifts", RuleId::kStateDimensions, "token_shift_count", &TokenShifts,
              "must be 2"},
    Condition{"one-token-shift", RuleId::kStateDimensions, "token_shift_count", &OneTokenShift,
              "token_shift_count must be 1 (the default is 2)"},
    Condition{"inner-of-states", RuleId::kStateDimensions,
              "ssm.inner_size ssm.state_size ssm.time_step_rank", &InnerOfStates,
              "ssm.inner_size must be ssm.state_size times ssm.time_step_rank"},
    Condition{"inner-twice-embedding", RuleId::kStateDimensions, "ssm.inner_size embedding_length",
              &InnerTwiceEmbedding, "ssm.inner_size must be twice embedding_length"},
    Condition{"inner-of-heads", RuleId::kStateDimensions, "ssm.inner_size ssm.time_step_rank",
              &InnerOfHeads, "ssm.inner_size must be a multiple of ssm.time_step_rank"},
    Condition{"groups-of-heads", RuleId::kStateDimensions, "ssm.group_count ssm.time_step_rank",
              &GroupsOfHeads, "ssm.time_step_rank must be a multiple of ssm.group_count"},
    Condition{"short-convolution", RuleId::kStateDimensions, "shortconv.l_cache", &ShortConvolution,
              "must be at least 2"},
    Condition{"no-groups", RuleId::kStateDimensions, "ssm.group_count", &NoGroups, "must be 0"},
    Condition{"attention-interval", RuleId::kLayerCounts, "full_attention_interval",
              &AttentionInterval, "must not be 0"},
    Condition{"attention-nowhere", RuleId::kLayerCounts,
              "attention.head_count_kv attention.head_count", &AttentionNowhere,
              "at least one layer must have keys and values"},
    Condition{"attention-nowhere-plain", RuleId::kLayerCounts,
              "attention.head_count_kv attention.head_count feed_forward_length",
              &AttentionNowherePlain,
              "at least one layer must have keys and values, and no feed-forward network"},
    Condition{"states-nowhere", RuleId::kLayerCounts,
              "attention.head_count_kv attention.head_count nextn_predict_layers", &StatesNowhere,
              "at least one layer must have a state instead of keys and values"},
    Condition{"next-layers-nowhere", RuleId::kLayerCounts,
              "nextn_predict_layers attention.head_count_kv attention.head_count "
              "attention.sliding_window",
              &NextLayersNowhere,
              "with a sliding window, at least one layer of nextn_predict_layers must have keys "
              "and values"},
    Condition{"states-nowhere-plain", RuleId::kLayerCounts,
              "attention.head_count_kv attention.head_count feed_forward_length",
              &StatesNowherePlain,
              "at least one layer must have a state, without keys and values and without a "
              "feed-forward network"},
    Condition{"interval-without-attention", RuleId::kLayerCounts,
              "attention.recurrent_layers full_attention_interval block_count",
              &IntervalWithoutAttention,
              "at least one layer must have keys and values (the last of every "
              "full_attention_interval, or a layer without a 1 in recurrent_layers)"},
    Condition{"interval-without-states", RuleId::kLayerCounts,
              "attention.recurrent_layers full_attention_interval block_count",
              &IntervalWithoutStates,
              "at least one layer must have a state instead of keys and values"},
    Condition{"norm-groups", RuleId::kArchitectureCondition, "attention.group_norm_groups",
              &NormGroups, "must be 1 to 1,048,576"},
};

}  // namespace
}  // namespace states

std::span<const Condition> StatesConditions() { return states::kConditions; }

}  // namespace ggufgate
