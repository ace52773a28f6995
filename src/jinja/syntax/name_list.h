#pragma once

// A set of names of a template, whose memory depends only on the number of different names.
// Internal to this module.

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace ggufgate {

class NameList {
 public:
  void Add(std::string_view name) {
    names_.push_back(name);
    if (names_.size() < most_) return;
    Unify();
    most_ = std::max(most_, 2 * names_.size());
  }

  // Take returns the names, each once and sorted. The list is empty afterwards.
  [[nodiscard]] std::vector<std::string_view> Take() {
    Unify();
    return std::exchange(names_, {});
  }

 private:
  void Unify() {
    std::ranges::sort(names_);
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  }

  std::vector<std::string_view> names_;
  std::size_t most_ = 4096;  // size at which duplicates are removed
};

}  // namespace ggufgate
