// The report of an attack, for people and for programs. Text from a loader is escaped.

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "absl/strings/str_format.h"
#include "fuzz/external/results.h"
#include "words/escape.h"

namespace ggufgate::external {
namespace {

using nlohmann::ordered_json;

constexpr std::array kAllOutcomes = {Outcome::kLoads, Outcome::kRefuses, Outcome::kCrashes,
                                     Outcome::kHangs, Outcome::kMemory};
constexpr std::size_t kLongestLine = 160;

std::uint64_t CountAll(const Results& results) {
  std::uint64_t count = 0;
  for (const Outcome outcome : kAllOutcomes) {
    count += results.Count(true, outcome) + results.Count(false, outcome);
  }
  return count;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out.empty() ? "-" : out;
}

std::string HowItEnded(const Answer& answer) {
  std::string out(WordFor(answer.outcome));
  if (answer.signal != 0) out += std::string(", SIG") + ::sigabbrev_np(answer.signal);
  if (answer.exit_code != 0) out += ", exit code " + std::to_string(answer.exit_code);
  if (!answer.stage.empty()) out += ", at " + answer.stage;
  return out;
}

// ByLoads sorts the rules: first those whose files load most often.
std::vector<RuleTally> ByLoads(std::vector<RuleTally> rules) {
  std::ranges::sort(rules, [](const RuleTally& a, const RuleTally& b) {
    return a.loads != b.loads ? a.loads > b.loads : a.rule < b.rule;
  });
  return rules;
}

void PrintOutcomes(const Results& results, std::string& out) {
  absl::StrAppendFormat(&out, "%-24s %10s %10s\n", "the loader", "accepted", "rejected");
  for (const Outcome outcome : kAllOutcomes) {
    absl::StrAppendFormat(&out, "%-24s %10d %10d\n", std::string(WordFor(outcome)),
                          results.Count(true, outcome), results.Count(false, outcome));
  }
}

// PrintRules omits rules if the loader refuses all of their files.
void PrintRules(const Results& results, std::string& out) {
  std::uint64_t refused = 0;
  absl::StrAppendFormat(&out, "\n%-30s %9s %9s %12s %9s\n", "rejected by", "files", "load",
                        "by it alone", "die");
  for (const RuleTally& tally : ByLoads(results.rules())) {
    if (tally.loads == 0 && tally.dies == 0) {
      ++refused;
      continue;
    }
    absl::StrAppendFormat(&out, "%-30s %9d %9d %12d %9d\n", tally.rule, tally.rejected, tally.loads,
                          tally.loads_alone, tally.dies);
  }
  if (refused > 0) {
    absl::StrAppendFormat(&out, "%d more rules, all of whose files it refuses\n", refused);
  }
}

void PrintSort(const Sort& sort, std::string& out) {
  absl::StrAppendFormat(&out, "\n%s: %d files, %d of them accepted%s\n", HowItEnded(sort.answer),
                        sort.count, sort.accepted, sort.alone ? "" : "; not when asked alone");
  const std::string line = LastLine(sort.answer.words);
  if (!line.empty()) absl::StrAppendFormat(&out, "  says %s\n", Quoted(line, kLongestLine));
  absl::StrAppendFormat(&out, "  first: mutant %d, %s: %s; gate: %s\n", sort.first.number,
                        sort.first.mode, Joined(sort.first.mutations),
                        sort.first.rules.empty() ? "accepts" : Joined(sort.first.rules));
  if (!sort.kept.empty()) absl::StrAppendFormat(&out, "  kept: %s\n", EscapeText(sort.kept));
}

ordered_json JsonOf(const Sort& sort) {
  ordered_json out;
  out["outcome"] = WordFor(sort.answer.outcome);
  if (sort.answer.signal != 0) out["signal"] = sort.answer.signal;
  if (sort.answer.exit_code != 0) out["exit_code"] = sort.answer.exit_code;
  if (!sort.answer.stage.empty()) out["stage"] = sort.answer.stage;
  out["says"] = EscapeText(LastLine(sort.answer.words).substr(0, 4 * kLongestLine));
  out["count"] = sort.count;
  out["accepted"] = sort.accepted;
  out["alone"] = sort.alone;
  out["mutant"] = sort.first.number;
  out["mode"] = sort.first.mode;
  out["mutations"] = sort.first.mutations;
  out["rules"] = sort.first.rules;
  if (!sort.kept.empty()) out["file"] = EscapeText(sort.kept);
  return out;
}

}  // namespace

std::string TextOf(const Results& results, const Frame& frame) {
  std::string out;
  const std::uint64_t count = CountAll(results);
  absl::StrAppendFormat(&out,
                        "%s, profile %s, mode %s, seed %d: %d mutants in %.1f s, %.0f a second, ",
                        frame.loader, frame.profile, frame.mode, frame.seed, count, frame.seconds,
                        static_cast<double>(count) / std::max(frame.seconds, 1e-9));
  absl::StrAppendFormat(&out, "%d children\n\n", frame.children);
  PrintOutcomes(results, out);
  if (!results.rules().empty()) PrintRules(results, out);
  for (const bool deaths : {false, true}) {  // the worse ones at the end, where users look
    for (const Sort& sort : results.sorts()) {
      if (IsDeath(sort.answer.outcome) == deaths) PrintSort(sort, out);
    }
  }
  return out;
}

std::string JsonOf(const Results& results, const Frame& frame) {
  ordered_json out;
  out["schema"] = "ggufgate.attack/1";
  out["loader"] = frame.loader;
  out["profile"] = frame.profile;
  out["mode"] = frame.mode;
  out["seed"] = frame.seed;
  out["mutants"] = CountAll(results);
  out["seconds"] = frame.seconds;
  out["children"] = frame.children;
  for (const bool accepted : {true, false}) {
    ordered_json& counts = out[accepted ? "accepted" : "rejected"];
    for (const Outcome outcome : kAllOutcomes) {
      counts[std::string(WordFor(outcome))] = results.Count(accepted, outcome);
    }
  }
  out["rules"] = ordered_json::array();
  for (const RuleTally& tally : ByLoads(results.rules())) {
    out["rules"].push_back({{"rule", tally.rule},
                            {"files", tally.rejected},
                            {"load", tally.loads},
                            {"load_alone", tally.loads_alone},
                            {"die", tally.dies}});
  }
  out["misbehaviour"] = ordered_json::array();
  for (const Sort& sort : results.sorts()) out["misbehaviour"].push_back(JsonOf(sort));
  return out.dump(2) + "\n";
}

}  // namespace ggufgate::external
