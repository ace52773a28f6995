// The words of GGUF files, from the tables of src/format.

#include <array>
#include <limits>

#include "format/architecture.h"
#include "format/key.h"
#include "format/limits.h"
#include "format/tensors/foreign_type.h"
#include "format/tensors/layout.h"
#include "format/tensors/tensor_type.h"
#include "format/tokenizers/tokenizer.h"
#include "format/value_type.h"
#include "fuzz/dictionary/dictionary.h"

namespace ggufgate::fuzz {
namespace {

std::string U32(std::uint64_t number) { return LittleEndian(number, 4); }
std::string U64(std::uint64_t number) { return LittleEndian(number, 8); }
std::string U32(ValueType type) { return U32(static_cast<std::uint32_t>(type)); }

// String returns the encoding of a text: its length, then the text.
std::string String(std::string_view text) { return U64(text.size()).append(text); }

// TypeBytes returns the bytes between a key and a value of this shape.
std::string TypeBytes(KeyShape shape) {
  const auto array_of = [](ValueType type) { return U32(ValueType::kArray) + U32(type); };
  switch (shape) {
    case KeyShape::kString:
      return U32(ValueType::kString);
    case KeyShape::kBool:
    case KeyShape::kLayerBools:
      return U32(ValueType::kBool);
    case KeyShape::kU16:
      return U32(ValueType::kU16);
    case KeyShape::kU32:
    case KeyShape::kInteger:
    case KeyShape::kLayerIntegers:
    case KeyShape::kOneOrMoreIntegers:
      return U32(ValueType::kU32);
    case KeyShape::kI32:
      return U32(ValueType::kI32);
    case KeyShape::kF32:
    case KeyShape::kLayerFloats:
      return U32(ValueType::kF32);
    case KeyShape::kIntegers:
    case KeyShape::kI32s:
      return array_of(ValueType::kI32);
    case KeyShape::kF32s:
      return array_of(ValueType::kF32);
    case KeyShape::kStrings:
      return array_of(ValueType::kString);
    case KeyShape::kBytes:
      return array_of(ValueType::kU8);
  }
  return {};
}

void AddHeaders(Dictionary& dictionary) {
  dictionary.Heading("magic, and with each version");
  constexpr std::string_view kMagic = "GGUF";
  dictionary.Add(kMagic);
  for (std::uint64_t version = 1; version <= 3; ++version) {
    dictionary.Add(std::string(kMagic) + U32(version));
  }
  dictionary.Add(std::string(kMagic).append("\0\0\0\3", 4));  // in the other byte order
}

// AddKey adds a key alone, and the beginning of its record: length, key, type of the value.
void AddKey(Dictionary& dictionary, std::string_view key, KeyShape shape) {
  dictionary.Add(key);
  dictionary.Add(String(key) + TypeBytes(shape));
}

void AddKeys(Dictionary& dictionary) {
  constexpr std::string_view kArch = "{arch}";
  dictionary.Heading("metadata keys: bare, and with length and type of the value");
  AddKey(dictionary, kAlignmentKey, KeyShape::kU32);
  for (const KeyInfo& key : AllKeys()) {
    if (key.pattern.starts_with(kArch)) {
      const std::string_view rest = key.pattern.substr(kArch.size());
      dictionary.Add(rest);
      dictionary.Add(String("llama" + std::string(rest)) + TypeBytes(key.shape));
    } else {
      AddKey(dictionary, key.pattern, key.shape);
    }
  }
}

void AddNames(Dictionary& dictionary) {
  dictionary.Heading("architectures");
  for (const ArchitectureInfo& architecture : AllArchitectures()) {
    dictionary.Add(String(architecture.name));
  }
  dictionary.Heading("tokenizers");
#define GGUFGATE_TOKENIZER(word, ...) dictionary.Add(String(word));
#include "format/tokenizers/tokenizers.def"
#undef GGUFGATE_TOKENIZER
  dictionary.Heading("tensor names");
  for (const std::string_view name :
       {"token_embd.weight", "output.weight", "blk.0.attn_q.weight", "blk.0.ffn_up.weight"}) {
    dictionary.Add(String(name));
  }
}

void AddTypes(Dictionary& dictionary) {
  dictionary.Heading("types of values and of tensors, removed and foreign ones as well");
#define GGUFGATE_VALUE_TYPE(name, id, word, bytes) dictionary.Add(U32(id));
#include "format/value_types.def"
#undef GGUFGATE_VALUE_TYPE
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    dictionary.Add(U32(static_cast<std::uint32_t>(type.type)));
  }
  constexpr std::uint32_t kMost = 1000;  // forks begin at 97 and count on
  for (std::uint32_t id = 0; id < kMost; ++id) {
    if (!ForeignTypesOf(id).empty()) dictionary.Add(U32(id));
  }
  dictionary.Heading("arrays: their type and that of their elements");
#define GGUFGATE_VALUE_TYPE(name, id, word, bytes) \
  dictionary.Add(U32(ValueType::kArray) + U32(ValueType::k##name));
#include "format/value_types.def"
#undef GGUFGATE_VALUE_TYPE
}

void AddNumbers(Dictionary& dictionary) {
  dictionary.Heading("alignments");
  for (std::uint64_t alignment = 1; alignment <= 2 * Limits().alignment; alignment *= 2) {
    dictionary.Add(U32(alignment));
  }
  dictionary.Heading("numbers at which loaders wrap, cut off, or give up");
  constexpr std::uint64_t kOne = 1;
  for (const int bits : {0, 7, 8, 15, 16, 24, 30, 31, 32, 33, 48, 52, 53, 60, 61, 62, 63}) {
    dictionary.Add(U64((kOne << bits) - 1));
    dictionary.Add(U64(kOne << bits));
    dictionary.Add(U64((kOne << bits) + 1));
    dictionary.Add(U64(~(kOne << bits)));
  }
  dictionary.Add(U64(std::numeric_limits<std::uint64_t>::max()));
  for (const LimitInfo& limit : AllLimits()) {
    const std::uint64_t value = Limits().*limit.value;
    dictionary.Add(U64(value));
    dictionary.Add(U64(value + 1));
  }
  dictionary.Heading("floats: infinities, NaN, the largest half, the smallest");
  for (const std::uint64_t half : {0x7C00U, 0xFC00U, 0x7E00U, 0x7BFFU, 0x0001U, 0x8000U}) {
    dictionary.Add(LittleEndian(half, 2));
  }
  for (const std::uint64_t single : {0x7F80'0000U, 0x7FC0'0000U, 0x7F7F'FFFFU, 0x0000'0001U}) {
    dictionary.Add(U32(single));
  }
}

}  // namespace

void AddGguf(Dictionary& dictionary) {
  AddHeaders(dictionary);
  AddTypes(dictionary);
  AddNumbers(dictionary);
  AddNames(dictionary);
  AddKeys(dictionary);
}

}  // namespace ggufgate::fuzz
