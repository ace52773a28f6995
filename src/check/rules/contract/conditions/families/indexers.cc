// Indexers of sparse attention, vocoders, and other parts of single architectures.

#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"

namespace ggufgate {
namespace indexers {
namespace {

using namespace formula;  // the words of the formulas

bool PosnetLayers(const P& p) { return p.Value("posnet.block_count") > p.all_layers(); }

bool ConvnextLayers(const P& p) { return p.Value("convnext.block_count") > p.all_layers(); }

bool PosnetWidth(const P& p) {
  return p.Value("posnet.embedding_length") != p.Value("convnext.embedding_length");
}

bool IndexerBlockSize(const P& p) {
  return p.Value("attention.indexer.block_size") > 262'144 ||
         RoundsToNone(p.Value("attention.indexer.block_size"));
}

bool IndexerTop(const P& p) { return p.Value("attention.indexer.top_k") > 0x7FFF'FFFF; }

bool IndexerWidth(const P& p) {
  return p.Value("attention.indexer.key_length") == 0 ||
         p.Value("attention.indexer.key_length") % 64 != 0;
}

bool IndexerWidthPower(const P& p) {
  return p.Value("attention.indexer.key_length") < 64 ||
         !IsPowerOfTwo(p.Value("attention.indexer.key_length"));
}

// Before v0.4.0, the graph looks for the rest of a head behind a part that is as wide as the rest.
bool IndexerRestBeyondRotated(const P& p) {
  return p.Has("attention.indexer.key_length") &&
         p.Value("attention.indexer.key_length") > 2 * p.Rotated();
}

bool IndexerRotated(const P& p) { return p.Value("attention.indexer.key_length") < p.Rotated(); }

bool IndexerHeads(const P& p) {
  return p.Value("attention.indexer.head_count") != p.KeyValueHeads();
}

bool Iterations(const P& p) {
  return AsInt(p.Value("hyper_connection.sinkhorn_iterations")) < 1 ||
         p.Value("hyper_connection.sinkhorn_iterations") > 1'000'000;
}

bool BaseOfOcr(const P& p) {
  return !(p.Real("rope.freq_base", 10000) > 9999 && p.Real("rope.freq_base", 10000) < 10001);
}

bool RotationNowhere(const P& p) {
  return p.Count("attention.rope_pattern") > 0 &&
         !AnyTrue(p, [&](Number i) { return Turned(p, i); });
}

bool RotationOfParts(const P& p) {
  return p.Count("attention.rope_pattern") > 0 && (!AnyTrue(p, [&](Number i) {
           return Windowed(p, i) && Turned(p, i);
         }) || !AnyTrue(p, [&](Number i) { return !Windowed(p, i) && Turned(p, i); }));
}

// The published Granite 4 H has this value: it runs, but its context cannot be shifted.
bool RotationOff(const P& p) { return p.Value("rope.scaling.finetuned", 1) == 0; }

bool FirstIndexer(const P& p) {
  return p.Has("attention.indexer.types") && p.At("attention.indexer.types", 0) == 0;
}

bool IndexerOfFullLayers(const P& p) {
  return AnyTrue(p, [&](Number i) {
    return p.At("attention.sliding_window_pattern", i) == 0 &&
           p.At("attention.indexer.types", i) == 0;
  });
}

bool IndexerOfWindowLayers(const P& p) {
  return AnyTrue(p, [&](Number i) {
    return p.At("attention.sliding_window_pattern", i) != 0 &&
           p.At("attention.indexer.types", i) != 0;
  });
}

bool IndexerAbsent(const P& p) {
  return AnyLayerWithout(p, ".indexer.attn_k.weight",
                         [&](Number i) { return p.At("attention.indexer.types", i, 1) != 0; });
}

// With another length of the array, or with tensors in such layers, the loader refuses the file.
bool IndexerOfNextLayers(const P& p) {
  return LacksNextLayers(p) && p.Count("attention.indexer.types") == p.layers();
}

bool HashTables(const P& p) {
  return AnyTyped(p, ".ffn_gate_tid2eid.weight",
                  [](TensorType type) { return type != TensorType::kI32; });
}

constexpr std::array kConditions = {
    Condition{"posnet-layers", RuleId::kLayerCounts, "posnet.block_count block_count",
              &PosnetLayers, "posnet.block_count must be at most block_count"},
    Condition{"convnext-layers", RuleId::kLayerCounts, "convnext.block_count block_count",
              &ConvnextLayers, "convnext.block_count must be at most block_count"},
    Condition{"posnet-width", RuleId::kArchitectureCondition,
              "posnet.embedding_length convnext.embedding_length", &PosnetWidth,
              "posnet.embedding_length must be equal to convnext.embedding_length"},
    Condition{"indexer-block-size", RuleId::kArchitectureCondition, "attention.indexer.block_size",
              &IndexerBlockSize, "must be a power of 2, 1 to 262,144"},
    Condition{"indexer-top", RuleId::kArchitectureCondition, "attention.indexer.top_k", &IndexerTop,
              "must be less than 2^31"},
    Condition{"indexer-width", RuleId::kArchitectureCondition, "attention.indexer.key_length",
              &IndexerWidth, "must be a multiple of 64"},
    Condition{"indexer-width-power", RuleId::kArchitectureCondition, "attention.indexer.key_length",
              &IndexerWidthPower, "must be a power of 2, at least 64"},
    Condition{"indexer-rest-beyond-rotated", RuleId::kArchitectureCondition,
              "attention.indexer.key_length rope.dimension_count", &IndexerRestBeyondRotated,
              "attention.indexer.key_length must be at most twice rope.dimension_count"},
    Condition{"indexer-rotated", RuleId::kArchitectureCondition,
              "attention.indexer.key_length rope.dimension_count", &IndexerRotated,
              "attention.indexer.key_length must be at least rope.dimension_count"},
    Condition{"indexer-heads", RuleId::kArchitectureCondition,
              "attention.indexer.head_count attention.head_count_kv attention.head_count",
              &IndexerHeads, "attention.indexer.head_count must be equal to head_count_kv"},
    Condition{"iterations", RuleId::kArchitectureCondition, "hyper_connection.sinkhorn_iterations",
              &Iterations, "must be 1 to 1,000,000"},
    Condition{"base-of-ocr", RuleId::kArchitectureCondition, "rope.freq_base", &BaseOfOcr,
              "must be 10,000"},
    Condition{"rotation-nowhere", RuleId::kRopeDimensions, "attention.rope_pattern",
              &RotationNowhere, "at least one layer must use rotary embedding"},
    Condition{
        "rotation-of-parts", RuleId::kRopeDimensions,
        "attention.rope_pattern attention.sliding_window_pattern block_count", &RotationOfParts,
        "at least one layer with a sliding window, and one without, must use rotary embedding"},
    Condition{"rotation-off", RuleId::kContextUnshiftable, "rope.scaling.finetuned", &RotationOff,
              "the model must use rotary embedding"},
    Condition{"first-indexer", RuleId::kArchitectureCondition, "attention.indexer.types",
              &FirstIndexer, "the first layer must have its own indexer"},
    Condition{"indexer-of-full-layers", RuleId::kArchitectureCondition,
              "attention.indexer.types attention.sliding_window_pattern", &IndexerOfFullLayers,
              "layers without a sliding window must have an indexer"},
    Condition{"indexer-of-window-layers", RuleId::kArchitectureCondition,
              "attention.indexer.types attention.sliding_window_pattern", &IndexerOfWindowLayers,
              "layers with a sliding window must not have an indexer"},
    Condition{"indexer-absent", RuleId::kArchitectureCondition,
              "attention.indexer.types block_count", &IndexerAbsent,
              "every layer with its own indexer must have the tensors of an indexer"},
    Condition{"indexer-of-next-layers", RuleId::kArchitectureCondition,
              "nextn_predict_layers attention.indexer.types", &IndexerOfNextLayers,
              "nextn_predict_layers must be 0"},
    Condition{"hash-tables", RuleId::kArchitectureCondition, "hash_layer_count", &HashTables,
              "ffn_gate_tid2eid must be of type I32"},
};

}  // namespace
}  // namespace indexers

std::span<const Condition> IndexersConditions() { return indexers::kConditions; }

}  // namespace ggufgate
