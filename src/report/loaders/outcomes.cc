#include "report/loaders/outcomes.h"

#include <nlohmann/json.hpp>

#include "words/escape.h"
#include "words/message.h"

namespace ggufgate {

std::string OutcomeReason(const OutcomeInLoader& one) {
  if (one.reason == nullptr) return "";
  Finding finding = *one.reason;
  if (!finding.releases.empty()) finding.releases = {std::string(one.release)};
  const std::string path = PathFor(finding.subject);
  return (path.empty() ? "" : path + ": ") + MessageFor(finding);
}

Table OutcomesTable(std::span<const OutcomeInLoader> outcomes) {
  using enum Table::Align;
  Table table({kLeft, kLeft, kLeft, kLeft});
  for (const OutcomeInLoader& one : outcomes) {
    table.Add({EscapeText(one.release), std::string(WordFor(one.outcome)),
               one.reason != nullptr ? std::string(RuleOf(one.reason->rule).slug) : "",
               OutcomeReason(one)});
  }
  return table;
}

nlohmann::ordered_json OutcomesJson(std::span<const OutcomeInLoader> outcomes) {
  auto list = nlohmann::ordered_json::array();
  for (const OutcomeInLoader& one : outcomes) {
    nlohmann::ordered_json row = {{"release", EscapeText(one.release)},
                                  {"outcome", WordFor(one.outcome)}};
    if (one.reason != nullptr) {
      row["rule"] = RuleOf(one.reason->rule).slug;
      row["message"] = MessageFor(*one.reason);
    }
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace ggufgate
