#pragma once

#include <string_view>

namespace ggufgate {

// ByLength orders texts by their length, and those of one length by their bytes: a search in a table
// of names compares bytes only where it has nearly found what it looks for.
struct ByLength {
  constexpr bool operator()(std::string_view a, std::string_view b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};

}  // namespace ggufgate
