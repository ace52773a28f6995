#include "check/loader_findings.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "check/rule.h"

namespace ggufgate {
namespace {

// Everything that a finding says, except for its release and its cause. Cause and suppression
// follow from the rest.
auto ContentsOf(const Finding& finding) {
  const Subject& subject = finding.subject;
  return std::tuple(finding.rule, finding.severity, finding.wording, finding.where.begin,
                    finding.where.size, subject.section, subject.index, subject.element,
                    subject.name, finding.observed, finding.allowed, finding.other);
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

}  // namespace

void NameRelease(std::string_view release, const std::vector<bool>& of_loader, Findings& findings) {
  for (Finding& finding : findings.list) {
    if (of_loader.at(static_cast<std::size_t>(finding.rule))) {
      finding.releases = {std::string(release)};
    }
  }
}

void MergeFindings(Findings more, Findings& findings) {
  const UnlistedOfBoth unlisted(findings, more);
  std::map<decltype(ContentsOf(more.list.front())), std::size_t> places;
  for (std::size_t i = 0; i < findings.list.size(); ++i) {
    places.emplace(ContentsOf(findings.list.at(i)), i);
  }
  for (Finding& finding : more.list) {
    const auto place = places.find(ContentsOf(finding));
    if (place == places.end()) {
      findings.list.push_back(std::move(finding));
    } else {
      std::vector<std::string>& releases = findings.list.at(place->second).releases;
      releases.insert(releases.end(), finding.releases.begin(), finding.releases.end());
    }
  }
  unlisted.AddTo(findings);
}

void KeepFirst(std::size_t most, Findings& findings) {
  std::map<std::tuple<RuleId, Severity, bool>, std::size_t> kept;
  std::erase_if(findings.list, [&](const Finding& finding) {
    return ++kept[{finding.rule, finding.severity, finding.suppression.has_value()}] > most;
  });
}

}  // namespace ggufgate
