#include "check/rules/tensor_data/expert_tables.h"

#include <algorithm>
#include <optional>

#include "check/hyper_parameters.h"
#include "check/policy.h"
#include "check/rules/contract/conditions/conditions.h"
#include "check/rules/contract/parameters/loader_parameters.h"
#include "check/rules/contract/tensors/tensor_patterns.h"
#include "format/contracts/contract_table.h"

namespace ggufgate {
namespace {

// The measured condition: llama.cpp crashes if such a table has another type.
constexpr std::string_view kCondition = "hash-tables";

bool LooksExpertsUp(std::string_view architecture, const ContractTable& contracts) {
  const Contract* contract = contracts.Find(architecture);
  if (contract == nullptr) return false;
  for (const ContractLine& line : ContractLines(*contract, "condition")) {
    if (line.name == kCondition) return true;
  }
  return false;
}

// The same for any loader of the policy. The data are read once for all of them.
bool LooksExpertsUp(std::string_view architecture, const Policy& policy) {
  if (policy.loaders.empty()) return LooksExpertsUp(architecture, ContractTable::CompiledIn());
  return std::ranges::any_of(
      policy.loaders, [&](const auto& loader) { return LooksExpertsUp(architecture, *loader); });
}

}  // namespace

bool ExpertTables::IsTable(const TensorInfo& tensor) const {
  if (tensor.type_id != static_cast<std::uint32_t>(TensorType::kI32)) return false;
  const std::optional<Number> layer = LayerOf(tensor.name);
  return layer && *layer < Number{layers} &&
         PatternOf(tensor.name) == "blk.*.ffn_gate_tid2eid.weight";
}

ExpertTables ExpertTablesOf(const Document& document, const Policy& policy) {
  constexpr std::uint64_t kMostExperts = std::uint64_t{1} << 31;  // no index is larger
  const HyperParameters parameters(document);
  const auto layers = parameters.Unsigned("hash_layer_count");
  const auto experts = parameters.Unsigned("expert_count");
  if (layers.value_or(0) == 0 || experts.value_or(0) == 0) return {};
  if (!IsJudgedByContract(document, parameters)) return {};
  if (!LooksExpertsUp(parameters.architecture(), policy)) return {};
  return {.experts = static_cast<std::uint32_t>(std::min(*experts, kMostExperts)),
          .layers = *layers};
}

}  // namespace ggufgate
