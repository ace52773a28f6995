// Outputs: pooling, widths, and norms.

#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"

namespace ggufgate {
namespace outputs {
namespace {

using namespace formula;  // the words of the formulas

bool PoolingType(const P& p) {
  return p.Value("pooling_type") > 4 && p.Value("pooling_type") != 0xFFFF'FFFF;
}

bool EmbeddingOut(const P& p) { return p.Value("embedding_length_out") > p.Embedding(); }

bool LayerNormEpsilon(const P& p) { return !(p.Real("attention.layer_norm_epsilon", 0) >= 0); }

bool RmsEpsilon(const P& p) { return !(p.Real("attention.layer_norm_rms_epsilon", 0) >= 0); }

constexpr std::array kConditions = {
    Condition{"pooling-type", RuleId::kPoolingType, "pooling_type", &PoolingType,
              "must be 0 to 4, or 4,294,967,295 (no pooling)"},
    Condition{"embedding-out", RuleId::kArchitectureCondition,
              "embedding_length_out embedding_length", &EmbeddingOut,
              "embedding_length_out must be at most embedding_length"},
    Condition{"layer-norm-epsilon", RuleId::kEpsilon, "attention.layer_norm_epsilon",
              &LayerNormEpsilon, "must be 0 or more, and not NaN"},
    Condition{"rms-epsilon", RuleId::kEpsilon, "attention.layer_norm_rms_epsilon", &RmsEpsilon,
              "must be 0 or more, and not NaN"},
};

}  // namespace
}  // namespace outputs

std::span<const Condition> OutputsConditions() { return outputs::kConditions; }

}  // namespace ggufgate
