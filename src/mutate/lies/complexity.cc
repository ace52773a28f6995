// Much work for few bytes: a careful reader takes a moment, a careless one takes minutes.

#include <algorithm>
#include <array>
#include <bit>

#include "format/limits.h"
#include "format/loader_limits.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/file/writer.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr auto kU8 = IdOf(ValueType::kU8);
constexpr std::array<std::uint8_t, 1> kOne = {1};

// HowMany returns a number from 2 to `most`, or `most`. All magnitudes are equally likely, so most
// mutants stay small.
std::size_t HowMany(Random& random, std::size_t most) {
  if (most <= 2) return most;
  const auto bits = static_cast<std::uint64_t>(std::bit_width(most));
  return std::min<std::size_t>(most,
                               random.Between(2, std::uint64_t{1} << random.Between(1, bits)));
}

// RoomFor returns how many things of `size` bytes still fit into the file.
std::size_t RoomFor(const MutationContext& context, std::size_t size) {
  const Draft& draft = context.draft;
  std::uint64_t used = kHeaderBytes + 256;
  for (const Entry& entry : draft.entries) used += SizeOf(entry);
  for (const Tensor& tensor : draft.tensors) {
    used += SizeOf(tensor) + tensor.data.size() + draft.alignment;
  }
  used += context.room() / 16 + draft.alignment;  // repair.cc reserves that
  if (used >= context.room()) return 0;
  return std::min<std::size_t>(context.room() - used, context.arena.Left()) / size;
}

std::size_t FreeEntries(const Draft& draft) { return Draft::kMostEntries - draft.entries.size(); }

// AddKeys adds `count` keys of `size` bytes with values of one byte. `spell(text, i)` writes a key.
template <typename Spell>
bool AddKeys(MutationContext& context, std::size_t count, std::size_t size, Spell spell) {
  count = HowMany(context.random,
                  std::min({count, FreeEntries(context.draft), RoomFor(context, size + 13)}));
  if (count < 2) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const MutableBytes key = context.arena.Take(size);
    if (key.empty()) break;
    spell(key, i);
    context.draft.entries.Add({.key = AsText(key), .type = kU8, .value = kOne});
  }
  return true;
}

// SpellNumber writes a number in base 26, with letters as digits, so that it fills `text`.
void SpellNumber(MutableBytes text, std::size_t number) {
  for (std::size_t i = text.size(); i > 0; --i, number /= 26) {
    text[i - 1] = static_cast<std::uint8_t>('a' + number % 26);
  }
}

}  // namespace

bool EditTinyKeys(MutationContext& context) {
  return AddKeys(context, Draft::kMostEntries, 3, SpellNumber);
}

// "az" and "bY" have the same hash h * 33 + c (DJB2), "Aa" and "BB" the same h * 31 + c, regardless
// of the text around them. So twelve such pairs make 4096 keys with one hash.
bool EditCollidingKeys(MutationContext& context) {
  const bool by_33 = context.random.OneIn(2);
  return AddKeys(context, Draft::kMostEntries, 24, [by_33](MutableBytes key, std::size_t i) {
    for (std::size_t pair = 0; pair < 12; ++pair, i >>= 1) {
      const std::string_view one = by_33 ? "az" : "Aa";
      const std::string_view other = by_33 ? "bY" : "BB";
      std::ranges::copy(AsBytes(i % 2 == 0 ? one : other), key.subspan(2 * pair).begin());
    }
  });
}

bool EditLikeKeys(MutationContext& context) {
  return AddKeys(context, 512, context.random.Between(32, 256),
                 [](MutableBytes key, std::size_t i) {
                   std::ranges::fill(key, std::uint8_t{'a'});
                   SpellNumber(key.last(3), i);
                 });
}

bool EditEmptyStrings(MutationContext& context) {
  const std::size_t count = HowMany(context.random, RoomFor(context, 8) / 2);
  const std::string_view key = FreshName(context);
  const MutableBytes value = context.arena.Take(12 + 8 * count);
  if (count < 2 || key.empty() || value.empty()) return false;
  std::ranges::fill(value, std::uint8_t{0});
  Writer writer(value, context.draft.encoding);
  writer.Put(IdOf(ValueType::kString)).PutWord(count);
  return context.draft.entries.Add(
      {.key = key,
       .type = IdOf(ValueType::kArray),
       .value = value.first(writer.at() + count * context.draft.encoding.word)});
}

bool EditLongKey(MutationContext& context) {
  constexpr std::size_t kLongest = Limits{}.key_bytes;
  const std::size_t size = std::min(kLongest, RoomFor(context, 1));
  if (size < 64) return false;
  const std::string_view key = FreshName(context, size);
  return !key.empty() && context.draft.entries.Add({.key = key, .type = kU8, .value = kOne});
}

bool EditTinyTensors(MutationContext& context) {
  constexpr std::size_t kLongest = kLongestNameOfLlamaCpp;
  Draft& draft = context.draft;
  const std::size_t room =
      RoomFor(context, kLongest + 24 + std::max<std::uint64_t>(draft.alignment, 1));
  const std::size_t count =
      HowMany(context.random, std::min(room, Draft::kMostTensors - draft.tensors.size()));
  if (count < 2) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const MutableBytes name = context.arena.Take(kLongest);
    if (name.empty()) break;
    std::ranges::fill(name, std::uint8_t{'t'});
    SpellNumber(name.last(4), i);
    draft.tensors.Add(
        {.name = AsText(name), .type = static_cast<std::uint32_t>(TensorType::kI8), .data = kOne});
  }
  return true;
}

namespace {

// AddNest adds an array of `count` arrays with a fresh key. It writes only the head of `value`; the
// caller has written the arrays after it.
std::optional<std::size_t> AddNest(MutationContext& context, MutableBytes value,
                                   std::uint64_t count) {
  if (value.empty()) return std::nullopt;
  Writer writer(value, Encoding{});
  writer.Put(IdOf(ValueType::kArray)).PutWord(count);
  const auto i = InsertValue(context, ValueType::kArray, value);
  if (i && context.Write()) {
    context.lie_at = Placement::ValueAt(context.placement.entries[*i], context.draft.entries[*i]);
  }
  return i;
}

}  // namespace

bool LieNestedDeep(MutationContext& context) {
  const std::size_t depth = 4 + HowMany(context.random, RoomFor(context, 12) / 2);
  if (depth < 6 || !HasRoom(context, 12 * depth + 64)) return false;
  const MutableBytes value = context.arena.Take(12 * depth);
  Writer writer(value, Encoding{});
  for (std::size_t level = 1; level < depth; ++level) {
    writer.Put(IdOf(ValueType::kArray)).PutWord(1);
  }
  writer.Put(kU8).PutWord(0);
  return AddNest(context, value, 1).has_value();
}

bool LieNestedBroad(MutationContext& context) {
  const std::size_t count = HowMany(context.random, RoomFor(context, 12) / 2);
  if (count < 2 || !HasRoom(context, 12 * count + 64)) return false;
  const MutableBytes value = context.arena.Take(12 + 12 * count);
  std::ranges::fill(value, std::uint8_t{0});  // element type u8, count 0
  return AddNest(context, value, count).has_value();
}

bool LieSameKeys(MutationContext& context) {
  const std::size_t most = std::min(FreeEntries(context.draft), RoomFor(context, 33) / 2);
  const std::size_t count = HowMany(context.random, most);
  if (count < 2 || !HasRoom(context, 33 * count + 64)) return false;
  const std::string_view key = FreshName(context);
  if (key.empty()) return false;
  const std::size_t first = context.draft.entries.size();
  for (std::size_t i = 0; i < count; ++i) {
    context.draft.entries.Add({.key = key, .type = kU8, .value = kOne});
  }
  if (context.Write()) context.lie_at = context.placement.entries[first + 1] + 8;
  return true;
}

namespace {

constexpr std::size_t kCopyBytes = 24 + 32 + 64;  // of a record, at most

// CopiesFor returns how many records fit; 0 if fewer than two do.
std::size_t CopiesFor(MutationContext& context) {
  const std::size_t free = Draft::kMostTensors - context.draft.tensors.size();
  const std::size_t most = std::min(free, RoomFor(context, kCopyBytes + 32) / 2);
  const std::size_t count = HowMany(context.random, most);
  return count < 2 || !HasRoom(context, count * kCopyBytes + 64) ? 0 : count;
}

constexpr std::size_t kNameBytes = 24;

// NumberedNames returns `count` new names of kNameBytes each, concatenated.
std::string_view NumberedNames(MutationContext& context, std::size_t count) {
  const std::string_view fresh = FreshName(context, kNameBytes - 4);
  const MutableBytes names = context.arena.Take(kNameBytes * count);
  if (fresh.empty() || names.empty()) return {};
  for (std::size_t k = 0; k < count; ++k) {
    const MutableBytes name = names.subspan(kNameBytes * k, kNameBytes);
    std::ranges::copy(AsBytes(fresh), name.begin());
    SpellNumber(name.last(4), k);
  }
  return AsText(names);
}

}  // namespace

// Rows without elements need no room for data.
bool LieSameNames(MutationContext& context) {
  const auto i = SomeTensor(context);
  const std::size_t count = i ? CopiesFor(context) : 0;
  if (count == 0) return false;
  Draft& draft = context.draft;
  DropKey(draft, kTensorCountKey);
  Tensor copy = draft.tensors[*i];
  const std::uint64_t unit = std::max<std::uint64_t>(draft.alignment, 1);
  const std::uint64_t end = draft.tensors.back().offset + draft.tensors.back().data.size();
  copy.data = {};
  copy.dims = {0, 1, 1, 1, 1};
  copy.dimension_count = 1;
  copy.offset = (end + unit - 1) / unit * unit;
  for (std::size_t k = 0; k < count; ++k) draft.tensors.Add(copy);
  return true;
}

bool LieSamePlace(MutationContext& context) {
  const auto i = LastTensorWithData(context);
  const std::size_t count = i ? CopiesFor(context) : 0;
  const std::string_view names = count == 0 ? "" : NumberedNames(context, count);
  if (names.empty()) return false;
  Draft& draft = context.draft;
  DropKey(draft, kTensorCountKey);
  Tensor copy = draft.tensors[*i];
  copy.data = {};
  for (std::size_t k = 0; k < count; ++k) {
    copy.name = names.substr(kNameBytes * k, kNameBytes);
    draft.tensors.Add(copy);
  }
  return true;
}

}  // namespace ggufgate::mutate
