#include "format/key.h"

#include <algorithm>
#include <array>

#include "format/name_table.h"

namespace ggufgate {
namespace {

constexpr std::string_view kArchitecture = "{arch}.";

constexpr std::array kKeys = {
#define GGUFGATE_KEY(pattern, shape, what) KeyInfo{pattern, KeyShape::shape, what},
#include "format/keys.def"
#undef GGUFGATE_KEY
};

// TypeSet is a set of value types, with one bit each.
using TypeSet = std::uint16_t;

constexpr TypeSet Only(ValueType type) {
  return static_cast<TypeSet>(1U << static_cast<std::uint32_t>(type));
}
constexpr bool Holds(TypeSet types, ValueType type) {
  return static_cast<std::uint32_t>(type) < 16 && (types & Only(type)) != 0;
}

using enum ValueType;
constexpr TypeSet kNone = 0;
constexpr TypeSet kAnyInteger = Only(kU8) | Only(kI8) | Only(kU16) | Only(kI16) | Only(kU32) |
                                Only(kI32) | Only(kU64) | Only(kI64);

// ShapeTypes is one line of key_shapes.def.
struct ShapeTypes {
  TypeSet scalars;
  TypeSet elements;
  std::string_view words;
};

constexpr std::array kShapes = {
#define GGUFGATE_KEY_SHAPE(name, scalars, elements, words) ShapeTypes{scalars, elements, words},
#include "format/key_shapes.def"
#undef GGUFGATE_KEY_SHAPE
};

const ShapeTypes& TypesOf(KeyShape shape) { return kShapes.at(static_cast<std::size_t>(shape)); }

constexpr bool IsOfArchitecture(const KeyInfo& key) {
  return key.pattern.starts_with(kArchitecture);
}

// PlainAt and TailAt return the names of the two tables: whole keys, and the part of keys after the
// architecture. Each key is in one of them.
constexpr std::string_view PlainAt(std::uint16_t index) {
  const KeyInfo& key = kKeys.at(index);
  return IsOfArchitecture(key) ? "" : key.pattern;
}
constexpr std::string_view TailAt(std::uint16_t index) {
  const KeyInfo& key = kKeys.at(index);
  return IsOfArchitecture(key) ? key.pattern.substr(kArchitecture.size()) : "";
}

constexpr NameTable<PlainAt, kKeys.size()> kPlain;
constexpr NameTable<TailAt, kKeys.size()> kOfArchitecture;
static_assert(kPlain.unique() && kOfArchitecture.unique(), "a key occurs once in keys.def");
static_assert(kPlain.kNone == kUnknownKey && kOfArchitecture.kNone == kUnknownKey);

}  // namespace

std::string_view WordFor(KeyShape shape) { return TypesOf(shape).words; }

bool HasShape(ValueType type, ValueType element, KeyShape shape) {
  const ShapeTypes& types = TypesOf(shape);
  return type == ValueType::kArray ? Holds(types.elements, element) : Holds(types.scalars, type);
}

bool MayBeArray(KeyShape shape) { return TypesOf(shape).elements != kNone; }

std::span<const KeyInfo> AllKeys() { return kKeys; }

KeyId FindKeyId(std::string_view key, std::string_view architecture) {
  const KeyId plain = kPlain.Find(key);
  if (plain != kUnknownKey || architecture.empty()) return plain;
  const std::size_t size = architecture.size();
  if (key.size() <= size || key[size] != '.' || !key.starts_with(architecture)) return kUnknownKey;
  return kOfArchitecture.Find(key.substr(size + 1));
}

const KeyInfo* FindKey(std::string_view key, std::string_view architecture) {
  const KeyId id = FindKeyId(key, architecture);
  return id != kUnknownKey ? &kKeys.at(id) : nullptr;
}

bool IsReadByLoaders(std::string_view key, std::string_view architecture) {
  constexpr std::array<std::string_view, 6> kFamilies = {
      "tokenizer.", "adapter.", "clip.", "split.", "imatrix.", "controlvector."};
  if (key == "general.architecture" || key == "general.type") return true;
  const auto begins = [&](std::string_view family) { return key.starts_with(family); };
  if (std::ranges::any_of(kFamilies, begins)) return true;
  return !architecture.empty() && key.size() > architecture.size() && begins(architecture) &&
         key[architecture.size()] == '.';
}

}  // namespace ggufgate
