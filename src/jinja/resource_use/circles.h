#pragma once

// Names that are set from each other, and macros that call each other. Internal to this module.

#include <algorithm>
#include <vector>

#include "jinja/scope.h"

namespace ggufgate {

// IsField tells whether a name, as in TemplateValue::parts, is that of a field.
inline bool IsField(std::size_t name) { return name % 2 == 1; }

// Circles finds names that are set from each other (Tarjan's algorithm, without recursion).
class Circles {
 public:
  explicit Circles(const std::vector<TemplateGrowth>& growths) : growths_(growths) {
    for (const TemplateGrowth& growth : growths) {
      names_.push_back(growth.into);
      names_.push_back(growth.from);
    }
    std::ranges::sort(names_);
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    nodes_.resize(names_.size());
    for (std::size_t i = 0; i < growths.size(); ++i) {
      Node& node = nodes_.at(PlaceOf(growths.at(i).into));
      if (node.degree++ == 0) node.first = static_cast<std::uint32_t>(i);
    }
    for (const TemplateGrowth& growth : growths) {
      const std::size_t place = PlaceOf(growth.into);
      if (nodes_.at(place).order == 0) Visit(place);
    }
    FindLasting();
  }

  // InOne tells whether two names are in one circle. Share also requires that the circle lasts from
  // one round to the next.
  [[nodiscard]] bool InOne(std::size_t a, std::size_t b) const {
    return nodes_.at(PlaceOf(a)).circle == nodes_.at(PlaceOf(b)).circle;
  }
  // CircleOf returns the number of the circle of a name. If names of a circle are set from another
  // circle, that circle has a smaller number.
  [[nodiscard]] std::size_t CircleOf(std::size_t name) const {
    return nodes_.at(PlaceOf(name)).circle;
  }
  // Names returns all names, sorted.
  [[nodiscard]] const std::vector<std::size_t>& Names() const { return names_; }
  [[nodiscard]] bool Lasts(std::size_t name) const { return nodes_.at(PlaceOf(name)).lasts; }
  [[nodiscard]] bool Share(std::size_t a, std::size_t b) const {
    return nodes_.at(PlaceOf(a)).lasts && InOne(a, b);
  }

 private:
  // No template has more than 2^32 names or growths. Nodes take most of the memory here.
  struct Node {
    std::uint32_t first = 0;  // index of its growths, which are adjacent
    std::uint32_t degree = 0;
    std::uint32_t next = 0;    // the next growth to follow
    std::uint32_t order = 0;   // when it was first reached, from 1
    std::uint32_t lowest = 0;  // lowest order that is reachable from it
    std::uint32_t circle = 0;
    bool open = false;
    bool lasts = false;  // its circle has a field
  };

  // FindLasting finds circles of variables that last: a round reads one of them before that round
  // sets it.
  void FindLasting() {
    std::vector<std::size_t> lasting;
    for (const TemplateGrowth& growth : growths_) {
      if (growth.carried && InOne(growth.into, growth.from))
        lasting.push_back(CircleOf(growth.into));
    }
    std::ranges::sort(lasting);
    for (Node& node : nodes_) {
      node.lasts = node.lasts || std::ranges::binary_search(lasting, node.circle);
    }
  }

  [[nodiscard]] std::size_t PlaceOf(std::size_t name) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(names_, name) - names_.begin());
  }

  void Enter(std::size_t place) {
    Node& node = nodes_.at(place);
    node.order = node.lowest = ++order_;
    node.open = true;
    path_.push_back(place);
    open_.push_back(place);
  }

  void Visit(std::size_t start) {
    Enter(start);
    while (!path_.empty()) {
      const std::size_t place = path_.back();
      Node& node = nodes_.at(place);
      if (node.next < node.degree) {
        const std::size_t from = PlaceOf(growths_.at(std::size_t{node.first} + node.next++).from);
        const Node& other = nodes_.at(from);
        if (other.order == 0) {
          Enter(from);
        } else if (other.open) {
          node.lowest = std::min(node.lowest, other.order);
        }
        continue;
      }
      Leave(place);
    }
  }

  void Leave(std::size_t place) {
    const Node& node = nodes_.at(place);
    path_.pop_back();
    if (!path_.empty()) {
      Node& before = nodes_.at(path_.back());
      before.lowest = std::min(before.lowest, node.lowest);
    }
    if (node.lowest != node.order) return;
    bool lasts = false;
    ++circles_;
    for (std::size_t i = open_.size(); i > 0; --i) {
      lasts = lasts || IsField(names_.at(open_.at(i - 1)));
      if (open_.at(i - 1) == place) break;
    }
    for (bool last = false; !last;) {
      Node& done = nodes_.at(open_.back());
      last = open_.back() == place;
      done.open = false;
      done.lasts = lasts;
      done.circle = circles_;
      open_.pop_back();
    }
  }

  const std::vector<TemplateGrowth>& growths_;
  std::vector<std::size_t> names_;  // sorted; nodes_ has the same order
  std::vector<Node> nodes_;
  std::vector<std::size_t> path_;
  std::vector<std::size_t> open_;
  std::uint32_t order_ = 0;
  std::uint32_t circles_ = 0;
};

}  // namespace ggufgate
