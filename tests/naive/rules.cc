// The rules that the naive judge knows, and how they count.

#include <algorithm>
#include <cstring>

#include "tests/naive/naive.h"

namespace naive {
namespace {

// Known is a rule with how it counts in each Reading: error, warning, note, off.
struct Known {
  const char* rule;
  const char* counts;
};

// Source: docs/rules.md.
constexpr Known kKnown[] = {
    {"file-too-short", "eee"},
    {"magic", "eee"},
    {"version", "eee"},
    {"byte-order", "een"},
    {"tensor-count", "eee"},
    {"metadata-count", "eee"},
    {"string-length", "eee"},
    {"truncated-metadata", "eee"},
    {"truncated-tensor-info", "eee"},
    {"trailing-bytes", "www"},
    {"padding-not-zero", "www"},
    {"key-empty", "eee"},
    {"key-length", "ewe"},
    {"key-duplicate", "eee"},
    {"key-nul", "eee"},
    {"key-characters", "ewe"},
    {"key-style", "nne"},
    {"value-type", "eee"},
    {"array-element-type", "eee"},
    {"array-nested", "een"},
    {"array-count", "eee"},
    {"bool-value", "ewe"},
    {"string-utf8", "wwe"},
    {"string-nul", "eew"},
    {"alignment-type", "eee"},
    {"alignment-value", "eee"},
    {"alignment-large", "ewn"},
    {"alignment-small", "eeo"},
    {"tensor-name-length", "eee"},
    {"tensor-name-empty", "www"},
    {"tensor-name-duplicate", "eee"},
    {"tensor-name-nul", "eee"},
    {"tensor-name-characters", "eww"},
    {"tensor-dimensions", "eee"},
    {"tensor-dimension-negative", "eee"},
    {"tensor-dimension-zero", "eww"},
    {"tensor-row-empty", "www"},
    {"tensor-elements-overflow", "eee"},
    {"tensor-bytes-overflow", "eee"},
    {"tensor-padding-overflow", "eee"},
    {"tensor-total-overflow", "eee"},
    {"tensor-type", "eee"},
    {"tensor-row-blocks", "eee"},
    {"tensor-offset-alignment", "eee"},
    {"tensor-data-bounds", "eee"},
    {"tensor-overlap", "eee"},
    {"tensor-order", "eeo"},
};

}  // namespace

void Say(const char* rule, std::uint64_t record, bool at_most_note, Reading reading,
         Verdict& verdict) {
  for (const Known& known : kKnown) {
    if (std::strcmp(known.rule, rule) != 0) continue;
    const char counts = known.counts[static_cast<std::size_t>(reading)];
    if (counts == 'o') return;
    verdict.complaints.push_back(
        {.rule = rule, .record = record, .fatal = counts == 'e' && !at_most_note});
  }
}

bool Verdict::Sound() const {
  return std::none_of(complaints.begin(), complaints.end(),
                      [](const Complaint& complaint) { return complaint.fatal; });
}

bool Verdict::Says(const std::string& rule, bool fatal) const {
  return std::any_of(complaints.begin(), complaints.end(), [&](const Complaint& complaint) {
    return complaint.rule == rule && (complaint.fatal || !fatal);
  });
}

bool Verdict::SaysOf(const std::string& rule, std::uint64_t record) const {
  return std::any_of(complaints.begin(), complaints.end(), [&](const Complaint& complaint) {
    return complaint.rule == rule && complaint.record == record;
  });
}

std::vector<std::string> Rules() {
  std::vector<std::string> rules;
  for (const Known& known : kKnown) rules.emplace_back(known.rule);
  return rules;
}

Verdict Judge(const std::uint8_t* bytes, std::size_t size, Reading reading) {
  Verdict verdict;
  Read(bytes, size, verdict);
  JudgeNames(reading, verdict);
  JudgeLayout(bytes, size, reading, verdict);
  return verdict;
}

}  // namespace naive
