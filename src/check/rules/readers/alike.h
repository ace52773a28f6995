#pragma once

// Names that are the same to readers that fold case or Unicode, or trim. Not for users of the
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

// FindAlikeNames gives the names, by rising index, that are another's before them once they are
// folded, and not as they stand. Linear for honest names, else n log n; holds 8 bytes a name, and
// the folds of those that may be alike.
[[nodiscard]] std::vector<Repeat> FindAlikeNames(const std::vector<NumberedName>& names);

// FindAlike does so for the names of records. Where every name is its own fold, as in nearly every
// file, it looks once at each and is done: those that are the same are duplicates, and no more.
// Empty names, and those longer than any may be, are left out.
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
