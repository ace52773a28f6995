#include "mutate/build/values.h"

#include <algorithm>
#include <array>

#include "bytes/checked.h"
#include "format/limits.h"
#include "format/loader_limits.h"
#include "mutate/file/writer.h"

namespace ggufgate::mutate {
namespace {

// Where types, limits (ours and those of loaders) and products with the sizes of records end.
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
                                                       std::uint64_t{1} << 53,
                                                       UINT64_MAX / 24,
                                                       UINT64_MAX / 13,
                                                       UINT64_MAX / 8,
                                                       UINT64_MAX / 4,
                                                       UINT64_MAX - 31,
                                                       kMaximumSize,
                                                       kMaximumSize + 1,
                                                       UINT64_MAX - 1,
                                                       UINT64_MAX};

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

// SmallNumber is what stands in most hyper-parameters.
std::uint64_t SmallNumber(Random& random) {
  return random.OneIn(4) ? random.Below(6) : Offset(random, std::uint64_t{1} << random.Below(18));
}

void PutLowest(MutableBytes out, std::uint64_t number) {
  for (std::uint8_t& byte : out) {
    byte = static_cast<std::uint8_t>(number);
    number >>= 8;
  }
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

Bytes MakeInteger(MutationContext& context, ValueType& type) {
  type = context.random.Pick(kIntegerTypes);
  const std::uint64_t number =
      context.random.OneIn(4) ? BoundaryNumber(context.random) : SmallNumber(context.random);
  return PutNumber(context.arena, number, InfoOf(type).scalar_bytes);
}

Bytes MakeOf(MutationContext& context, ValueType& type, ValueType wanted) {
  type = wanted;
  if (wanted == ValueType::kString) {
    return PutString(context.arena, context.random.Pick(kWords));
  }
  return MakeScalar(context, wanted);
}

Bytes MakeArrayOf(MutationContext& context, ValueType& type, ValueType element) {
  type = ValueType::kArray;
  return MakeArray(context, element, context.random.Below(9));
}

}  // namespace

std::uint64_t BoundaryNumber(Random& random) { return Offset(random, random.Pick(kBoundaries)); }

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

Bytes PutNumber(Arena& arena, std::uint64_t number, std::size_t size) {
  const MutableBytes out = arena.Take(size);
  PutLowest(out, number);
  return out;
}

Bytes PutString(Arena& arena, std::string_view text) {
  const MutableBytes out = arena.Take(8 + text.size());
  Writer(out, {}).PutString(text);
  return out;
}

Bytes PutArray(Arena& arena, ValueType element, std::uint64_t count, Bytes elements) {
  const MutableBytes out = arena.Take(12 + elements.size());
  Writer(out, {}).Put(static_cast<std::uint32_t>(element)).Put(count).PutBytes(elements);
  return out;
}

std::string_view MakeWord(MutationContext& context, std::size_t size) {
  const MutableBytes word = context.arena.Take(size);
  std::uint64_t bits = 0;
  for (std::uint8_t& letter : word) {
    if (bits < 26) bits = context.random.Next();
    letter = static_cast<std::uint8_t>('a' + bits % 26);
    bits /= 26;
  }
  return AsText(word);
}

std::string_view MakeKey(MutationContext& context) {
  const std::string_view word = MakeWord(context, context.random.Between(3, 12));
  if (word.empty() || context.random.OneIn(4)) return word;
  // "general.abc", or "abc.def" where the dot takes a letter's place.
  constexpr std::string_view kGeneral = "general.";
  if (context.random.OneIn(4)) {
    const MutableBytes key = context.arena.Take(kGeneral.size() + word.size());
    Writer(key, {}).PutBytes(AsBytes(kGeneral)).PutBytes(AsBytes(word));
    return AsText(key);
  }
  const MutableBytes key = context.arena.Copy(AsBytes(word));
  if (!key.empty()) key[word.size() / 2] = '.';
  return AsText(key);
}

std::string_view MakeKnownKey(MutationContext& context, const KeyInfo& info) {
  constexpr std::string_view kArch = "{arch}";
  constexpr std::size_t kLongest = 64;
  if (!info.pattern.starts_with(kArch)) return info.pattern;
  const Entry* entry = context.draft.Find(kArchitectureKey);
  const std::string_view architecture =
      entry == nullptr ? "llama" : StringOf(*entry, {}).value_or("llama").substr(0, kLongest);
  const std::string_view rest = info.pattern.substr(kArch.size());
  const MutableBytes key = context.arena.Take(architecture.size() + rest.size());
  Writer(key, {}).PutBytes(AsBytes(architecture)).PutBytes(AsBytes(rest));
  return AsText(key);
}

Bytes MakeScalar(MutationContext& context, ValueType type) {
  return PutNumber(context.arena, ScalarBits(context, type), InfoOf(type).scalar_bytes);
}

Bytes MakeArray(MutationContext& context, ValueType element, std::size_t count) {
  constexpr std::size_t kString = 11;  // a length and three letters
  const bool strings = element == ValueType::kString;
  const std::size_t size = strings ? kString : InfoOf(element).scalar_bytes;
  const MutableBytes out = context.arena.Take(12 + count * size);
  if (out.empty()) return {};
  Writer writer(out, {});
  writer.Put(static_cast<std::uint32_t>(element)).Put(std::uint64_t{count});
  for (std::size_t i = 0; i < count; ++i) {
    if (!strings) {
      PutLowest(out.subspan(12 + i * size, size), ScalarBits(context, element));
    } else {
      writer.PutString(MakeWord(context, kString - 8));
    }
  }
  return out.first(strings ? writer.at() : out.size());
}

Bytes MakeShape(MutationContext& context, KeyShape shape, ValueType& type) {
  const bool array = context.random.OneIn(2);
  switch (shape) {
    case KeyShape::kString:
      return MakeOf(context, type, ValueType::kString);
    case KeyShape::kBool:
      return MakeOf(context, type, ValueType::kBool);
    case KeyShape::kU16:
      return MakeOf(context, type, ValueType::kU16);
    case KeyShape::kU32:
      return MakeOf(context, type, ValueType::kU32);
    case KeyShape::kI32:
      return MakeOf(context, type, ValueType::kI32);
    case KeyShape::kInteger:
      return MakeInteger(context, type);
    case KeyShape::kF32:
      return MakeOf(context, type, ValueType::kF32);
    case KeyShape::kLayerIntegers:
    case KeyShape::kOneOrMoreIntegers:
      return array ? MakeArrayOf(context, type, context.random.Pick(kIntegerTypes))
                   : MakeInteger(context, type);
    case KeyShape::kLayerFloats:
      return array ? MakeArrayOf(context, type, ValueType::kF32)
                   : MakeOf(context, type, ValueType::kF32);
    case KeyShape::kLayerBools:
      return array ? MakeArrayOf(context, type, ValueType::kBool)
                   : MakeOf(context, type, ValueType::kBool);
    case KeyShape::kIntegers:
      return MakeArrayOf(context, type, context.random.Pick(kIntegerTypes));
    case KeyShape::kI32s:
      return MakeArrayOf(context, type, ValueType::kI32);
    case KeyShape::kF32s:
      return MakeArrayOf(context, type, ValueType::kF32);
    case KeyShape::kStrings:
      return MakeArrayOf(context, type, ValueType::kString);
    case KeyShape::kBytes:
      return MakeArrayOf(context, type, ValueType::kU8);
  }
  return {};
}

ValueType AnyScalarType(Random& random) {
  const auto drawn = static_cast<std::uint32_t>(random.Below(11));
  return ValueType{drawn < 8 ? drawn : drawn + 2};  // without string and array
}

std::optional<ArrayValue> ArrayOf(const Entry& entry, Encoding encoding) {
  if (entry.type != static_cast<std::uint32_t>(ValueType::kArray)) return std::nullopt;
  if (entry.value.size() < 12 || encoding != Encoding{}) return std::nullopt;
  const auto element = Load<std::uint32_t>(entry.value, ByteOrder::kLittle);
  if (FindValueType(element) == nullptr) return std::nullopt;
  const ArrayValue array = {
      .element = ValueType{element},
      .count = Load<std::uint64_t>(entry.value.subspan(4), ByteOrder::kLittle),
      .element_bytes = SizeOfScalar(element),
      .elements = entry.value.subspan(12)};
  if (array.element == ValueType::kArray) return std::nullopt;
  if (array.element_bytes > 0 &&
      CheckedMul(array.count, array.element_bytes) != array.elements.size()) {
    return std::nullopt;
  }
  return array;
}

std::optional<std::string_view> StringOf(const Entry& entry, Encoding encoding) {
  if (entry.type != static_cast<std::uint32_t>(ValueType::kString)) return std::nullopt;
  if (entry.value.size() < 8 || encoding != Encoding{}) return std::nullopt;
  return AsText(entry.value.subspan(8));
}

std::optional<std::size_t> StringsEnd(Bytes strings, std::uint64_t count) {
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (strings.size() - at < 8) return std::nullopt;
    const auto length = Load<std::uint64_t>(strings.subspan(at), ByteOrder::kLittle);
    if (strings.size() - at - 8 < length) return std::nullopt;
    at += 8 + static_cast<std::size_t>(length);
  }
  return at;
}

bool AddEntry(MutationContext& context, std::string_view key, ValueType type, Bytes value) {
  if (key.empty() || value.empty()) return false;
  return context.draft.entries.Insert(
      context.random.Below(context.draft.entries.size() + 1),
      {.key = key, .type = static_cast<std::uint32_t>(type), .value = value});
}

}  // namespace ggufgate::mutate
