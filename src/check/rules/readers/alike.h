#pragma once

// Names that are equal for readers that fold case, fold Unicode, or trim. Not for users of the
// library.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "check/repeats/repeats.h"
#include "format/limits.h"
#include "format/unicode/folding.h"

namespace ggufgate {

struct NumberedName {
  std::uint64_t index;
  std::string_view name;
};

// FindAlikeNames returns the names, by rising index, that differ from an earlier name but have the
// same fold. Time is linear for ordinary names, otherwise n log n. It allocates 8 bytes per name,
// and the folds of candidates.
[[nodiscard]] std::vector<Repeat> FindAlikeNames(const std::vector<NumberedName>& names);

// FindAlike does the same for the names of records. If every name is its own fold, as in nearly
// every file, one pass is enough: equal names are then duplicates, which another rule reports. It
// skips empty names and names beyond the length limit.
template <typename Record, typename NameOf>
[[nodiscard]] std::vector<Repeat> FindAlike(const std::vector<Record>& records, NameOf name_of) {
  constexpr std::size_t kLongest = Limits{}.key_bytes;
  const auto is_folded = [&](const Record& record) { return IsFolded(name_of(record)); };
  if (std::ranges::all_of(records, is_folded)) return {};
  std::vector<NumberedName> names;
  names.reserve(records.size());
  for (std::uint64_t i = 0; i < records.size(); ++i) {
    const std::string_view name = name_of(records.at(i));
    if (!name.empty() && name.size() <= kLongest) names.push_back({.index = i, .name = name});
  }
  return FindAlikeNames(names);
}

}  // namespace ggufgate
