#pragma once

// A map from names for few names. Internal to this module.

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace ggufgate {

// NameMap keeps its names sorted. The names view the template's text.
template <typename Value>
class NameMap {
 public:
  [[nodiscard]] const Value* Find(std::string_view name) const {
    const auto at = std::ranges::lower_bound(entries_, name, {}, &Entry::first);
    return at != entries_.end() && at->first == name ? &at->second : nullptr;
  }
  [[nodiscard]] bool contains(std::string_view name) const { return Find(name) != nullptr; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  // Returns the value of a name, after adding a default value if the name is missing. The reference
  // is valid until another name is added.
  Value& operator[](std::string_view name) {
    auto at = std::ranges::lower_bound(entries_, name, {}, &Entry::first);
    if (at == entries_.end() || at->first != name) at = entries_.insert(at, {name, Value()});
    return at->second;
  }

 private:
  using Entry = std::pair<std::string_view, Value>;

  std::vector<Entry> entries_;
};

}  // namespace ggufgate
