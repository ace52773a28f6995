#include "mutate/lies/lie_context.h"

#include <algorithm>
#include <array>

#include "mutate/build/compose.h"
#include "mutate/build/entry_value.h"
#include "mutate/file/attach.h"
#include "mutate/repair/meaning.h"

namespace ggufgate::mutate {
namespace {

constexpr std::array kTypes = {ValueType::kU8,  ValueType::kI8,   ValueType::kU16,
                               ValueType::kI16, ValueType::kU32,  ValueType::kI32,
                               ValueType::kU64, ValueType::kI64,  ValueType::kF32,
                               ValueType::kF64, ValueType::kBool, ValueType::kString};

std::uint64_t SizeOf(const Draft& draft) {
  std::uint64_t size = kHeaderBytes;
  for (const Entry& entry : draft.entries) size += 12 + entry.key.size() + entry.value.size();
  if (!draft.tensors.empty()) size += draft.alignment;
  for (const Tensor& tensor : draft.tensors) {
    size += 24 + tensor.name.size() + 8 * std::uint64_t{tensor.dimension_count} +
            tensor.data.size() + draft.alignment;
  }
  return size;
}

// PutOne writes an element that is 1 to the front of `out`, and gives what is behind it.
MutableBytes PutOne(MutableBytes out, ValueType type) {
  const std::size_t size = type == ValueType::kString ? kStringHead + 1 : InfoOf(type).scalar_bytes;
  std::ranges::fill(out.first(size), std::uint8_t{0});
  out.front() = 1;
  if (type == ValueType::kString) out[kStringHead] = '1';
  return out.subspan(size);
}

bool IsArrayShape(KeyShape shape) {
  switch (shape) {
    case KeyShape::kIntegers:
    case KeyShape::kI32s:
    case KeyShape::kF32s:
    case KeyShape::kStrings:
    case KeyShape::kBytes:
    case KeyShape::kOneOrMoreIntegers:
      return true;
    default:
      return IsPerLayer(shape);
  }
}

}  // namespace

bool MakeRoom(MutationContext& context, std::uint64_t bytes) {
  Draft& draft = context.draft;
  constexpr std::size_t kMostAdded = 16;  // entries of one lie
  if (context.written() || bytes > context.arena.Left()) return false;
  if (bytes > context.room() || kHeaderBytes > context.room() - bytes) return false;
  const bool full = draft.entries.size() + kMostAdded > Draft::kMostEntries || draft.tensors.Full();
  if (!full && SizeOf(draft) <= context.room() - bytes) return true;
  draft.entries.Clear();
  draft.tensors.Clear();
  draft.alignment = kDefaultAlignment;
  return true;
}

bool SetArchitecture(MutationContext& context, std::string_view name) {
  const std::string_view prefix = Joined(context.arena, {name, "."});
  DropKeys(context.draft, prefix);
  DropKeys(context.draft, "xielu.");  // have an element for each layer
  // Only without an architecture, or with that of control vectors, are these judged.
  context.draft.tensors.Keep(
      [](const Tensor& tensor) { return !tensor.name.starts_with("direction."); });
  LayOut(context.draft);
  return !prefix.empty() &&
         SetEntry(context.draft, TextEntry(context.arena, kArchitectureKey, name));
}

std::optional<Architecture> SomeArchitecture(MutationContext& context, Suits suits) {
  if (const Entry* const entry = context.draft.Find(kArchitectureKey)) {
    const std::string_view name = TextOf(*entry).value_or("");
    const ArchitectureInfo* const info = FindArchitecture(name);
    if (info != nullptr && suits(*info) && !DividesByHeads(name)) return Architecture{name, info};
  }
  const std::span<const ArchitectureInfo> all = AllArchitectures();
  const std::size_t first = context.random.Below(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ArchitectureInfo& info = all[(first + i) % all.size()];
    if (!suits(info) || DividesByHeads(info.name)) continue;
    if (!SetArchitecture(context, info.name)) return std::nullopt;
    return Architecture{info.name, &info};
  }
  return std::nullopt;
}

std::string_view KeyFor(MutationContext& context, const Architecture& architecture,
                        std::string_view name) {
  return Joined(context.arena, {architecture.name, ".", name});
}

const Entry* SomeVocabulary(MutationContext& context) {
  constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
  // Those that a few tokens are enough for.
  constexpr std::array<std::string_view, 2> kModels = {"t5", "test"};
  constexpr std::array<std::string_view, 4> kFew = {"<unk>", "<s>", "</s>", "<0x20>"};
  const Entry* const entry = context.draft.Find(kTokens);
  if (entry != nullptr && CountOf(*entry) > 0) return entry;
  DropKeys(context.draft, "tokenizer.ggml.");
  const std::string_view model = context.random.Pick(kModels);
  std::size_t i = 0;
  const bool made =
      AddEntry(context.draft, TextEntry(context.arena, "tokenizer.ggml.model", model)) &&
      AddEntry(context.draft,
               TextArrayEntry(context.arena, kTokens, kFew.size(), 8, [&] { return kFew[i++]; }));
  return made ? &context.draft.entries.back() : nullptr;
}

Entry PlainEntry(MutationContext& context, std::string_view key, ValueType type) {
  const std::size_t size = type == ValueType::kString ? kStringHead + 1 : InfoOf(type).scalar_bytes;
  const MutableBytes value = context.arena.Take(size);
  if (!value.empty()) PutOne(value, type);
  return {.key = key, .type = static_cast<std::uint32_t>(type), .value = value};
}

Entry PlainArray(MutationContext& context, std::string_view key, ValueType element,
                 std::uint64_t count) {
  const std::size_t size =
      element == ValueType::kString ? kStringHead + 1 : InfoOf(element).scalar_bytes;
  const MutableBytes value = context.arena.Take(kArrayHead + count * size);
  if (!value.empty()) {
    PutArrayHead(value, element, count);
    for (MutableBytes rest = value.subspan(kArrayHead); !rest.empty();)
      rest = PutOne(rest, element);
  }
  return {.key = key, .type = static_cast<std::uint32_t>(ValueType::kArray), .value = value};
}

Entry MisshapenEntry(MutationContext& context, std::string_view key, KeyShape shape,
                     std::uint64_t count) {
  const bool array = IsArrayShape(shape) ? !context.random.OneIn(8) : context.random.OneIn(4);
  const std::size_t first = context.random.Below(kTypes.size());
  // A scalar and an array of every type: no shape takes them all.
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    const ValueType type = kTypes[(first + i) % kTypes.size()];
    const Entry entry =
        array ? PlainArray(context, key, type, count) : PlainEntry(context, key, type);
    if (entry.value.empty() || !HasShape(entry, shape)) return entry;
  }
  return {};
}

bool Tell(MutationContext& context, std::string_view key, Part part) {
  if (!context.Write()) return false;
  const Entry* const entry = context.draft.Find(key);
  if (entry == nullptr) return false;
  const std::uint64_t begin =
      context.placement
          .entries[static_cast<std::size_t>(entry - context.draft.entries.Things().data())];
  switch (part) {
    case Part::kKey:
      context.lie_at = begin + 8;
      break;
    case Part::kType:
      context.lie_at = Placement::TypeAt(begin, *entry);
      break;
    case Part::kValue:
      context.lie_at = Placement::ValueAt(begin, *entry);
      break;
    case Part::kCount:
      context.lie_at = Placement::ValueAt(begin, *entry) + 4;
      break;
  }
  return true;
}

bool TellTensor(MutationContext& context, TensorPart part) {
  if (!context.Write()) return false;
  const Tensor& tensor = context.draft.tensors.back();
  const std::uint64_t begin = context.placement.tensors.back();
  switch (part) {
    case TensorPart::kName:
      context.lie_at = begin + 8;
      break;
    case TensorPart::kDimensions:
      context.lie_at = Placement::DimensionAt(begin, tensor, 0);
      break;
    case TensorPart::kType:
      context.lie_at = Placement::TypeAt(begin, tensor);
      break;
  }
  return true;
}

bool AddLyingTensor(MutationContext& context, Tensor tensor) {
  constexpr std::uint8_t kByte = 0x11;  // in no type NaN or infinite
  const MutableBytes data = context.arena.Take(SizeOfTensor(tensor).value_or(0));
  if (data.empty()) return false;
  std::ranges::fill(data, kByte);
  tensor.data = data;
  DropKeys(context.draft, "split.");
  if (!context.draft.tensors.Add(tensor)) return false;
  LayOut(context.draft);
  return true;
}

}  // namespace ggufgate::mutate
