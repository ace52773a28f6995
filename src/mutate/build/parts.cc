#include "mutate/build/parts.h"

#include <algorithm>

#include "bytes/checked.h"
#include "mutate/file/attach.h"
#include "mutate/file/writer.h"

namespace ggufgate::mutate {
namespace {

constexpr Encoding kSound{};
constexpr std::uint64_t kRecordBytes = 128;  // more than a record that is added here takes

void FillWithLetters(Random& random, MutableBytes text) {
  for (std::uint8_t& c : text) c = static_cast<std::uint8_t>('a' + random.Below(26));
}

}  // namespace

std::uint64_t SizeOf(const Entry& entry) { return 8 + entry.key.size() + 4 + entry.value.size(); }

std::uint64_t SizeOf(const Tensor& tensor) {
  return 8 + tensor.name.size() + 4 + 8 * std::uint64_t{tensor.dimension_count} + 4 + 8;
}

bool HasRoom(const MutationContext& context, std::uint64_t more) {
  if (context.written() || more > context.room()) return false;
  std::uint64_t size = kHeaderBytes + more;
  const std::uint64_t alignment = context.draft.alignment;
  for (const Entry& entry : context.draft.entries) size += SizeOf(entry);
  for (const Tensor& tensor : context.draft.tensors) {
    size +=
        SizeOf(tensor) + CheckedAlignUp(tensor.data.size(), std::max<std::uint64_t>(alignment, 1))
                             .value_or(context.room());
  }
  if (!context.draft.tensors.empty()) size += alignment;
  return size <= context.room();
}

std::string_view FreshName(MutationContext& context, std::size_t size) {
  constexpr std::string_view kPrefix = "extra.";
  const MutableBytes name = context.arena.Take(size);
  if (name.size() < kPrefix.size()) return {};
  std::ranges::copy(AsBytes(kPrefix), name.begin());
  FillWithLetters(context.random, name.subspan(kPrefix.size()));
  // Fourteen letters are nobody else's, unless somebody knew the seed.
  const std::string_view text = AsText(name);
  const auto has_it = [text](const auto& records, auto field) {
    return std::ranges::find(records, text, field) != records.end();
  };
  if (has_it(context.draft.entries, &Entry::key) || has_it(context.draft.tensors, &Tensor::name)) {
    return {};
  }
  return text;
}

Bytes NumberValue(MutationContext& context, std::uint64_t number, std::size_t size) {
  const MutableBytes value = context.arena.Take(size);
  for (std::uint8_t& byte : value) {
    byte = static_cast<std::uint8_t>(number);
    number >>= 8;
  }
  return value;
}

Bytes StringValue(MutationContext& context, std::size_t size) {
  const MutableBytes value = context.arena.Take(8 + size);
  if (value.empty()) return {};
  Store<std::uint64_t>(size, kSound.order, value);
  FillWithLetters(context.random, value.subspan(8));
  return value;
}

Bytes ArrayValue(MutationContext& context, ValueType element, std::size_t count) {
  constexpr std::size_t kLetters = 5;
  const bool strings = element == ValueType::kString;
  const std::size_t each = strings ? 8 + kLetters : InfoOf(element).scalar_bytes;
  const MutableBytes value = context.arena.Take(12 + count * each);
  if (value.empty()) return {};
  Writer writer(value, kSound);
  writer.Put(static_cast<std::uint32_t>(element)).Put<std::uint64_t>(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (strings) writer.PutWord(kLetters);
    writer.Fill(strings ? kLetters : each, strings ? 'a' : 0);
  }
  return value;
}

std::optional<std::size_t> AddEntry(MutationContext& context, const Entry& entry, std::size_t at) {
  FixedVector<Entry>& entries = context.draft.entries;
  if (entries.Full() || !HasRoom(context, SizeOf(entry))) return std::nullopt;
  at = std::min(at, entries.size());
  entries.Insert(at, entry);
  return at;
}

std::optional<std::size_t> AddValue(MutationContext& context, ValueType type, Bytes value) {
  if (value.empty()) return std::nullopt;
  const std::string_view key = FreshName(context);
  if (key.empty()) return std::nullopt;
  return AddEntry(context, {.key = key, .type = static_cast<std::uint32_t>(type), .value = value},
                  context.random.Below(context.draft.entries.size() + 1));
}

void ForgetTensorCount(Draft& draft) {
  draft.entries.Keep([](const Entry& entry) { return entry.key != "split.tensors.count"; });
}

std::optional<std::size_t> AddTensor(MutationContext& context, TensorType type,
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
  std::ranges::fill(data, std::uint8_t{0});
  if (at == kAnywhere) at = context.random.Below(draft.tensors.size() + 1);
  draft.tensors.Insert(at, {.name = name,
                            .dimension_count = 1,
                            .dims = {blocks * info.block_elements, 1, 1, 1, 1},
                            .type = id,
                            .data = data});
  ForgetTensorCount(draft);
  LayOut(draft);
  return at;
}

std::optional<std::size_t> SomeEntry(MutationContext& context) {
  if (!context.draft.entries.empty()) return context.random.Below(context.draft.entries.size());
  return AddValue(context, ValueType::kString, StringValue(context, context.random.Below(20)));
}

std::optional<std::size_t> SomeTensor(MutationContext& context) {
  const auto i = PickIndex(context.random, context.draft.tensors, IsUnruled);
  if (i) return i;
  return AddTensor(context, TensorType::kF32, context.random.Between(1, 16));
}

std::optional<std::size_t> LastTensorWithData(MutationContext& context) {
  for (std::size_t i = context.draft.tensors.size(); i > 0; --i) {
    if (!context.draft.tensors[i - 1].data.empty()) return i - 1;
  }
  return AddTensor(context, TensorType::kF32, context.random.Between(1, 16));
}

std::optional<std::uint32_t> ElementTypeOf(const Entry& entry) {
  if (!IsOfType(entry, ValueType::kArray) || entry.value.size() < 12) return std::nullopt;
  return Load<std::uint32_t>(entry.value, kSound.order);
}

}  // namespace ggufgate::mutate
