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

std::string_view WordFor(KeyShape shape) {
  switch (shape) {
    case KeyShape::kString:
      return "a string";
    case KeyShape::kBool:
      return "a bool";
    case KeyShape::kU16:
      return "a u16";
    case KeyShape::kU32:
      return "a u32";
    case KeyShape::kI32:
      return "an i32";
    case KeyShape::kInteger:
      return "an integer";
    case KeyShape::kF32:
      return "an f32";
    case KeyShape::kLayerIntegers:
    case KeyShape::kOneOrMoreIntegers:
      return "an integer or an array of integers";
    case KeyShape::kLayerFloats:
      return "an f32 or an array of f32";
    case KeyShape::kLayerBools:
      return "a bool, an integer or an array of either";
    case KeyShape::kIntegers:
      return "an array of integers";
    case KeyShape::kI32s:
      return "an array of i32";
    case KeyShape::kF32s:
      return "an array of f32";
    case KeyShape::kStrings:
      return "an array of strings";
    case KeyShape::kBytes:
      return "an array of u8 or i8";
  }
  return "";
}

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
