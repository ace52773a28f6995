#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ggufgate {

// Cause explains a finding: the real type of the file, or the damage to it.
struct Cause {
  enum class Kind : std::uint8_t {
#define GGUFGATE_CAUSE(name, slug, happened, advice) k##name,
#include "check/cause/causes.def"
#undef GGUFGATE_CAUSE
  };
  Kind kind = Kind::kNone;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::string other = {};  // never text from the file

  explicit operator bool() const { return kind != Kind::kNone; }
};

struct CauseInfo {
  std::string_view slug;
  std::string_view happened;  // with {a}, {b}, {other}
  std::string_view advice;
};

[[nodiscard]] const CauseInfo& InfoOf(Cause::Kind kind);

}  // namespace ggufgate
