#pragma once

#include <cstdint>
#include <string_view>

namespace ggufgate {

// Verdict answers the one question. Only kAccept means: load it.
enum class Verdict : std::uint8_t {
  kAccept,     // no finding at or above the policy's threshold
  kReject,     // a fact about the bytes speaks against loading
  kUndecided,  // the machine failed us: I/O, resources, a file that changed while it was read
};

[[nodiscard]] constexpr std::string_view WordFor(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAccept:
      return "accept";
    case Verdict::kReject:
      return "reject";
    case Verdict::kUndecided:
      return "undecided";
  }
  return "";
}

}  // namespace ggufgate
