#include "check/loaders/loader_findings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/rule.h"

namespace ggufgate {
namespace {

// Everything that a finding says, except for its release and its cause. Cause and suppression
// follow from the rest.
auto ContentsOf(const Finding& finding) {
  const Subject& subject = finding.subject;
  return std::tie(finding.rule, finding.severity, finding.wording, finding.where.begin,
                  finding.where.size, subject.section, subject.index, subject.element, subject.name,
                  finding.observed, finding.allowed, finding.other);
}

// Listed counts the findings of a list by RuleId.
std::vector<std::uint64_t> Listed(const Findings& findings, bool suppressed) {
  std::vector<std::uint64_t> counts(AllRules().size());
  for (const Finding& finding : findings.list) {
    if (suppressed && !finding.suppression) continue;
    ++counts.at(static_cast<std::size_t>(finding.rule));
  }
  return counts;
}

// Unlisted returns the part of the totals that the list lacks.
std::vector<std::uint64_t> Unlisted(const std::vector<std::uint64_t>& totals,
                                    std::vector<std::uint64_t> listed) {
  for (std::size_t rule = 0; rule < listed.size(); ++rule) {
    listed.at(rule) = totals.at(rule) - std::min(totals.at(rule), listed.at(rule));
  }
  return listed;
}

// Unlisted findings of two loaders, before their lists are merged.
class UnlistedOfBoth {
 public:
  UnlistedOfBoth(const Findings& a, const Findings& b)
      : all_(Larger(Unlisted(a.totals, Listed(a, false)), Unlisted(b.totals, Listed(b, false)))),
        suppressed_(Larger(Unlisted(a.suppressed, Listed(a, true)),
                           Unlisted(b.suppressed, Listed(b, true)))) {}

  // AddTo sets the totals to the listed findings and these.
  void AddTo(Findings& merged) const {
    merged.totals = Sum(Listed(merged, false), all_);
    merged.suppressed = Sum(Listed(merged, true), suppressed_);
  }

 private:
  using Counts = std::vector<std::uint64_t>;

  static Counts Larger(Counts a, const Counts& b) {
    std::ranges::transform(a, b, a.begin(), [](auto x, auto y) { return std::max(x, y); });
    return a;
  }
  // A total counts parts of one file, so it is far below 2^63.
  static Counts Sum(Counts a, const Counts& b) {
    std::ranges::transform(a, b, a.begin(), [](auto x, auto y) { return x + y; });
    return a;
  }

  Counts all_;
  Counts suppressed_;
};

// AddReleases adds those that the list lacks.
void AddReleases(std::vector<std::string> more, std::vector<std::string>& releases) {
  for (std::string& release : more) {
    if (std::ranges::count(releases, release) == 0) releases.push_back(std::move(release));
  }
}

}  // namespace

void NameRelease(std::string_view release, std::span<const RuleId> rules, Findings& findings) {
  for (Finding& finding : findings.list) {
    if (std::ranges::count(rules, finding.rule) > 0) finding.releases = {std::string(release)};
  }
}

void AddRelease(std::string_view release, std::span<const LikeRelease> like, Findings& findings) {
  std::vector<std::string_view> of_rule(AllRules().size());
  for (const LikeRelease& one : like) {
    of_rule.at(static_cast<std::size_t>(one.rule)) = one.release;
  }
  for (Finding& finding : findings.list) {
    const std::string_view known = of_rule.at(static_cast<std::size_t>(finding.rule));
    if (std::ranges::count(finding.releases, known) > 0) finding.releases.emplace_back(release);
  }
}

void MergeFindings(Findings more, Findings& findings) {
  if (more.list.empty() &&
      std::ranges::all_of(more.totals, [](auto total) { return total == 0; })) {
    return;
  }
  const UnlistedOfBoth unlisted(findings, more);
  const auto contents_at = [&](std::size_t i) { return ContentsOf(findings.list.at(i)); };
  std::vector<std::size_t> known(findings.list.size());  // sorted by contents
  std::iota(known.begin(), known.end(), std::size_t{0});
  std::ranges::sort(known, {}, contents_at);
  for (Finding& finding : more.list) {
    const auto contents = ContentsOf(finding);
    const auto place = std::ranges::lower_bound(known, contents, {}, contents_at);
    if (place == known.end() || contents_at(*place) != contents) {
      findings.list.push_back(std::move(finding));
    } else {
      AddReleases(std::move(finding.releases), findings.list.at(*place).releases);
    }
  }
  unlisted.AddTo(findings);
}

void KeepFirst(std::size_t most, Findings& findings) {
  if (findings.list.size() <= most) return;
  struct Kept {
    std::size_t count = 0;
    std::vector<std::string> releases = {};  // of the kept findings; few
  };
  using OfRule = std::array<std::array<Kept, kSeverityCount>, 2>;  // by suppression
  std::vector<OfRule> all(AllRules().size());
  std::erase_if(findings.list, [&](const Finding& finding) {
    OfRule& of_rule = all.at(static_cast<std::size_t>(finding.rule));
    Kept& kept =
        of_rule.at(finding.suppression ? 1 : 0).at(static_cast<std::size_t>(finding.severity));
    const std::size_t before = kept.releases.size();
    AddReleases(finding.releases, kept.releases);
    return ++kept.count > most && kept.releases.size() == before;
  });
}

}  // namespace ggufgate
