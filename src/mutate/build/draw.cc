#include "mutate/build/draw.h"

#include <algorithm>
#include <array>

#include "format/limits.h"
#include "format/loader_limits.h"
#include "mutate/build/compose.h"
#include "mutate/memory/words.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kMost = UINT64_MAX;
constexpr std::uint64_t kWhole = std::uint64_t{1} << 53;  // above it, doubles skip integers

// Limits of types, limits of ggufgate and of loaders, and their products with record sizes.
constexpr std::array<std::uint64_t, 45> kBoundaries = {0,
                                                       1,
                                                       2,
                                                       3,
                                                       4,
                                                       7,
                                                       8,
                                                       12,
                                                       13,
                                                       16,
                                                       24,
                                                       31,
                                                       32,
                                                       kLongestNameOfLlamaCpp,
                                                       64,
                                                       127,
                                                       128,
                                                       255,
                                                       256,
                                                       kMostLayers - 1,
                                                       kMostLayers,
                                                       kMostExperts - 1,
                                                       kMostExperts,
                                                       4096,
                                                       0x7FFF,
                                                       0x8000,
                                                       UINT16_MAX,
                                                       UINT16_MAX + 1,
                                                       Limits{}.alignment,
                                                       Limits{}.string_bytes - 1,
                                                       Limits{}.string_bytes,
                                                       0x7FFF'FFFF,
                                                       0x8000'0000,
                                                       0xFFFF'FFFF,
                                                       0x1'0000'0000,
                                                       kWhole,
                                                       kMost / 24,
                                                       kMost / 13,
                                                       kMost / 8,
                                                       kMost / 4,
                                                       kMost - 31,
                                                       kMaximumSize,
                                                       kMaximumSize + 1,
                                                       kMost - 1,
                                                       kMost};

constexpr std::array<std::uint32_t, 13> kFloats = {
    0x0000'0000, 0x8000'0000,               // zeros
    0x0000'0001, 0x807F'FFFF, 0x0080'0000,  // denormals, the smallest normal
    0x3F80'0000, 0x3727'C5AC, 0x4B80'0000,  // 1, 1e-5, 2^24
    0x7F7F'FFFF, 0x7F80'0000, 0xFF80'0000,  // the largest, infinities
    0x7FC0'0000, 0x7F80'0001};              // NaN, quiet and signalling

constexpr std::array<std::uint64_t, 11> kDoubles = {
    0x0000'0000'0000'0000, 0x8000'0000'0000'0000, 0x0000'0000'0000'0001, 0x000F'FFFF'FFFF'FFFF,
    0x3FF0'0000'0000'0000, 0x47EF'FFFF'E000'0000, 0x7FEF'FFFF'FFFF'FFFF, 0x7FF0'0000'0000'0000,
    0xFFF0'0000'0000'0000, 0x7FF8'0000'0000'0000, 0x7FF0'0000'0000'0001};

constexpr std::array<std::string_view, 14> kWords = {
    "llama", "gpt2",     "bert", "t5",     "qwen2", "mamba",   "clip",
    "none",  "no_vocab", "lora", "linear", "yarn",  "imatrix", "adapter"};

constexpr std::array kIntegerTypes = {ValueType::kU8,  ValueType::kI8,  ValueType::kU16,
                                      ValueType::kI16, ValueType::kU32, ValueType::kI32,
                                      ValueType::kU64, ValueType::kI64};

// Offset moves a number by −1, 0 or 1.
std::uint64_t Offset(Random& random, std::uint64_t number) { return number + random.Below(3) - 1; }

// SmallNumber returns a typical hyper-parameter.
std::uint64_t SmallNumber(Random& random) {
  return random.OneIn(4) ? random.Below(6) : Offset(random, std::uint64_t{1} << random.Below(18));
}

std::uint64_t ScalarBits(MutationContext& context, ValueType type) {
  Random& random = context.random;
  if (type == ValueType::kBool) return random.Below(2);
  if (type == ValueType::kF32 || type == ValueType::kF64) {
    return FloatBits(random, InfoOf(type).scalar_bytes);
  }
  switch (random.Below(4)) {
    case 0:
      return random.Next();
    case 1:
      return BoundaryNumber(random);
    case 2:
      return FileNumber(context);
    default:
      return SmallNumber(random);
  }
}

Entry ScalarEntry(MutationContext& context, ValueType type) {
  return EntryOf({}, type, DrawScalar(context, type));
}

Entry IntegerEntry(MutationContext& context) {
  const ValueType type = context.random.Pick(kIntegerTypes);
  const std::uint64_t number =
      context.random.OneIn(4) ? BoundaryNumber(context.random) : SmallNumber(context.random);
  return EntryOf({}, type, NumberValue(context.arena, number, InfoOf(type).scalar_bytes));
}

Entry Array(MutationContext& context, ValueType element) {
  return EntryOf({}, ValueType::kArray, DrawArray(context, element, context.random.Below(9)));
}

Entry Integers(MutationContext& context) {
  return Array(context, context.random.Pick(kIntegerTypes));
}

// EightLetters makes a letter from each byte of a random number. It multiplies the byte by 26 /
// 256, so each letter has 9 or 10 of the 256 bytes. It processes every other byte at once, because
// a product needs two bytes.
std::uint64_t EightLetters(std::uint64_t random) {
  constexpr std::uint64_t kEveryOther = 0x00FF'00FF'00FF'00FF;
  const std::uint64_t even = (random & kEveryOther) * 26 >> 8 & kEveryOther;
  const std::uint64_t odd = (random >> 8 & kEveryOther) * 26 & ~kEveryOther;
  return (even | odd) + InEachByte('a');
}

void FillWithLetters(Random& random, MutableBytes text) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  for (; text.size() >= kWord; text = text.subspan(kWord)) {
    Store(EightLetters(random.Next()), ByteOrder::kLittle, text.first(kWord));
  }
  if (text.empty()) return;
  std::uint64_t letters = EightLetters(random.Next());
  for (std::uint8_t& letter : text) {
    letter = static_cast<std::uint8_t>(letters);
    letters >>= 8;
  }
}

}  // namespace

std::uint64_t BoundaryNumber(Random& random) {
  // With probability 1/16, draw the largest number, because loaders add to it.
  constexpr std::size_t kTimes = kBoundaries.size() / 15;
  const std::uint64_t drawn = random.Below(kBoundaries.size() + kTimes);
  if (drawn >= kBoundaries.size()) return kMost;
  return Offset(random, kBoundaries.at(drawn));
}

std::uint64_t FileNumber(MutationContext& context) {
  const Draft& draft = context.draft;
  const std::array<std::uint64_t, 8> numbers = {draft.tail_begin + draft.tail.size(),
                                                draft.tail_begin,
                                                draft.tail.size(),
                                                draft.entries.size(),
                                                draft.tensors.size(),
                                                draft.alignment,
                                                context.room(),
                                                UINT64_MAX - draft.tail_begin};
  return Offset(context.random, context.random.Pick(numbers));
}

std::uint64_t FloatBits(Random& random, std::size_t size) {
  if (random.OneIn(4)) return random.Next();
  return size == 4 ? random.Pick(kFloats) : random.Pick(kDoubles);
}

std::string_view DrawWord(MutationContext& context, std::size_t size) {
  const MutableBytes word = context.arena.Take(size);
  FillWithLetters(context.random, word);
  return AsText(word);
}

std::string_view DrawKey(MutationContext& context) {
  const std::string_view word = DrawWord(context, context.random.Between(3, 12));
  if (word.empty() || context.random.OneIn(4)) return word;
  // "general.abc", or "abc.def", where the dot replaces a letter.
  if (context.random.OneIn(4)) return Joined(context.arena, {"general.", word});
  const MutableBytes key = context.arena.Copy(AsBytes(word));
  if (!key.empty()) key[word.size() / 2] = '.';
  return AsText(key);
}

std::string_view KnownKeyFor(MutationContext& context, const KeyInfo& info) {
  constexpr std::string_view kArch = "{arch}";
  constexpr std::size_t kLongest = 64;
  if (!info.pattern.starts_with(kArch)) return info.pattern;
  const Entry* entry = context.draft.Find(kArchitectureKey);
  const std::string_view architecture =
      entry == nullptr ? "llama" : TextOf(*entry).value_or("llama").substr(0, kLongest);
  return Joined(context.arena, {architecture, info.pattern.substr(kArch.size())});
}

std::string_view FreshName(MutationContext& context, std::size_t size) {
  constexpr std::string_view kPrefix = "extra.";
  const MutableBytes name = context.arena.Take(size);
  if (name.size() < kPrefix.size()) return {};
  std::ranges::copy(AsBytes(kPrefix), name.begin());
  FillWithLetters(context.random, name.subspan(kPrefix.size()));
  // Fourteen random letters are unique, unless the input was made with the same seed.
  const std::string_view text = AsText(name);
  const auto has_it = [text](const auto& records, auto field) {
    return std::ranges::find(records, text, field) != records.end();
  };
  const Draft& draft = context.draft;
  return has_it(draft.entries, &Entry::key) || has_it(draft.tensors, &Tensor::name)
             ? std::string_view()
             : text;
}

std::string_view Spliced(MutationContext& context, std::string_view text, std::string_view part) {
  const std::size_t size = text.size() + part.size();
  if (size == 0 || size > context.arena.Left()) return {};
  const std::size_t at = context.random.Below(text.size() + 1);
  return Joined(context.arena, {text.substr(0, at), part, text.substr(at)});
}

Bytes DrawScalar(MutationContext& context, ValueType type) {
  return NumberValue(context.arena, ScalarBits(context, type), InfoOf(type).scalar_bytes);
}

Bytes DrawString(MutationContext& context, std::size_t size) {
  const MutableBytes value = context.arena.Take(kStringHead + size);
  if (value.empty()) return {};
  Store<std::uint64_t>(size, ByteOrder::kLittle, value);
  FillWithLetters(context.random, value.subspan(kStringHead));
  return value;
}

Bytes DrawArray(MutationContext& context, ValueType element, std::size_t count) {
  constexpr std::size_t kLetters = 3;
  if (element == ValueType::kString) {
    return ArrayValueOf(
        context.arena, element, count, kStringHead + kLetters,
        [&](MutableBytes out) { return StoreText(DrawWord(context, kLetters), out); });
  }
  const std::size_t size = InfoOf(element).scalar_bytes;
  return ArrayValueOf(context.arena, element, count, size, [&](MutableBytes out) {
    return StoreLowest(ScalarBits(context, element), size, out);
  });
}

Entry DrawShape(MutationContext& context, KeyShape shape) {
  const bool array = context.random.OneIn(2);
  switch (shape) {
    case KeyShape::kString:
      return TextEntry(context.arena, {}, context.random.Pick(kWords));
    case KeyShape::kBool:
      return ScalarEntry(context, ValueType::kBool);
    case KeyShape::kU16:
      return ScalarEntry(context, ValueType::kU16);
    case KeyShape::kU32:
      return ScalarEntry(context, ValueType::kU32);
    case KeyShape::kI32:
      return ScalarEntry(context, ValueType::kI32);
    case KeyShape::kInteger:
      return IntegerEntry(context);
    case KeyShape::kF32:
      return ScalarEntry(context, ValueType::kF32);
    case KeyShape::kLayerIntegers:
    case KeyShape::kOneOrMoreIntegers:
      return array ? Integers(context) : IntegerEntry(context);
    case KeyShape::kLayerFloats:
      return array ? Array(context, ValueType::kF32) : ScalarEntry(context, ValueType::kF32);
    case KeyShape::kLayerBools:
      return array ? Array(context, ValueType::kBool) : ScalarEntry(context, ValueType::kBool);
    case KeyShape::kIntegers:
      return Integers(context);
    case KeyShape::kI32s:
      return Array(context, ValueType::kI32);
    case KeyShape::kF32s:
      return Array(context, ValueType::kF32);
    case KeyShape::kStrings:
      return Array(context, ValueType::kString);
    case KeyShape::kBytes:
      return Array(context, ValueType::kU8);
  }
  return {};
}

ValueType AnyScalarType(Random& random) {
  const auto drawn = static_cast<std::uint32_t>(random.Below(11));
  return ValueType{drawn < 8 ? drawn : drawn + 2};  // skips string and array
}

}  // namespace ggufgate::mutate
