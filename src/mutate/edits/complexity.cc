// Edits that cause much work for few bytes, within all limits.

#include <algorithm>
#include <array>

#include "format/tensors/tensor_type.h"
#include "mutate/build/compose.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kMany = 256;

// PutDigits writes a number with leading zeros, so that it fills `out`.
void PutDigits(MutableBytes out, std::uint64_t number) {
  for (std::size_t i = out.size(); i > 0; --i) {
    out[i - 1] = static_cast<std::uint8_t>('0' + number % 10);
    number /= 10;
  }
}

// AddNumbered adds records whose names differ only in the digits at the end. `bytes` is the size of
// a record in the file, without its name.
template <typename Record, typename Add>
bool AddNumbered(MutationContext& context, std::string_view prefix, std::size_t bytes, Add add) {
  constexpr std::size_t kDigits = 4;
  const std::size_t most = context.room() / 4 / (bytes + prefix.size() + kDigits);
  const std::size_t count = std::min(most, context.random.Between(16, kMany));
  const std::uint64_t first = context.random.Below(1000);
  for (std::size_t i = 0; i < count; ++i) {
    const MutableBytes name = context.arena.Take(prefix.size() + kDigits);
    if (name.empty()) break;
    std::ranges::copy(AsBytes(prefix), name.begin());
    PutDigits(name.subspan(prefix.size()), first + i);
    if (!add(AsText(name))) break;
  }
  return count > 0;
}

}  // namespace

bool EditManyEntries(MutationContext& context) {
  const Bytes value = NumberValue(context.arena, 1, 1);
  const std::string_view prefix = DrawWord(context, context.random.OneIn(2) ? 1 : 40);
  if (value.empty() || prefix.empty()) return false;
  return AddNumbered<Entry>(context, prefix, 13, [&](std::string_view key) {
    return context.draft.entries.Add({.key = key, .type = 0, .value = value});
  });
}

bool EditManyTensors(MutationContext& context) {
  const std::string_view prefix = DrawWord(context, context.random.OneIn(2) ? 1 : 40);
  const Bytes data = NumberValue(context.arena, 1, 1);
  if (data.empty() || prefix.empty()) return false;
  return AddNumbered<Tensor>(context, prefix, 24 + 32, [&](std::string_view name) {
    return context.draft.tensors.Add(
        {.name = name, .type = static_cast<std::uint32_t>(TensorType::kI8), .data = data});
  });
}

bool EditManyStrings(MutationContext& context) {
  const std::size_t most = std::min<std::size_t>(context.room() / 4 / 8, 4096);
  const std::uint64_t count = context.random.Below(most + 1);
  const MutableBytes lengths = context.arena.Take(8 * count);
  if (lengths.empty()) return false;
  std::ranges::fill(lengths, std::uint8_t{0});
  const std::string_view key = DrawKey(context);
  return AddAnywhere(context,
                     EntryOf(key, ValueType::kArray,
                             ArrayValue(context.arena, ValueType::kString, count, lengths)));
}

bool EditEmptyArrays(MutationContext& context) {
  const Bytes value = ArrayValue(context.arena, AnyScalarType(context.random), 0, {});
  const std::string_view prefix = DrawWord(context, 4);
  if (value.empty() || prefix.empty()) return false;
  return AddNumbered<Entry>(context, prefix, 24, [&](std::string_view key) {
    return context.draft.entries.Add(EntryOf(key, ValueType::kArray, value));
  });
}

}  // namespace ggufgate::mutate
