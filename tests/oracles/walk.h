#pragma once

// A walk over all parts of an opened file.

#include <cstdint>
#include <string>

#include "ggufgate/ggufgate.h"

namespace ggufgate::fuzz {

struct Walked {
  std::string failure;  // the first error; empty: none
  std::uint64_t elements = 0;
  std::uint64_t floats = 0;
  std::uint64_t unreadable_tensors = 0;
};

// Walk reads every key, element and tensor, each once.
[[nodiscard]] Walked Walk(const ggufgate_file& file);

}  // namespace ggufgate::fuzz
