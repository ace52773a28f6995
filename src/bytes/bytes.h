#pragma once

// Bytes are what every layer passes around: a view that knows its length. Ownership stays with
// whoever read them (for a file: the gate's prefix buffer).

#include <cstdint>
#include <span>
#include <string_view>

#include "bytes/audited.h"

namespace ggufgate {

using Bytes = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

// AsText views bytes as characters. Nothing is promised about their encoding.
inline std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// AsBytes views characters as bytes.
inline Bytes AsBytes(std::string_view text) {
  GGUFGATE_AUDITED_BEGIN  // pointer and length come from one string_view
      return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
  GGUFGATE_AUDITED_END
}

}  // namespace ggufgate
