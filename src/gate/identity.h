#pragma once

#include <cstdint>

namespace ggufgate {

// Identity tells which file was checked. If two identities are equal, the bytes are equal, as far
// as the system can tell.
struct Identity {
  std::uint64_t size = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t modified_ns = 0;  // since the epoch
  std::int64_t changed_ns = 0;

  friend bool operator==(const Identity&, const Identity&) = default;
};

}  // namespace ggufgate
