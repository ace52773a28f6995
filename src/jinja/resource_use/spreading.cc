#include "jinja/resource_use/spreading.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "jinja/resource_use/circles.h"

namespace ggufgate {
namespace {

// MeansIt is true if the holder may mean the object of the other name, or one that it holds.
bool MeansIt(const TemplateHolding& holding) {
  using How = TemplateHolding::How;
  return holding.how == How::kIs || holding.how == How::kTakenFrom;
}

// AddOtherNames follows the names of objects that methods add to.
void AddOtherNames(std::vector<TemplateGrowth>& growths,
                   const std::vector<TemplateHolding>& holdings, std::vector<std::size_t> added) {
  for (const TemplateGrowth& growth : growths) {
    if (growth.method) added.push_back(growth.into);
  }
  if (added.empty()) return;
  std::vector<const TemplateHolding*> ways;
  for (const TemplateHolding& holding : holdings) {
    if (MeansIt(holding)) ways.push_back(&holding);
  }
  const auto by_holder = [](const TemplateHolding* way) { return way->holder; };
  std::ranges::sort(ways, {}, [](const TemplateHolding* way) {
    return std::tuple(way->holder, way->at, way->held);
  });
  std::vector<bool> followed(ways.size(), false);
  while (!added.empty() && growths.size() < TemplateScope::kMostGrowths) {
    const std::size_t name = added.back();
    added.pop_back();
    const auto first = std::ranges::lower_bound(ways, name, {}, by_holder);
    for (auto way = first; way != ways.end() && (*way)->holder == name; ++way) {
      const auto place = static_cast<std::size_t>(way - ways.begin());
      if (followed.at(place)) break;
      followed.at(place) = true;
      growths.push_back({.into = (*way)->held,
                         .from = name,
                         .times = 1,
                         .whole = (*way)->how == TemplateHolding::How::kIs,
                         .carried = true,
                         .at = (*way)->at});
      added.push_back((*way)->held);
    }
  }
}

// Spreading handles the circles in order: if names of a circle are set from another circle, that
// one comes first.
class Spreading {
 public:
  Spreading(TemplateScope& scope, const Circles& circles) : scope_(scope), circles_(circles) {
    order_.resize(scope.growths.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::sort(order_, {}, [&](std::uint32_t place) {
      return std::pair(circles_.CircleOf(scope_.growths.at(place).into), place);
    });
  }

  void Spread() {
    for (std::size_t begin = 0; begin < order_.size();) {
      std::size_t end = begin;
      while (end < order_.size() && CircleAt(end) == CircleAt(begin)) ++end;
      SpreadInto(begin, end);
      begin = end;
    }
  }

 private:
  [[nodiscard]] const TemplateGrowth& GrowthAt(std::size_t place) const {
    return scope_.growths.at(order_.at(place));
  }
  [[nodiscard]] std::size_t CircleAt(std::size_t place) const {
    return circles_.CircleOf(GrowthAt(place).into);
  }

  // SpreadInto handles all assignments to the names of one circle. Afterwards these names have the
  // same size.
  void SpreadInto(std::size_t begin, std::size_t end) {
    TemplateSizes all;
    bool lasts = false;
    for (std::size_t i = begin; i < end; ++i) {
      const TemplateGrowth& growth = GrowthAt(i);
      TemplateValue* into = scope_.Named(growth.into);
      const TemplateValue* from = scope_.Named(growth.from);
      if (growth.field || into == nullptr || from == nullptr) continue;
      Copy(growth, *from, *into);
      if (!circles_.Share(growth.into, growth.from)) continue;
      lasts = true;
      all.bytes = std::max({all.bytes, into->bytes, from->bytes});
      all.most = std::max({all.most, into->most, from->most});
    }
    for (std::size_t i = begin; i < end && lasts; ++i) {
      TemplateValue* into = scope_.Named(GrowthAt(i).into);
      if (into != nullptr) into->Join(all);
    }
  }

  static void Copy(const TemplateGrowth& growth, const TemplateValue& from, TemplateValue& into) {
    const TemplateSizes sizes = from;
    if (growth.whole) into.Join(sizes);
    if (growth.number) into.most = std::max(into.most, sizes.most);
    if (growth.number || growth.into == growth.from) return;
    if (into.elements > 0) into.elements = std::max(into.elements, sizes.elements);
    into.bytes = std::max(into.bytes, ProductOf(sizes.bytes, growth.times));
  }

  TemplateScope& scope_;
  const Circles& circles_;
  std::vector<std::uint32_t> order_;  // indexes of growths
};

}  // namespace

void FollowNames(TemplateScope& scope, bool spreads) {
  scope.circles = {};  // frees its memory, which is needed
  AddOtherNames(scope.growths, scope.holdings, scope.enlarged);
  std::ranges::sort(scope.growths, {}, [](const TemplateGrowth& growth) {
    return std::tuple(growth.into, growth.at, growth.from);
  });
  const Circles circles(scope.growths);
  if (spreads) Spreading(scope, circles).Spread();
  const auto lasts = [&](std::size_t name) { return circles.Lasts(name); };
  scope.circles.reserve(static_cast<std::size_t>(std::ranges::count_if(circles.Names(), lasts)));
  for (const std::size_t name : circles.Names()) {
    if (!lasts(name)) continue;
    scope.circles.emplace_back(name, circles.CircleOf(name));
  }
}

}  // namespace ggufgate
