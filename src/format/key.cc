#include "format/key.h"

#include <algorithm>
#include <array>

#include "format/by_length.h"

namespace ggufgate {
namespace {

constexpr std::string_view kArchitecture = "{arch}.";

constexpr std::array kKeys = {
#define GGUFGATE_KEY(pattern, shape, what) KeyInfo{pattern, KeyShape::shape, what},
#include "format/keys.def"
#undef GGUFGATE_KEY
};

// TypeSet is a set of value types, with a bit for each.
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

// The patterns that begin with an architecture stand behind the others, which have no such tail.
constexpr auto kSorted = [] {
  auto keys = kKeys;
  std::ranges::sort(keys, [](const KeyInfo& a, const KeyInfo& b) {
    if (IsOfArchitecture(a) != IsOfArchitecture(b)) return IsOfArchitecture(b);
    return ByLength{}(a.pattern, b.pattern);
  });
  return keys;
}();
static_assert(std::ranges::adjacent_find(kSorted, {}, &KeyInfo::pattern) == kSorted.end(),
              "a key stands once in keys.def");

constexpr auto kPlain = static_cast<std::size_t>(
    std::ranges::count_if(kSorted, [](const KeyInfo& key) { return !IsOfArchitecture(key); }));

constexpr auto Tail(const KeyInfo& key) { return key.pattern.substr(kArchitecture.size()); }

const KeyInfo* FindPlain(std::string_view key) {
  const auto plain = std::span(kSorted).first(kPlain);
  const auto found = std::ranges::lower_bound(plain, key, ByLength{}, &KeyInfo::pattern);
  return found != plain.end() && found->pattern == key ? &*found : nullptr;
}

const KeyInfo* FindOfArchitecture(std::string_view tail) {
  const auto of_architecture = std::span(kSorted).subspan(kPlain);
  const auto found = std::ranges::lower_bound(of_architecture, tail, ByLength{}, Tail);
  return found != of_architecture.end() && Tail(*found) == tail ? &*found : nullptr;
}

}  // namespace

std::string_view WordFor(KeyShape shape) { return TypesOf(shape).words; }

bool HasShape(ValueType type, ValueType element, KeyShape shape) {
  const ShapeTypes& types = TypesOf(shape);
  return type == ValueType::kArray ? Holds(types.elements, element) : Holds(types.scalars, type);
}

bool MayBeArray(KeyShape shape) { return TypesOf(shape).elements != kNone; }

std::span<const KeyInfo> AllKeys() { return kKeys; }

const KeyInfo* FindKey(std::string_view key, std::string_view architecture) {
  if (const KeyInfo* plain = FindPlain(key)) return plain;
  if (architecture.empty() || !key.starts_with(architecture)) return nullptr;
  key.remove_prefix(architecture.size());
  if (!key.starts_with('.')) return nullptr;
  return FindOfArchitecture(key.substr(1));
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
