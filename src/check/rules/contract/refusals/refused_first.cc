// Finds out whether the loader refuses a file before it creates a context. Then conditions of later
// stages do not apply, or may not apply.

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "check/hyper_parameters.h"
#include "check/rules/contract/conditions/conditions.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "format/contracts/contract.h"
#include "format/key.h"

namespace ggufgate {
namespace {

// HasUnreadableKey returns whether a key of the architecture has a type that the loader refuses.
// Rule hyperparameter-type reports it.
bool HasUnreadableKey(const Context& context) {
  const std::string_view architecture = context.parameters.architecture();
  return std::ranges::any_of(context.document.metadata, [&](const MetadataEntry& entry) {
    if (!IsLoaderParameter(entry.key, architecture)) return false;
    const KeyInfo* key = FindKey(entry.key, architecture);
    return key != nullptr && !HasShape(entry, key->shape);
  });
}

// HasTensorBeyond returns whether a tensor belongs to a layer at or above block_count.
bool HasTensorBeyond(const Context& context) {
  const std::optional<std::uint64_t> layers = context.parameters.Layers();
  return layers && std::ranges::any_of(context.document.tensors, [&](const TensorInfo& tensor) {
           const std::optional<Number> layer = LayerOf(tensor.name);
           return layer && *layer >= Number{*layers};
         });
}

}  // namespace

bool IsRefusedAtLoad(const Context& context) {
  return !AbsentKeysOf(context).empty() || HasAbsentTensor(context) ||
         HasMisshapenTensor(context) || HasUnknownTensor(context) || HasTensorBeyond(context) ||
         LacksNextLayer(context) || HasUnreadableKey(context);
}

bool MayBeRefused(const Context& context) {
  if (ContractOfModel(context) == nullptr || HasOtherShards(context.document)) return false;
  if (!KnowsAllShapes(context)) return true;
  const LoaderParameters& parameters = LoaderParametersOf(context);
  // An array may define the kind of each layer, and so the tensors that it needs.
  if (parameters.HasArrays() || parameters.layers() != parameters.all_layers()) return true;
  constexpr std::array<std::string_view, 5> kWholeHeads = {"llama", "llama-embed", "deci", "falcon",
                                                           "hy_v4"};
  return std::ranges::find(kWholeHeads, context.parameters.architecture()) != kWholeHeads.end() &&
         parameters.Rotated() != parameters.KeyWidth();
}

}  // namespace ggufgate
