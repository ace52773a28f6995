#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "manifest/difference.h"

namespace ggufgate {

// The common parts of both kinds of comparison.
[[nodiscard]] Difference TextDifference(Difference::Kind kind, std::string subject,
                                        const std::string& from, const std::string& to);
[[nodiscard]] Difference ShapeDifference(std::string subject, std::span<const std::uint64_t> from,
                                         std::span<const std::uint64_t> to);
// ShapeWords returns "[4096, 32]".
[[nodiscard]] std::string ShapeWords(std::span<const std::uint64_t> dimensions);

// Matched pairs the items of two lists by name: (from, to). One of the two is nullptr if the other
// list lacks the item. The pairs have the order of `from`, followed by the items that only `to`
// has.
template <typename Item, typename Name>
std::vector<std::pair<const Item*, const Item*>> Matched(const std::vector<Item>& from,
                                                         const std::vector<Item>& to, Name name) {
  std::vector<const Item*> sorted;
  for (const Item& item : to) sorted.push_back(&item);
  const auto name_of = [&](const Item* item) { return std::invoke(name, *item); };
  std::ranges::sort(sorted, {}, name_of);
  std::vector<std::pair<const Item*, const Item*>> matched;
  std::vector<bool> has_partner(to.size());
  for (const Item& item : from) {
    const auto found = std::ranges::lower_bound(sorted, std::invoke(name, item), {}, name_of);
    const bool is_there = found != sorted.end() && name_of(*found) == std::invoke(name, item);
    matched.emplace_back(&item, is_there ? *found : nullptr);
    if (is_there) has_partner.at(static_cast<std::size_t>(*found - to.data())) = true;
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!has_partner.at(i)) matched.emplace_back(nullptr, &to.at(i));
  }
  return matched;
}

}  // namespace ggufgate
