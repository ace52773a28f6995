#pragma once

// The relation of a value to an argument of the current macro. Not for users of the library.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ggufgate {

// Hollow is an argument that has no parts. llama.cpp gives "undefined" for any attribute of it.
enum class Hollow : std::uint8_t {
  kUndefined,
  kEmpty,  // {}, [], '', 0, false, none
  kPlain,  // another text or number, true; also a list, of which no attribute is asked for
  kTyped,  // {'type': 'any'}, which templates write for a JSON schema that says nothing
};
inline constexpr std::size_t kHollows = 4;
inline constexpr std::string_view kTypedKey = "type";
inline constexpr std::string_view kTypedText = "any";

// HollowKinds is a set of them: a bit for each. kForeign is one more: anything that has parts.
using HollowKinds = std::uint8_t;
constexpr HollowKinds KindOf(Hollow kind) {
  return static_cast<HollowKinds>(1U << static_cast<unsigned>(kind));
}
// All that have no parts at all.
inline constexpr HollowKinds kAnyHollow =
    KindOf(Hollow::kUndefined) | KindOf(Hollow::kEmpty) | KindOf(Hollow::kPlain);
inline constexpr HollowKinds kForeign = 1U << kHollows;

// GivenPart says which argument a value is, or is a part of.
struct GivenPart {
  static constexpr std::int16_t kNotGiven = INT16_MAX;
  static constexpr std::uint32_t kNoParameter = UINT32_MAX;

  // How many levels it lies inside the argument, at least: 1 for an element or attribute, 0 for
  // what may be the argument, less for a container with it.
  std::int16_t inside = kNotGiven;
  bool wraps = false;  // is, or was taken out of, a container that the macro made around a part
  bool pairs =
      false;  // are pairs of a dictionary's keys and values, which has no such pairs itself
  bool named = false;               // was taken out of the argument by constant names alone
  HollowKinds others = 0;           // other values that it may have
  std::uint32_t as = kNoParameter;  // slot of the parameter

  [[nodiscard]] bool IsGiven() const { return inside != kNotGiven; }
  [[nodiscard]] bool IsForeign() const { return (others & kForeign) != 0; }
  // LiesInside is true of a part of the argument that lies at least so many levels inside.
  [[nodiscard]] bool LiesInside(int levels) const {
    return IsGiven() && inside >= levels && !wraps && !IsForeign();
  }

  // Wrap makes it a container around the value.
  void Wrap();
  // IsSmaller is true of a part that is surely less than the argument. A container around a part is
  // one only `in_loop`: in a loop over a part.
  [[nodiscard]] bool IsSmaller(bool in_loop) const {
    return IsGiven() && (pairs || (inside > 0 && (in_loop || !wraps)));
  }
  // MoveInside moves it `levels` further inside the argument.
  void MoveInside(int levels);
  // Join adds the values of `more`; true if that changes anything.
  bool Join(const GivenPart& more);
};

}  // namespace ggufgate
