#include "format/tensors/tensor_type.h"

#include <algorithm>
#include <array>
#include <bit>

namespace ggufgate {
namespace {

constexpr std::array kTensorTypes = {
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  TensorTypeInfo{TensorType::k##name, #name, elements, bytes, quantised},
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE
};

constexpr std::array kForkLayouts = {
#define GGUFGATE_FORK_LAYOUT(id, elements, bytes, fork) ForkLayout{id, elements, bytes, fork},
#include "format/tensors/fork_layouts.def"
#undef GGUFGATE_FORK_LAYOUT
};

static_assert(std::ranges::is_sorted(kTensorTypes, {}, &TensorTypeInfo::type));
static_assert(std::ranges::all_of(kTensorTypes, [](const TensorTypeInfo& info) {
  return std::has_single_bit(info.block_elements) && info.block_bytes > 0;
}));

constexpr std::uint32_t NumberOf(const TensorTypeInfo& info) {
  return static_cast<std::uint32_t>(info.type);
}

// kIndexes has the index in kTensorTypes for each number; kNowhere for unused numbers.
constexpr std::size_t kNowhere = kTensorTypes.size();
constexpr auto kIndexes = [] {
  std::array<std::size_t, NumberOf(kTensorTypes.back()) + 1> indexes{};
  indexes.fill(kNowhere);
  for (std::size_t i = 0; i < kTensorTypes.size(); ++i) {
    indexes.at(NumberOf(kTensorTypes.at(i))) = i;
  }
  return indexes;
}();

}  // namespace

const TensorTypeInfo* FindTensorType(std::uint32_t id) {
  const std::size_t index = id < kIndexes.size() ? kIndexes.at(id) : kNowhere;
  return index != kNowhere ? &kTensorTypes.at(index) : nullptr;
}

const TensorTypeInfo* FindTensorTypeNamed(std::string_view name) {
  const auto found = std::ranges::find(kTensorTypes, name, &TensorTypeInfo::name);
  return found != kTensorTypes.end() ? &*found : nullptr;
}

const ForkLayout* FindForkLayout(std::uint32_t id) {
  const auto found = std::ranges::find(kForkLayouts, id, &ForkLayout::id);
  return found != kForkLayouts.end() ? &*found : nullptr;
}

std::span<const TensorTypeInfo> AllTensorTypes() { return kTensorTypes; }

}  // namespace ggufgate
