#pragma once

// The faults that a repair leaves in a file, for its report.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/repair.h"

namespace ggufgate {

struct FaultLeft {
  std::string_view rule;                   // its slug
  std::string text;                        // one line, escaped
  std::optional<std::string_view> reason;  // why no repair answers it
};

struct FaultsLeft {
  std::vector<FaultLeft> faults;  // errors, and warnings that have a reason to stay
  // Rules with more findings than a report lists, with the number of the others.
  struct More {
    std::string_view rule;
    std::uint64_t count = 0;
  };
  std::vector<More> more;
};

[[nodiscard]] FaultsLeft FaultsLeftBy(const Repair& repair);

}  // namespace ggufgate
