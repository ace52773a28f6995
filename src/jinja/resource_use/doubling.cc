#include "jinja/resource_use/doubling.h"

#include <algorithm>
#include <tuple>

#include "jinja/resource_use/circles.h"

namespace ggufgate {
namespace {

// StepsOf returns the cost of a loop with a constant number of rounds that adds to a text. The
// engine copies the whole text in each round. Each level is such a text that is added to the next
// one.
std::uint64_t StepsOf(const TemplateGrowth& growth, std::uint64_t levels) {
  constexpr std::uint64_t kEach = 16;  // bytes of each piece
  constexpr std::uint64_t kBytesOfStep = 256;
  if (growth.number || growth.rounds < 2) return 0;
  std::uint64_t bytes = kEach;
  // On average, half of a growing text.
  for (std::uint64_t level = 0; level <= levels; ++level) {
    bytes = ProductOf(bytes, growth.rounds) / (level + 1);
  }
  return bytes / kBytesOfStep;
}

// LevelsOf returns, for each circle of names, the number of nested growing texts that it is made
// of, up to a small limit.
std::vector<std::uint64_t> LevelsOf(const std::vector<TemplateGrowth>& growths,
                                    const Circles& circles) {
  std::size_t most = 0;
  for (const TemplateGrowth& growth : growths) {
    most = std::max({most, circles.CircleOf(growth.into), circles.CircleOf(growth.from)});
  }
  std::vector<std::uint64_t> grows(most + 1, 0);
  for (const TemplateGrowth& growth : growths) {
    if (circles.Share(growth.into, growth.from)) grows.at(circles.CircleOf(growth.into)) = 1;
  }
  std::vector<std::uint64_t> levels = grows;
  constexpr std::size_t kPasses = 6;
  for (std::size_t pass = 0; pass < kPasses; ++pass) {
    for (const TemplateGrowth& growth : growths) {
      const std::size_t into = circles.CircleOf(growth.into);
      const std::size_t from = circles.CircleOf(growth.from);
      if (growth.number || growth.rounds < 2 || into == from) continue;
      levels.at(into) = std::max(levels.at(into), grows.at(into) + levels.at(from));
    }
  }
  return levels;
}

TemplateRemark RemarkOn(const TemplateGrowth& growth, TemplateRemark::Kind kind,
                        const TemplateScope& scope) {
  const std::string_view name = scope.NameOf(growth.into / 2);
  return {.kind = kind, .at = growth.at, .size = 2, .name = std::string(name.substr(0, 256))};
}

}  // namespace

void CheckDoubling(TemplateScope& scope) {
  using Kind = TemplateRemark::Kind;
  const std::vector<TemplateGrowth>& growths = scope.growths;
  const Circles circles(growths);
  const std::vector<std::uint64_t> levels = LevelsOf(growths, circles);
  std::uint64_t times = 0;
  std::size_t grown =
      TemplateScope::kNoSlot;  // the name of the last value that a replacement has lengthened
  for (std::size_t i = 0; i < growths.size(); ++i) {
    const TemplateGrowth& growth = growths.at(i);
    const bool same =
        i > 0 && growths.at(i - 1).into == growth.into && growths.at(i - 1).at == growth.at;
    if (!same) times = 0;
    if (!circles.Share(growth.into, growth.from)) continue;
    times += growth.times;
    // Two replacements can each make the text that the other one replaces.
    const bool again = growth.grows > 1 || (growth.grows > 0 && grown != TemplateScope::kNoSlot &&
                                            circles.Share(grown, growth.into));
    if (growth.grows > 0) grown = growth.into;
    const bool doubles = std::max<std::uint64_t>(times, growth.times) > 1 || again;
    if (doubles || growth.nests) {
      scope.Add(RemarkOn(growth, doubles ? Kind::kDoubling : Kind::kOwnHeld, scope));
      continue;
    }
    const std::uint64_t steps = StepsOf(growth, levels.at(circles.CircleOf(growth.into)));
    if (steps <= kTemplateSteps) continue;
    TemplateRemark remark = RemarkOn(growth, Kind::kSteps, scope);
    remark.name.clear();
    remark.number = steps;
    scope.Add(std::move(remark));
  }
}

namespace {

// An object that is stored under one name is in all other names of its holder, and in the
// containers that the holder was read from.
std::vector<TemplateGrowth> WaysThrough(const std::vector<TemplateHolding>& holdings) {
  using How = TemplateHolding::How;
  // Code stores into an object that such a name holds. This may be any object that these names
  // hold.
  std::vector<std::size_t> open;
  for (const TemplateHolding& holding : holdings) {
    if (holding.how == How::kStoresInside) open.push_back(holding.holder);
  }
  std::ranges::sort(open);
  std::vector<TemplateGrowth> ways;
  for (const TemplateHolding& holding : holdings) {
    if (holding.how != How::kTakenFrom) {
      ways.push_back({.into = holding.holder, .from = holding.held});
    }
    const bool inside =
        std::ranges::binary_search(open, holding.holder) && holding.how != How::kStoresInside;
    if (holding.how == How::kIs || holding.how == How::kTakenFrom || inside) {
      ways.push_back({.into = holding.held, .from = holding.holder});
    }
  }
  std::ranges::sort(ways, {},
                    [](const TemplateGrowth& way) { return std::tuple(way.into, way.from); });
  return ways;
}

}  // namespace

void CheckOwnHeld(TemplateScope& scope) {
  using How = TemplateHolding::How;
  const std::vector<TemplateGrowth> ways = WaysThrough(scope.holdings);
  const Circles circles(ways);
  for (const TemplateHolding& holding : scope.holdings) {
    const bool stores = holding.how == How::kStores || holding.how == How::kStoresInside;
    if (!stores || !circles.InOne(holding.holder, holding.held)) continue;
    const std::string_view name = scope.NameOf(holding.holder / 2);
    scope.Add({.kind = TemplateRemark::Kind::kOwnHeld,
               .at = holding.at,
               .size = holding.size,
               .name = std::string(name.substr(0, 256))});
  }
}

}  // namespace ggufgate
