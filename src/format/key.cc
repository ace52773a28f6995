#include "format/key.h"

#include <algorithm>
#include <array>

namespace ggufgate {
namespace {

constexpr std::string_view kArchitecture = "{arch}.";

constexpr std::array kKeys = {
#define GGUFGATE_KEY(pattern, shape, what) KeyInfo{pattern, KeyShape::shape, what},
#include "format/keys.def"
#undef GGUFGATE_KEY
};

constexpr auto kSorted = [] {
  auto keys = kKeys;
  std::ranges::sort(keys, {}, &KeyInfo::pattern);
  return keys;
}();
static_assert(std::ranges::adjacent_find(kSorted, {}, &KeyInfo::pattern) == kSorted.end(),
              "a key stands once in keys.def");

// The patterns with an architecture stand together; these compare them by what follows it.
constexpr auto Tail(const KeyInfo& key) { return key.pattern.substr(kArchitecture.size()); }

const KeyInfo* FindPlain(std::string_view key) {
  if (key.starts_with(kArchitecture)) return nullptr;  // a pattern, and in a file nothing special
  const auto found = std::ranges::lower_bound(kSorted, key, {}, &KeyInfo::pattern);
  return found != kSorted.end() && found->pattern == key ? &*found : nullptr;
}

const KeyInfo* FindOfArchitecture(std::string_view tail) {
  const auto is_plain = [](const KeyInfo& key) { return !key.pattern.starts_with(kArchitecture); };
  // '{' is behind every letter, so these patterns are the last.
  const auto begin = std::ranges::find_if_not(kSorted, is_plain);
  const auto found = std::ranges::lower_bound(begin, kSorted.end(), tail, {}, Tail);
  return found != kSorted.end() && Tail(*found) == tail ? &*found : nullptr;
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

}  // namespace ggufgate
