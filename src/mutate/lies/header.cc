// Lies about magic, version, byte order and counts.

#include <algorithm>
#include <array>
#include <string_view>

#include "mutate/build/compose.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/file/transcode.h"
#include "mutate/lies/lie_context.h"
#include "mutate/lies/solver.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

using namespace std::string_view_literals;

// First bytes of other formats, including those often found under a model's name.
constexpr std::array kForeign = {"ggml"sv,
                                 "lmgg"sv,
                                 "ggmf"sv,
                                 "ggjt"sv,
                                 "tjgg"sv,
                                 "ggla"sv,
                                 "gguf"sv,
                                 "GGUf"sv,
                                 "GGML"sv,
                                 "GGU\0"sv,
                                 "PK\3\4"sv,
                                 "version https://git-lfs"sv,
                                 "<!DOCTYPE"sv,
                                 "<html>"sv,
                                 "{\"error\":"sv,
                                 "{\"__meta"sv,
                                 "\x1F\x8B"sv,
                                 "\x7F"
                                 "ELF"sv,
                                 "\x80\2}q"sv,
                                 "\x93NUMPY"sv,
                                 "\xEF\xBB\xBFGGUF"sv,
                                 "\xFF\xFEG\0"sv,
                                 "\nGGUF"sv,
                                 "\x28\xB5\x2F\xFD"sv};

constexpr std::uint32_t kSwappedTwo = 0x0200'0000;
constexpr std::uint32_t kSwappedThree = 0x0300'0000;

void Begin(MutationContext& context, Bytes with) {
  const MutableBytes bytes = context.bytes();
  std::ranges::copy(with.first(std::min(with.size(), bytes.size())), bytes.begin());
  context.lie_at = 0;
}

// Recode converts all values to another encoding. If a value is incomplete, or the arena may be too
// small, it returns false and changes nothing.
bool Recode(MutationContext& context, Encoding to) {
  Draft& draft = context.draft;
  std::size_t size = 0;
  for (const Entry& entry : draft.entries) {
    if (SizeOfValue(entry.type, entry.value, draft.encoding) != entry.value.size()) return false;
    size += 2 * entry.value.size();
  }
  if (size > context.arena.Left()) return false;
  for (Entry& entry : draft.entries) {
    entry.value = Transcode(entry.type, entry.value, draft.encoding, to, context.arena);
  }
  draft.encoding = to;
  return true;
}

}  // namespace

bool LieMagic(MutationContext& context) {
  if (!context.Write()) return false;
  const std::uint64_t at = context.random.Below(4);
  context.Put<std::uint8_t>(
      at, static_cast<std::uint8_t>(context.Get<std::uint8_t>(at) ^ 1U << context.random.Below(8)));
  context.lie_at = 0;
  return true;
}

bool LieMagicSwapped(MutationContext& context) {
  if (!context.Write()) return false;
  Begin(context, AsBytes("FUGG"));
  return true;
}

bool LieMagicForeign(MutationContext& context) {
  if (!context.Write()) return false;
  Begin(context, AsBytes(context.random.Pick(kForeign)));
  return true;
}

// An interrupted download leaves zeros, at least a page: here from 4 bytes to the whole file.
bool LieMagicZeros(MutationContext& context) {
  if (!context.Write()) return false;
  const MutableBytes bytes = context.bytes();
  const std::size_t least = std::min<std::size_t>(kMagic.size(), bytes.size());
  const std::size_t count =
      context.random.OneIn(2) ? least : context.random.Between(least, bytes.size());
  std::ranges::fill(bytes.first(count), std::uint8_t{0});
  context.lie_at = 0;
  return true;
}

bool LieVersionUnknown(MutationContext& context) {
  if (!context.Write()) return false;
  constexpr std::array<std::uint32_t, 10> kVersions = {
      0, 4, 5, 0x0100'0000, 0x0400'0000, 0x0001'0003, 0x8000'0003, 0x7FFF'FFFF, 0xFFFF'FFFF, 0x30};
  std::uint32_t version = context.random.Pick(kVersions);
  if (context.random.OneIn(4)) version = static_cast<std::uint32_t>(context.random.Next());
  const bool exists =
      (version >= 1 && version <= 3) || version == kSwappedTwo || version == kSwappedThree;
  context.Put<std::uint32_t>(Placement::kVersionAt, exists ? 4 : version);
  return true;
}

bool LieVersionOne(MutationContext& context) {
  if (!context.Write()) return false;
  context.Put<std::uint32_t>(Placement::kVersionAt, 1);
  return true;
}

bool LieVersionOneWhole(MutationContext& context) {
  if (!SomeEntry(context) || !HasRoom(context, 0)) return false;  // 16 bytes alone are too few
  if (!Recode(context, {.order = ByteOrder::kLittle, .word = 4})) return false;
  context.draft.version = 1;
  LayOut(context.draft);
  context.lie_at = Placement::kVersionAt;
  return true;
}

bool LieVersionSwapped(MutationContext& context) {
  if (!context.Write()) return false;
  context.Put(Placement::kVersionAt, kSwappedTwo);
  return true;
}

bool LieHeaderSwapped(MutationContext& context) {
  if (!context.Write()) return false;
  context.Put(Placement::kVersionAt, kSwappedThree);
  return true;
}

// The data are zeros: blocks would need a swap of each number, and this module does not know their
// places.
bool LieBigEndian(MutationContext& context) {
  if (!HasRoom(context, 0) || !Recode(context, {.order = ByteOrder::kBig, .word = 8})) return false;
  context.draft.version = 3;
  if (!context.Write()) return true;
  for (std::size_t i = 0; i < context.draft.tensors.size(); ++i) {
    const std::size_t size = context.draft.tensors[i].data.size();
    std::ranges::fill(context.bytes().subspan(context.placement.data[i], size), std::uint8_t{0});
  }
  context.lie_at = Placement::kVersionAt;
  return true;
}

bool LieTensorCountMore(MutationContext& context) {
  if (!context.Write()) return false;
  const std::uint64_t least = (context.placement.size - kHeaderBytes) / kMinimumTensorBytes + 1;
  context.Put(Placement::kTensorCountAt, Beyond(context, Placement::kTensorCountAt, least));
  return true;
}

bool LieMetadataCountMore(MutationContext& context) {
  if (!context.Write()) return false;
  const std::uint64_t least = (context.placement.size - kHeaderBytes) / kMinimumKeyBytes + 1;
  context.Put(Placement::kMetadataCountAt, Beyond(context, Placement::kMetadataCountAt, least));
  return true;
}

namespace {

// WithoutTensors drops all tensors, adds an entry, and writes the file.
bool WithoutTensors(MutationContext& context) {
  if (!InsertValue(context, ValueType::kString, DrawString(context, 32))) return false;
  context.draft.tensors.Clear();
  return context.Write();
}

}  // namespace

bool LieTensorCountOneMore(MutationContext& context) {
  if (!WithoutTensors(context)) return false;
  const std::uint64_t most = (context.placement.size - kHeaderBytes) / kMinimumTensorBytes;
  context.Put<std::uint64_t>(Placement::kTensorCountAt,
                             context.random.OneIn(2) ? 1 : context.random.Between(1, most));
  return true;
}

// Keys take at least 14 bytes, and the gate assumes 13. The added entry has room for more than two.
bool LieMetadataCountOneMore(MutationContext& context) {
  if (!WithoutTensors(context)) return false;
  const std::uint64_t least = context.draft.entries.size() + 1;
  const std::uint64_t most = (context.placement.size - kHeaderBytes) / kMinimumKeyBytes;
  context.Put<std::uint64_t>(Placement::kMetadataCountAt,
                             context.random.OneIn(2) ? least : context.random.Between(least, most));
  return true;
}

bool LieMetadataCountLess(MutationContext& context) {
  if (!HasRoom(context, 0) || !SomeTensor(context)) return false;
  const std::string_view key = FreshName(context);
  constexpr std::array kTypes = {ValueType::kF32, ValueType::kBool, ValueType::kU64,
                                 ValueType::kI64, ValueType::kF64};
  const ValueType type = context.random.Pick(kTypes);
  const Bytes value = NumberValue(context.arena, 1, InfoOf(type).scalar_bytes);
  const Entry last = EntryOf(key, type, value);
  const std::size_t count = context.draft.entries.size();
  if (key.empty() || value.empty() || !InsertEntry(context, last, count) || !context.Write())
    return false;
  context.Put<std::uint64_t>(Placement::kMetadataCountAt, count);
  return true;
}

bool BenignNoTensorsClaimed(MutationContext& context) {
  if (context.draft.tensors.empty() || context.draft.Find("split.tensors.count") != nullptr) {
    return false;
  }
  context.Put<std::uint64_t>(Placement::kTensorCountAt, 0);
  return true;
}

}  // namespace ggufgate::mutate
