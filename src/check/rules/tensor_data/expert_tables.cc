#include "check/rules/tensor_data/expert_tables.h"

#include <algorithm>
#include <optional>

#include "check/hyper_parameters.h"
#include "check/rules/contract/conditions/conditions.h"
#include "check/rules/contract/parameters/loader_parameters.h"
#include "check/rules/contract/tensors/tensor_patterns.h"
#include "format/contracts/contract_table.h"

namespace ggufgate {
namespace {

// The measured condition: llama.cpp crashes if such a table has another type.
constexpr std::string_view kCondition = "hash-tables";

bool LooksExpertsUp(const Contract& contract) {
  for (const ContractLine& line : ContractLines(contract, "condition")) {
    if (line.name == kCondition) return true;
  }
  return false;
}

}  // namespace

bool ExpertTables::IsTable(const TensorInfo& tensor) const {
  if (tensor.type_id != static_cast<std::uint32_t>(TensorType::kI32)) return false;
  const std::optional<Number> layer = LayerOf(tensor.name);
  return layer && *layer < Number{layers} &&
         PatternOf(tensor.name) == "blk.*.ffn_gate_tid2eid.weight";
}

ExpertTables ExpertTablesOf(const Document& document, const ContractTable& contracts) {
  constexpr std::uint64_t kMostExperts = std::uint64_t{1} << 31;  // no index is larger
  const HyperParameters parameters(document);
  const auto layers = parameters.Unsigned("hash_layer_count");
  const auto experts = parameters.Unsigned("expert_count");
  if (layers.value_or(0) == 0 || experts.value_or(0) == 0) return {};
  if (!IsJudgedByContract(document, parameters)) return {};
  const Contract* contract = contracts.Find(parameters.architecture());
  if (contract == nullptr || !LooksExpertsUp(*contract)) return {};
  return {.experts = static_cast<std::uint32_t>(std::min(*experts, kMostExperts)),
          .layers = *layers};
}

}  // namespace ggufgate
