#include "mutate/lie_context.h"

#include <algorithm>
#include <array>

#include "mutate/attach.h"
#include "mutate/compose.h"
#include "mutate/entry_value.h"
#include "mutate/repair_meaning.h"

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

bool MakeRoom(Bench& bench, std::uint64_t bytes) {
  Draft& draft = bench.draft;
  constexpr std::size_t kMostAdded = 16;  // entries of one lie
  if (bench.written() || bytes > bench.scratch.Left()) return false;
  if (bytes > bench.room() || kHeaderBytes > bench.room() - bytes) return false;
  const bool full = draft.entries.size() + kMostAdded > Draft::kMostEntries || draft.tensors.Full();
  if (!full && SizeOf(draft) <= bench.room() - bytes) return true;
  draft.entries.Clear();
  draft.tensors.Clear();
  draft.alignment = kDefaultAlignment;
  return true;
}

bool SetArchitecture(Bench& bench, std::string_view name) {
  const std::string_view prefix = Joined(bench.scratch, {name, "."});
  DropKeys(bench.draft, prefix);
  DropKeys(bench.draft, "xielu.");  // have an element for each layer
  // Only without an architecture, or with that of control vectors, are these judged.
  bench.draft.tensors.Keep(
      [](const Tensor& tensor) { return !tensor.name.starts_with("direction."); });
  LayOut(bench.draft);
  return !prefix.empty() && SetEntry(bench.draft, TextEntry(bench.scratch, kArchitectureKey, name));
}

std::optional<Architecture> SomeArchitecture(Bench& bench, Suits suits) {
  if (const Entry* const entry = bench.draft.Find(kArchitectureKey)) {
    const std::string_view name = TextOf(*entry).value_or("");
    const ArchitectureInfo* const info = FindArchitecture(name);
    if (info != nullptr && suits(*info) && !DividesByHeads(name)) return Architecture{name, info};
  }
  const std::span<const ArchitectureInfo> all = AllArchitectures();
  const std::size_t first = bench.random.Below(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ArchitectureInfo& info = all[(first + i) % all.size()];
    if (!suits(info) || DividesByHeads(info.name)) continue;
    if (!SetArchitecture(bench, info.name)) return std::nullopt;
    return Architecture{info.name, &info};
  }
  return std::nullopt;
}

std::string_view KeyFor(Bench& bench, const Architecture& architecture, std::string_view name) {
  return Joined(bench.scratch, {architecture.name, ".", name});
}

const Entry* SomeVocabulary(Bench& bench) {
  constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
  // Those that a few tokens are enough for.
  constexpr std::array<std::string_view, 2> kModels = {"t5", "test"};
  constexpr std::array<std::string_view, 4> kFew = {"<unk>", "<s>", "</s>", "<0x20>"};
  const Entry* const entry = bench.draft.Find(kTokens);
  if (entry != nullptr && CountOf(*entry) > 0) return entry;
  DropKeys(bench.draft, "tokenizer.ggml.");
  const std::string_view model = bench.random.Pick(kModels);
  std::size_t i = 0;
  const bool made =
      AddEntry(bench.draft, TextEntry(bench.scratch, "tokenizer.ggml.model", model)) &&
      AddEntry(bench.draft,
               TextArrayEntry(bench.scratch, kTokens, kFew.size(), 8, [&] { return kFew[i++]; }));
  return made ? &bench.draft.entries.back() : nullptr;
}

Entry PlainEntry(Bench& bench, std::string_view key, ValueType type) {
  const std::size_t size = type == ValueType::kString ? kStringHead + 1 : InfoOf(type).scalar_bytes;
  const MutableBytes value = bench.scratch.Take(size);
  if (!value.empty()) PutOne(value, type);
  return {.key = key, .type = static_cast<std::uint32_t>(type), .value = value};
}

Entry PlainArray(Bench& bench, std::string_view key, ValueType element, std::uint64_t count) {
  const std::size_t size =
      element == ValueType::kString ? kStringHead + 1 : InfoOf(element).scalar_bytes;
  const MutableBytes value = bench.scratch.Take(kArrayHead + count * size);
  if (!value.empty()) {
    PutArrayHead(value, element, count);
    for (MutableBytes rest = value.subspan(kArrayHead); !rest.empty();)
      rest = PutOne(rest, element);
  }
  return {.key = key, .type = static_cast<std::uint32_t>(ValueType::kArray), .value = value};
}

Entry MisshapenEntry(Bench& bench, std::string_view key, KeyShape shape, std::uint64_t count) {
  const bool array = IsArrayShape(shape) ? !bench.random.OneIn(8) : bench.random.OneIn(4);
  const std::size_t first = bench.random.Below(kTypes.size());
  // A scalar and an array of every type: no shape takes them all.
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    const ValueType type = kTypes[(first + i) % kTypes.size()];
    const Entry entry = array ? PlainArray(bench, key, type, count) : PlainEntry(bench, key, type);
    if (entry.value.empty() || !HasShape(entry, shape)) return entry;
  }
  return {};
}

bool Tell(Bench& bench, std::string_view key, Part part) {
  if (!bench.Write()) return false;
  const Entry* const entry = bench.draft.Find(key);
  if (entry == nullptr) return false;
  const std::uint64_t begin =
      bench.placement
          .entries[static_cast<std::size_t>(entry - bench.draft.entries.Things().data())];
  switch (part) {
    case Part::kKey:
      bench.lie_at = begin + 8;
      break;
    case Part::kType:
      bench.lie_at = Placement::TypeAt(begin, *entry);
      break;
    case Part::kValue:
      bench.lie_at = Placement::ValueAt(begin, *entry);
      break;
    case Part::kCount:
      bench.lie_at = Placement::ValueAt(begin, *entry) + 4;
      break;
  }
  return true;
}

bool TellTensor(Bench& bench, TensorPart part) {
  if (!bench.Write()) return false;
  const Tensor& tensor = bench.draft.tensors.back();
  const std::uint64_t begin = bench.placement.tensors.back();
  switch (part) {
    case TensorPart::kName:
      bench.lie_at = begin + 8;
      break;
    case TensorPart::kDimensions:
      bench.lie_at = Placement::DimensionAt(begin, tensor, 0);
      break;
    case TensorPart::kType:
      bench.lie_at = Placement::TypeAt(begin, tensor);
      break;
  }
  return true;
}

bool AddLyingTensor(Bench& bench, Tensor tensor) {
  constexpr std::uint8_t kByte = 0x11;  // in no type NaN or infinite
  const MutableBytes data = bench.scratch.Take(SizeOfTensor(tensor).value_or(0));
  if (data.empty()) return false;
  std::ranges::fill(data, kByte);
  tensor.data = data;
  DropKeys(bench.draft, "split.");
  if (!bench.draft.tensors.Add(tensor)) return false;
  LayOut(bench.draft);
  return true;
}

}  // namespace ggufgate::mutate
