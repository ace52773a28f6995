#include "mutate/lies/lie_context.h"

#include <algorithm>
#include <array>

#include "mutate/build/compose.h"
#include "mutate/build/engine_number.h"
#include "mutate/build/entry_value.h"
#include "mutate/build/records.h"
#include "mutate/file/attach.h"
#include "mutate/lies/solver.h"
#include "mutate/repair/meaning.h"

namespace ggufgate::mutate {
namespace {

constexpr std::array kTypes = {ValueType::kU8,  ValueType::kI8,   ValueType::kU16,
                               ValueType::kI16, ValueType::kU32,  ValueType::kI32,
                               ValueType::kU64, ValueType::kI64,  ValueType::kF32,
                               ValueType::kF64, ValueType::kBool, ValueType::kString};

// MostBytes returns an upper bound for the size of a written draft.
std::uint64_t MostBytes(const Draft& draft) {
  std::uint64_t size = DirectoryEnd(draft);
  if (!draft.tensors.empty()) size += draft.alignment;
  for (const Tensor& tensor : draft.tensors) size += tensor.data.size() + draft.alignment;
  return size;
}

}  // namespace

bool MakeRoom(MutationContext& context, std::uint64_t bytes) {
  Draft& draft = context.draft;
  constexpr std::size_t kMostAdded = 16;  // entries of one lie
  if (context.written() || bytes > context.arena.Left()) return false;
  if (bytes > context.room() || kHeaderBytes > context.room() - bytes) return false;
  const bool full = draft.entries.size() + kMostAdded > Draft::kMostEntries || draft.tensors.Full();
  if (!full && MostBytes(draft) <= context.room() - bytes) return true;
  draft.entries.Clear();
  draft.tensors.Clear();
  draft.alignment = kDefaultAlignment;
  return true;
}

bool SetArchitecture(MutationContext& context, std::string_view name) {
  const std::string_view prefix = Joined(context.arena, {name, "."});
  DropKeys(context.draft, prefix);
  DropKeys(context.draft, "xielu.");  // these have an element per layer
  // Rules check these tensors only without an architecture, or with that of control vectors.
  const std::size_t tensors = context.draft.tensors.size();
  context.draft.tensors.Keep(
      [](const Tensor& tensor) { return !tensor.name.starts_with("direction."); });
  // The shard of a set of one states the number of its tensors.
  if (context.draft.tensors.size() != tensors) DropKey(context.draft, "split.tensors.count");
  LayOut(context.draft);
  return !prefix.empty() && SetText(context, kArchitectureKey, name);
}

std::optional<Architecture> SomeArchitecture(MutationContext& context, Suits suits,
                                             std::uint64_t bytes) {
  if (!MakeRoom(context, bytes)) return std::nullopt;
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

bool SetVocabulary(MutationContext& context, std::string_view model,
                   std::span<const std::string_view> tokens) {
  DropKeys(context.draft, "tokenizer.ggml.");
  auto next = tokens.begin();
  return AddText(context, kTokenizerModel, model) &&
         AddEntry(context.draft, TextArrayEntry(context.arena, kTokens, tokens.size(), 16,
                                                [&] { return *next++; }));
}

const Entry* SomeVocabulary(MutationContext& context) {
  // Models for which a few tokens are enough.
  constexpr std::array<std::string_view, 2> kModels = {"t5", "test"};
  constexpr std::array<std::string_view, 4> kFew = {"<unk>", "<s>", "</s>", "<0x20>"};
  const Entry* const entry = context.draft.Find(kTokens);
  if (entry != nullptr && CountOf(*entry) > 0) return entry;
  const bool made = SetVocabulary(context, context.random.Pick(kModels), kFew);
  return made ? &context.draft.entries.back() : nullptr;
}

Entry PlainEntry(MutationContext& context, std::string_view key, ValueType type) {
  if (type == ValueType::kString) return TextEntry(context.arena, key, "1");
  return EntryOf(key, type, NumberValue(context.arena, 1, InfoOf(type).scalar_bytes));
}

Entry PlainArray(MutationContext& context, std::string_view key, ValueType element,
                 std::uint64_t count) {
  return EntryOf(key, ValueType::kArray, PlainArrayValue(context.arena, element, count, 1, "1"));
}

Entry MisshapenEntry(MutationContext& context, std::string_view key, KeyShape shape,
                     std::uint64_t count) {
  const bool array = MayBeArray(shape) ? !context.random.OneIn(8) : context.random.OneIn(4);
  const std::size_t first = context.random.Below(kTypes.size());
  // A scalar and an array of every type: no shape accepts all of them.
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
  const std::uint64_t value = Placement::ValueAt(begin, *entry);
  const std::array<std::uint64_t, 4> places = {begin + 8, Placement::TypeAt(begin, *entry), value,
                                               value + 4};
  context.lie_at = places.at(static_cast<std::size_t>(part));
  return true;
}

bool TellEntry(MutationContext& context, const Entry& entry, Part part) {
  return SetEntry(context.draft, entry) && Tell(context, entry.key, part);
}

bool TellTensor(MutationContext& context, TensorPart part) {
  if (!context.Write()) return false;
  const Tensor& tensor = context.draft.tensors.back();
  const std::uint64_t begin = context.placement.tensors.back();
  const std::array<std::uint64_t, 3> places = {begin + 8, Placement::DimensionAt(begin, tensor, 0),
                                               Placement::TypeAt(begin, tensor)};
  context.lie_at = places.at(static_cast<std::size_t>(part));
  return true;
}

std::uint64_t Beyond(MutationContext& context, std::uint64_t at, std::uint64_t least) {
  if (context.leaf != nullptr && context.random.OneIn(4)) {
    const std::uint64_t number = EngineNumber(context, context.Get<std::uint64_t>(at), 8);
    if (number >= least) return number;  // otherwise it is not a lie
  }
  return NumberBeyond(context.random, least);
}

bool AddLyingTensor(MutationContext& context, Tensor tensor) {
  const MutableBytes data = context.arena.Take(SizeOfTensor(tensor).value_or(0));
  if (data.empty()) return false;
  std::ranges::fill(data, kPlainByte);
  tensor.data = data;
  DropKeys(context.draft, "split.");
  if (!context.draft.tensors.Add(tensor)) return false;
  LayOut(context.draft);
  return true;
}

}  // namespace ggufgate::mutate
