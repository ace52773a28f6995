// Requirements for every record of the tensor directory, and its data.

#include <algorithm>
#include <bit>
#include <optional>

#include "bytes/checked.h"
#include "bytes/utf8.h"
#include "format/loader_limits.h"
#include "format/tensors/tensor_type.h"
#include "format/unicode/ignorable.h"
#include "mutate/build/name_look.h"
#include "mutate/file/attach.h"
#include "mutate/repair/clean.h"
#include "mutate/repair/examples.h"
#include "mutate/repair/repair.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kLongestName = kLongestNameOfLlamaCpp;

bool IsNameByte(char c) { return static_cast<unsigned char>(c) >= ' ' && c != '\x7F'; }

// IsForeignName is true for a valid name with characters outside ASCII.
bool IsForeignName(std::string_view name) {
  return std::ranges::all_of(name, IsNameByte) && IsUtf8(AsBytes(name)) && !FindIgnorable(name);
}

// MendShape corrects the dimensions: the type allows them, llama.cpp accepts their number, and the
// data fit into `room`. It returns the size of the data.
std::uint64_t MendShape(Tensor& tensor, const TensorTypeInfo& type, std::uint64_t room) {
  tensor.dimension_count = std::min(tensor.dimension_count, kMaximumDimensions);
  for (std::size_t i = 0; i < kReadDimensions; ++i) {
    if (i >= tensor.dimension_count || (tensor.dims[i] == 0 && i > 0)) tensor.dims[i] = 1;
  }
  if (tensor.dims[0] == 0) {  // an empty row: the other dimensions need no room
    if (std::ranges::max(tensor.dims) > room) tensor.dims = {0, 1, 1, 1, 1};
    return 0;
  }
  const std::uint64_t blocks =
      std::max<std::uint64_t>(tensor.dims[0] >> std::countr_zero(type.block_elements), 1);
  if (tensor.dimension_count == 0 && type.block_elements > 1) tensor.dimension_count = 1;
  tensor.dims[0] = tensor.dimension_count == 0 ? 1 : blocks * type.block_elements;
  const std::optional<std::uint64_t> size = SizeOfTensor(tensor, type);
  if (size && *size <= room) return *size;
  tensor.dims = {type.block_elements, 1, 1, 1, 1};
  return type.block_bytes;
}

// MendData gives the data the right size, and makes them finite.
bool MendData(Tensor& tensor, std::uint64_t size, Arena& arena) {
  if (tensor.data.size() > size) tensor.data = tensor.data.first(size);
  if (tensor.data.size() == size && IsClean(tensor.type, tensor.data)) return true;
  if (size > arena.Left()) return false;
  const MutableBytes data = arena.Take(size);
  std::ranges::copy(tensor.data, data.begin());
  std::ranges::fill(data.subspan(tensor.data.size()), std::uint8_t{0});
  MakeClean(tensor.type, data);
  tensor.data = data;
  return true;
}

bool IsZero(const Tensor& tensor) {
  return std::ranges::all_of(tensor.data, [](std::uint8_t byte) { return byte == 0; });
}

// EndsInZeros is true if two or more tensors at the end are zero, and they may be a quarter of the
// file. A later mutation may change the other tensors, or make floats of integers.
bool EndsInZeros(const Draft& draft) {
  std::uint64_t zeros = 0;
  std::size_t count = 0;
  std::size_t left = draft.tensors.size();
  for (; left > 0 && IsZero(draft.tensors[left - 1]); --left) {
    zeros += draft.tensors[left - 1].data.size();
    if (!draft.tensors[left - 1].data.empty()) ++count;
  }
  if (count < 2) return false;
  std::uint64_t all = zeros;
  for (; left > 0; --left) all += draft.tensors[left - 1].data.size();
  return zeros > all / 5;  // a fifth of the data: the header and the padding count too
}

}  // namespace

// It sets the last byte to 1. That byte is valid in each type, and is never a whole scale, so no
// mutation of one value makes it zero again.
void FinishData(MutationContext& context) {
  Draft& draft = context.draft;
  while (EndsInZeros(draft)) {
    std::size_t last = draft.tensors.size() - 1;
    while (draft.tensors[last].data.empty()) --last;  // there are two with data
    Tensor& tensor = draft.tensors[last];
    if (tensor.data.size() > context.arena.Left()) {
      draft.tensors.Cut(last);
      continue;
    }
    const MutableBytes data = context.arena.Take(tensor.data.size());
    std::ranges::fill(data, std::uint8_t{0});
    data.back() = 1;
    tensor.data = data;
  }
}

void RepairTensors(MutationContext& context) {
  Draft& draft = context.draft;
  context.seen.Begin(draft.tensors.size());
  draft.tensors.Keep([&](Tensor& tensor) {
    if (tensor.name.size() > kLongestName) tensor.name = tensor.name.substr(0, kLongestName);
    const NameLook look = LookAt(tensor.name);
    if (!look.printable && !IsForeignName(tensor.name)) return false;
    if (!context.seen.Add(tensor.name, look.hash)) return false;
    const TensorTypeInfo* type = FindTensorType(tensor.type);
    if (type == nullptr) {
      type = FindTensorType(static_cast<std::uint32_t>(TensorType::kF32));
      tensor.type = static_cast<std::uint32_t>(TensorType::kF32);
    }
    const std::uint64_t size = MendShape(tensor, *type, context.room());
    return MayStay(context, tensor) && MendData(tensor, size, context.arena);
  });
}

}  // namespace ggufgate::mutate
