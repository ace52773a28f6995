// Sidecars of a model: adapters, control vectors, shards.

#include <algorithm>

#include "format/loader_limits.h"
#include "format/tensors/tensor_type.h"
#include "mutate/build/entry_value.h"
#include "mutate/repair/meaning.h"

namespace ggufgate::mutate {
namespace {

constexpr std::string_view kLoraA = ".lora_a";
constexpr std::string_view kLoraB = ".lora_b";
constexpr std::string_view kDirection = "direction.";

bool IsHalf(const Tensor& tensor) {
  return tensor.name.ends_with(kLoraA) || tensor.name.ends_with(kLoraB);
}

// AreWhole returns whether every half of a LoRA pair has its other half. Names in a draft are
// unique. So if each b has an a, and their numbers are equal, all are paired.
bool AreWhole(MutationContext& context) {
  const FixedVector<Tensor>& tensors = context.draft.tensors;
  std::size_t left = 0;
  const auto base = [](const Tensor& tensor) {
    return tensor.name.substr(0, tensor.name.size() - kLoraA.size());
  };
  context.seen.Begin(tensors.size());
  for (const Tensor& tensor : tensors) {
    if (!tensor.name.ends_with(kLoraA)) continue;
    ++left;
    context.seen.Add(base(tensor));
  }
  for (const Tensor& tensor : tensors) {
    if (!tensor.name.ends_with(kLoraB)) continue;
    if (left == 0 || context.seen.Add(base(tensor))) return false;
    --left;
  }
  return left == 0;
}

// MayBeHalf returns whether a tensor may be half of a LoRA pair: a matrix of a type with products,
// or a stack of four for experts. It does not know the names of other stacks, and rejects them.
bool MayBeHalf(const Tensor& tensor, std::string_view base) {
  constexpr std::uint64_t kExperts = 4;  // as in GenerateAdapter
  const std::uint64_t matrices = base.ends_with("_exps.weight") ? kExperts : 1;
  return RunsInMatrices(TensorType{tensor.type}) && tensor.dims[0] > 0 && tensor.dims[1] > 0 &&
         tensor.dims[2] == matrices && tensor.dims[3] == 1;
}

// AreSoundHalves rejects halves for the token embeddings.
bool AreSoundHalves(const FixedVector<Tensor>& tensors) {
  return std::ranges::all_of(tensors, [](const Tensor& tensor) {
    if (!IsHalf(tensor)) return true;
    const std::string_view base = tensor.name.substr(0, tensor.name.size() - kLoraA.size());
    return MayBeHalf(tensor, base) && !base.ends_with("token_embd.weight");
  });
}

bool IsSoundDirection(const Tensor& tensor) {
  std::uint64_t layer = 0;
  const std::string_view digits = tensor.name.substr(kDirection.size());
  if (digits.empty() || digits.size() > 3) return false;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    layer = layer * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return layer >= 1 && layer <= kMostLayers &&
         tensor.type == static_cast<std::uint32_t>(TensorType::kF32) && tensor.dims[1] == 1 &&
         tensor.dims[2] == 1 && tensor.dims[3] == 1;
}

}  // namespace

void KeepSoundAdapter(MutationContext& context) {
  // Halves are checked with any `general.type`.
  const bool sound = AreWhole(context) && AreSoundHalves(context.draft.tensors);
  context.draft.tensors.Keep([sound](const Tensor& tensor) {
    if (tensor.name.starts_with(kDirection) && !IsSoundDirection(tensor)) return false;
    return sound || !IsHalf(tensor);
  });
}

void KeepSoundShard(KnownEntries& known) {
  constexpr KeyId kNumber = IdOf("split.no");
  constexpr KeyId kCount = IdOf("split.count");
  constexpr KeyId kTensors = IdOf("split.tensors.count");
  const Entry* const number = known.Find(kNumber);
  const Entry* const count = known.Find(kCount);
  if (number == nullptr || count == nullptr) return;
  const std::uint64_t shards = UnsignedOf(*count).value_or(0);
  if (shards == 0) return;  // a merged file
  if (UnsignedOf(*number).value_or(0) >= shards) return known.Drop(kNumber);
  const Entry* const tensors = known.Find(kTensors);
  if (tensors == nullptr) return;
  const std::uint64_t all = UnsignedOf(*tensors).value_or(0);
  const std::uint64_t here = known.draft().tensors.size();
  if (here > all || (shards == 1 && here != all)) known.Drop(kTensors);
}

}  // namespace ggufgate::mutate
