// Layers that use the keys and values of others, loops, and widths of single architectures.

#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"

namespace ggufgate {
namespace shared_layers {
namespace {

using namespace formula;  // the words of the formulas

// From layer 20 on, gemma3n uses keys and values of layer 18 with a window, and of layer 19 without
// (n_layer_kv_from_start).
bool WindowPeriodSources(const P& p) {
  return AnyTrue(p, [&](Number i) {
    return i >= 20 &&
           WindowedByPeriod(p, WindowedByPeriod(p, i) ? 18 : 19) != WindowedByPeriod(p, i);
  });
}

bool SharedSources(const P& p) {
  return p.Value("attention.shared_kv_layers") > 0 &&
         p.Value("attention.shared_kv_layers") < p.layers() &&
         AnyTrue(
             p,
             [&](Number i) {
               const Number own = p.layers() - p.Value("attention.shared_kv_layers");
               return i >= own && Windowed(p, own - (Windowed(p, i) ? 2 : 1)) != Windowed(p, i);
             });
}

bool TwentyOwnLayers(const P& p) {
  return p.layers() > 20 && p.Has("attention.sliding_window_pattern") && AnyTrue(p, [&](Number i) {
           return i >= 20 && Windowed(p, 20 - (Windowed(p, i) ? 2 : 1)) != Windowed(p, i);
         });
}

bool CompressRatios(const P& p) {
  return AnyTrue(
      p, [&](Number i) { return !Recurrent(p, i) && p.At("attention.compress_ratios", i) > 64; });
}

bool CompressKinds(const P& p) {
  return !AnyLayer(p, [&](Number i) { return p.At("attention.compress_ratios", i) == 4; }) ||
         !AnyLayer(p, [&](Number i) { return p.At("attention.compress_ratios", i) > 4; });
}

bool HyperConnections(const P& p) { return p.Value("hyper_connection.count", 4) != 4; }

bool GramConvolution(const P& p) {
  return p.Has("ple.conv_kernel") && p.Value("ple.conv_kernel") < 2;
}

bool OutputGroups(const P& p) {
  return p.Value("attention.output_group_count") == 0 ||
         p.Heads() % p.Value("attention.output_group_count") != 0;
}

bool LoopsNone(const P& p) { return p.Value("num_loops", 1) == 0; }

// A pass through a layer takes up to 28 nodes of the graph, which has room for 8 per tensor.
bool Loops(const P& p) {
  return p.Value("num_loops", 1) > 1 &&
         p.Value("num_loops") * p.layers() * 28 > std::max<Number>(1064, 8 * p.Tensors());
}

bool GateWidth(const P& p) {
  return AnyRows(p, ".attn_gate.weight", [&](Number i, Number rows) {
    return rows != p.Heads(i) && rows != p.Heads(i) * p.KeyWidth();
  });
}

bool TemperatureScale(const P& p) {
  return p.Real("attention.temperature_scale", 0) != 0 &&
         p.Value("attention.temperature_length") == 0;
}

bool InterleaveStep(const P& p) {
  return p.Has("interleave_moe_layer_step") && p.Value("interleave_moe_layer_step") == 0;
}

bool LatentExperts(const P& p) {
  return p.Value("moe_latent_size") != 0 && p.Value("moe_latent_size") != p.Embedding() &&
         (AnyLayerWithout(p, ".ffn_latent_down.weight",
                          [&](Number i) { return p.HasExperts(i); }) ||
          AnyLayerWithout(p, ".ffn_latent_up.weight", [&](Number i) { return p.HasExperts(i); }));
}

constexpr std::array kConditions = {
    Condition{
        "window-period-sources", RuleId::kSlidingWindow,
        "attention.sliding_window_pattern block_count", &WindowPeriodSources,
        "with more than 20 layers, layer 18 must have a sliding window and layer 19 must not"},
    Condition{"shared-sources", RuleId::kLayerCounts,
              "attention.shared_kv_layers attention.sliding_window_pattern block_count",
              &SharedSources,
              "of the last 2 layers that do not share keys and values, one must have a sliding "
              "window and the other must not"},
    Condition{"twenty-own-layers", RuleId::kLayerCounts,
              "attention.sliding_window_pattern block_count", &TwentyOwnLayers,
              "of layers 18 and 19, one must have a sliding window and the other must not"},
    Condition{"compress-ratios", RuleId::kArchitectureCondition,
              "attention.compress_ratios attention.recurrent_layers full_attention_interval",
              &CompressRatios, "each element must be at most 64 in layers with keys and values"},
    Condition{"compress-kinds", RuleId::kArchitectureCondition,
              "attention.compress_ratios block_count", &CompressKinds,
              "at least one layer must have the ratio 4, and one a greater ratio"},
    Condition{"hyper-connections", RuleId::kArchitectureCondition, "hyper_connection.count",
              &HyperConnections, "must be 4"},
    Condition{"gram-convolution", RuleId::kArchitectureCondition, "ple.conv_kernel",
              &GramConvolution, "must be at least 2"},
    Condition{"output-groups", RuleId::kArchitectureCondition,
              "attention.output_group_count attention.head_count", &OutputGroups,
              "head_count must be a multiple of attention.output_group_count"},
    Condition{"loops-none", RuleId::kLayerCounts, "num_loops", &LoopsNone, "must not be 0"},
    Condition{"loops", RuleId::kLayerCounts, "num_loops", &Loops,
              "num_loops times block_count times 28 must be at most 1,064, or 8 times the number "
              "of tensors"},
    Condition{"gate-width", RuleId::kArchitectureCondition,
              "attention.head_count attention.key_length", &GateWidth,
              "attn_gate must have head_count rows, or head_count times key_length"},
    Condition{"temperature-scale", RuleId::kArchitectureCondition,
              "attention.temperature_scale attention.temperature_length", &TemperatureScale,
              "attention.temperature_scale needs attention.temperature_length"},
    Condition{"interleave-step", RuleId::kLayerCounts, "interleave_moe_layer_step", &InterleaveStep,
              "must not be 0"},
    Condition{"latent-experts", RuleId::kArchitectureCondition, "moe_latent_size embedding_length",
              &LatentExperts,
              "layers with experts of another width than the model must have ffn_latent_down and "
              "ffn_latent_up"},
};

}  // namespace
}  // namespace shared_layers

std::span<const Condition> SharedLayersConditions() { return shared_layers::kConditions; }

}  // namespace ggufgate
