#pragma once

// The relation of a value to an argument of the current macro. Internal to this module.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ggufgate {

// Hollow is an argument that has no parts. llama.cpp gives "undefined" for any attribute of it.
enum class Hollow : std::uint8_t {
  kUndefined,
  kEmpty,  // {}, [], '', 0, false, none
  kPlain,  // another text or number, true; also a list, unless one of its attributes is read
  kTyped,  // {'type': 'any'}: the value of templates for a JSON schema without restrictions
};
inline constexpr std::size_t kHollows = 4;
inline constexpr std::string_view kTypedKey = "type";
inline constexpr std::string_view kTypedText = "any";

// HollowKinds is a set of them, with one bit each. kForeign is an additional bit for all values
// with parts.
using HollowKinds = std::uint8_t;
constexpr HollowKinds KindOf(Hollow kind) {
  return static_cast<HollowKinds>(1U << static_cast<unsigned>(kind));
}
// All kinds without any parts.
inline constexpr HollowKinds kAnyHollow =
    KindOf(Hollow::kUndefined) | KindOf(Hollow::kEmpty) | KindOf(Hollow::kPlain);
inline constexpr HollowKinds kForeign = 1U << kHollows;

// GivenPart tells that a value is an argument, or a part of it.
struct GivenPart {
  static constexpr std::int16_t kNotGiven = INT16_MAX;
  static constexpr std::uint32_t kNoParameter = UINT32_MAX;

  // Minimum number of levels below the argument: 1 for an element or attribute, 0 for a possible
  // argument itself, negative for a container that holds it.
  std::int16_t inside = kNotGiven;
  // Is, or was read from, a container that the macro made around a part.
  bool wraps = false;
  bool pairs =
      false;  // are pairs of a dictionary's keys and values, which has no such pairs itself
  bool named = false;               // only constant names led to it
  HollowKinds others = 0;           // other values that it may have
  std::uint32_t as = kNoParameter;  // slot of the parameter

  [[nodiscard]] bool IsGiven() const { return inside != kNotGiven; }
  [[nodiscard]] bool IsForeign() const { return (others & kForeign) != 0; }
  // LiesInside tells whether a part of the argument is at least `levels` levels below it.
  [[nodiscard]] bool LiesInside(int levels) const {
    return IsGiven() && inside >= levels && !wraps && !IsForeign();
  }

  // Wrap turns it into a container around the value.
  void Wrap();
  // IsSmaller tells whether a part is certainly smaller than the argument. A container around a
  // part is smaller only `in_loop`: in a loop over a part.
  [[nodiscard]] bool IsSmaller(bool in_loop) const {
    return IsGiven() && (pairs || (inside > 0 && (in_loop || !wraps)));
  }
  // MoveInside moves it `levels` further below the argument.
  void MoveInside(int levels);
  // Join adds the values of `more`. It returns true if that changes anything.
  bool Join(const GivenPart& more);
};

}  // namespace ggufgate
