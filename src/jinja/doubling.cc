#include "jinja/doubling.h"

#include <algorithm>
#include <tuple>

#include "jinja/circles.h"

namespace ggufgate {
namespace {

// A loop of constant rounds that adds to a text makes all of it anew each time.
bool IsLong(const TemplateGrowth& growth) {
  constexpr std::uint64_t kEach = 16;              // bytes of each piece
  constexpr std::uint64_t kBytesOfStep = 2 * 256;  // half of it, on average
  if (growth.number || growth.rounds < 2) return false;
  const std::uint64_t all = ProductOf(growth.rounds, kEach);
  return ProductOf(growth.rounds, all) / kBytesOfStep > kTemplateSteps;
}

TemplateRemark RemarkOn(const TemplateGrowth& growth, TemplateRemark::Kind kind,
                        const TemplateScope& scope) {
  const std::string_view name = scope.NameOf(growth.into / 2);
  return {.kind = kind, .at = growth.at, .size = 2, .name = std::string(name.substr(0, 256))};
}

}  // namespace

void CheckDoubling(TemplateScope& scope) {
  using Kind = TemplateRemark::Kind;
  std::vector<TemplateGrowth>& growths = scope.growths;
  std::ranges::sort(growths, {}, [](const TemplateGrowth& growth) {
    return std::tuple(growth.into, growth.at, growth.from);
  });
  const Circles circles(growths);
  std::uint64_t times = 0;
  std::size_t grown =
      TemplateScope::kNoSlot;  // the name of the last that a replacement made longer
  for (std::size_t i = 0; i < growths.size(); ++i) {
    const TemplateGrowth& growth = growths.at(i);
    const bool same =
        i > 0 && growths.at(i - 1).into == growth.into && growths.at(i - 1).at == growth.at;
    if (!same) times = 0;
    if (!circles.Share(growth.into, growth.from)) continue;
    // A variable of one name is another in another loop: only fields are added up.
    if (IsField(growth.from)) times += growth.times;
    // Two replacements can each make the text that the other one replaces.
    const bool again = growth.grows > 1 || (growth.grows > 0 && grown != TemplateScope::kNoSlot &&
                                            circles.Share(grown, growth.into));
    if (growth.grows > 0) grown = growth.into;
    const bool doubles = std::max<std::uint64_t>(times, growth.times) > 1 || again;
    if (doubles) {
      scope.Add(RemarkOn(growth, Kind::kDoubling, scope));
    } else if (growth.nests) {
      scope.Add(RemarkOn(growth, Kind::kOwnHeld, scope));
    } else if (IsLong(growth)) {
      TemplateRemark remark = RemarkOn(growth, Kind::kSteps, scope);
      remark.name.clear();
      remark.number = ProductOf(growth.rounds, growth.rounds) / 32;
      scope.Add(std::move(remark));
    }
  }
}

namespace {

// An object that is stored by one name is in all other names of its holder, and in the containers
// that the holder was taken from.
std::vector<TemplateGrowth> WaysThrough(const std::vector<TemplateHolding>& holdings) {
  using How = TemplateHolding::How;
  std::vector<TemplateGrowth> ways;
  for (const TemplateHolding& holding : holdings) {
    if (holding.how != How::kTakenFrom) {
      ways.push_back({.into = holding.holder, .from = holding.held});
    }
    if (holding.how == How::kIs || holding.how == How::kTakenFrom) {
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
    if (holding.how != How::kStores || !circles.InOne(holding.holder, holding.held)) continue;
    const std::string_view name = scope.NameOf(holding.holder / 2);
    scope.Add({.kind = TemplateRemark::Kind::kOwnHeld,
               .at = holding.at,
               .size = holding.size,
               .name = std::string(name.substr(0, 256))});
  }
}

}  // namespace ggufgate
