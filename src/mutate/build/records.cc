#include "mutate/build/records.h"

#include <algorithm>

#include "bytes/checked.h"
#include "mutate/build/compose.h"
#include "mutate/build/draw.h"
#include "mutate/file/attach.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kRecordBytes = 128;  // upper bound for the record of an inserted tensor

bool IsMade(const Entry& entry) { return !entry.key.empty() && !entry.value.empty(); }

}  // namespace

Entry* AnyString(MutationContext& context) {
  const bool sound = context.draft.encoding == Encoding{};
  return AnyOf(context.draft.entries, context.random,
               [sound](const Entry& entry) { return sound && TextOf(entry); });
}

Entry* AnyArray(MutationContext& context, WantedArray wanted) {
  const bool sound = context.draft.encoding == Encoding{};
  return AnyOf(context.draft.entries, context.random, [&](const Entry& entry) {
    const std::optional<ArrayParts> array = sound ? PartsOf(entry) : std::nullopt;
    return array && wanted(*array);
  });
}

bool AddEntry(Draft& draft, const Entry& entry) {
  return IsMade(entry) && draft.entries.Add(entry);
}

bool SetEntry(Draft& draft, const Entry& entry) {
  Entry* const old = IsMade(entry) ? draft.Find(entry.key) : nullptr;
  if (old == nullptr) return AddEntry(draft, entry);
  *old = entry;
  return true;
}

bool AddAnywhere(MutationContext& context, const Entry& entry) {
  return IsMade(entry) && InsertAnywhere(context.random, context.draft.entries, entry);
}

bool SetValue(Entry& entry, Bytes value) {
  if (value.empty()) return false;
  entry.value = value;
  return true;
}

void DropKey(Draft& draft, std::string_view key) {
  draft.entries.Keep([&](const Entry& entry) { return entry.key != key; });
}

void DropKeys(Draft& draft, std::string_view prefix) {
  draft.entries.Keep([&](const Entry& entry) { return !entry.key.starts_with(prefix); });
}

bool AddNoiseTensor(MutationContext& context, Tensor tensor) {
  const std::optional<std::uint64_t> size = SizeOfTensor(tensor);
  if (!size || *size > context.arena.Left()) return false;
  const MutableBytes data = context.arena.Take(*size);
  MutableBytes rest = data;
  for (; rest.size() >= sizeof(std::uint64_t); rest = rest.subspan(sizeof(std::uint64_t))) {
    Store(context.random.Next(), ByteOrder::kLittle, rest);
  }
  for (std::uint8_t& byte : rest) byte = static_cast<std::uint8_t>(context.random.Next());
  tensor.data = data;
  return context.draft.tensors.Add(tensor);
}

bool HasRoom(const MutationContext& context, std::uint64_t more) {
  if (context.written() || more > context.room()) return false;
  const Draft& draft = context.draft;
  std::uint64_t size = DirectoryEnd(draft) + more;
  for (const Tensor& tensor : draft.tensors) {
    size += CheckedAlignUp(tensor.data.size(), std::max<std::uint64_t>(draft.alignment, 1))
                .value_or(context.room());
  }
  if (!draft.tensors.empty()) size += draft.alignment;
  return size <= context.room();
}

std::optional<std::size_t> InsertEntry(MutationContext& context, const Entry& entry,
                                       std::size_t at) {
  FixedVector<Entry>& entries = context.draft.entries;
  if (entries.Full() || !HasRoom(context, SizeOf(entry))) return std::nullopt;
  at = std::min(at, entries.size());
  entries.Insert(at, entry);
  return at;
}

std::optional<std::size_t> InsertValue(MutationContext& context, ValueType type, Bytes value) {
  if (value.empty()) return std::nullopt;
  const std::string_view key = FreshName(context);
  if (key.empty()) return std::nullopt;
  return InsertEntry(context, EntryOf(key, type, value),
                     context.random.Below(context.draft.entries.size() + 1));
}

bool HoldsZeros(const MutationContext& context, std::size_t tensor) {
  const std::size_t size = context.draft.tensors[tensor].data.size();
  const std::uint64_t at = context.placement.data[tensor];
  return context.Holds(at, size) &&
         std::ranges::all_of(context.bytes().subspan(at, size),
                             [](std::uint8_t byte) { return byte == 0; });
}

std::optional<std::size_t> InsertTensor(MutationContext& context, TensorType type,
                                        std::uint64_t blocks, std::size_t at) {
  Draft& draft = context.draft;
  const auto id = static_cast<std::uint32_t>(type);
  const TensorTypeInfo& info = *FindTensorType(id);
  const std::uint64_t size = blocks * info.block_bytes;
  if (draft.tensors.Full() || !HasRoom(context, size + 2 * draft.alignment + kRecordBytes)) {
    return std::nullopt;
  }
  const std::string_view name = FreshName(context);
  const MutableBytes data = context.arena.Take(size);
  if (name.empty() || data.size() != size) return std::nullopt;
  std::ranges::fill(data, kPlainByte);
  if (at == kAnywhere) at = context.random.Below(draft.tensors.size() + 1);
  draft.tensors.Insert(at, {.name = name,
                            .dimension_count = 1,
                            .dims = {blocks * info.block_elements, 1, 1, 1, 1},
                            .type = id,
                            .data = data});
  DropKey(draft, kTensorCountKey);
  LayOut(draft);
  return at;
}

std::optional<std::size_t> SomeEntry(MutationContext& context) {
  if (!context.draft.entries.empty()) return context.random.Below(context.draft.entries.size());
  return InsertValue(context, ValueType::kString, DrawString(context, context.random.Below(20)));
}

std::optional<std::size_t> SomeTensor(MutationContext& context) {
  const auto i = PickIndex(context.random, context.draft.tensors, IsUnruled);
  if (i) return i;
  return InsertTensor(context, TensorType::kF32, context.random.Between(1, 16));
}

std::optional<std::size_t> LastTensorWithData(MutationContext& context) {
  for (std::size_t i = context.draft.tensors.size(); i > 0; --i) {
    if (!context.draft.tensors[i - 1].data.empty()) return i - 1;
  }
  return InsertTensor(context, TensorType::kF32, context.random.Between(1, 16));
}

}  // namespace ggufgate::mutate
