// The rules that the witness knows, and their severities.

#include <algorithm>
#include <array>
#include <string_view>

#include "witness/witness.h"

namespace witness {
namespace {

// Known is a rule with its severity in each Reading: error, warning, note, off.
struct Known {
  std::string_view rule;
  std::string_view counts;
};

// Source: docs/rules.md.
constexpr auto kKnown = std::to_array<Known>({
    {"file-too-short", "eeee"},
    {"magic", "eeee"},
    {"version", "eeee"},
    {"byte-order", "eene"},
    {"tensor-count", "eeee"},
    {"metadata-count", "eeee"},
    {"string-length", "eeee"},
    {"truncated-metadata", "eeee"},
    {"truncated-tensor-info", "eeee"},
    {"trailing-bytes", "wwww"},
    {"padding-not-zero", "wwww"},
    {"key-empty", "eeee"},
    {"key-length", "ewee"},
    {"key-duplicate", "eeee"},
    {"key-nul", "eeee"},
    {"key-characters", "ewee"},
    {"key-prototype", "ewwe"},
    {"key-reader-field", "wwww"},
    {"key-style", "nnen"},
    {"value-type", "eeee"},
    {"array-element-type", "eeee"},
    {"array-nested", "eene"},
    {"array-count", "eeee"},
    {"bool-value", "ewee"},
    {"string-utf8", "wwew"},
    {"string-nul", "eewe"},
    {"alignment-type", "eeee"},
    {"alignment-value", "eeee"},
    {"alignment-large", "ewne"},
    {"alignment-small", "eeoe"},
    {"alignment-unusual", "nnon"},
    {"tensor-name-length", "eeee"},
    {"tensor-name-empty", "wwww"},
    {"tensor-name-duplicate", "eeee"},
    {"tensor-name-nul", "eeee"},
    {"tensor-name-characters", "ewwe"},
    {"tensor-name-utf8", "ewee"},
    {"tensor-name-invisible", "ewwe"},
    {"tensor-dimensions", "eeee"},
    {"tensor-dimension-negative", "eeee"},
    {"tensor-dimension-zero", "ewwe"},
    {"tensor-row-empty", "wwww"},
    {"tensor-elements-overflow", "eeee"},
    {"tensor-bytes-overflow", "eeee"},
    {"tensor-padding-overflow", "eeee"},
    {"tensor-total-overflow", "eeee"},
    {"tensor-type", "eeee"},
    {"tensor-row-blocks", "eeee"},
    {"tensor-type-disputed", "wnnw"},
    {"tensor-offset-alignment", "eeee"},
    {"tensor-data-bounds", "eeee"},
    {"tensor-overlap", "eeee"},
    {"tensor-order", "eeoe"},
});

}  // namespace

void Say(const char* rule, std::uint64_t record, bool at_most_note, Reading reading,
         Verdict& verdict) {
  for (const Known& known : kKnown) {
    if (known.rule != rule) continue;
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

Verdict JudgeFront(std::span<const std::uint8_t> front, std::uint64_t file_size, Reading reading) {
  Verdict verdict;
  Read(front, file_size, verdict);
  JudgeNames(reading, verdict);
  JudgeLayout(front, file_size, reading, verdict);
  return verdict;
}

Verdict Judge(std::span<const std::uint8_t> bytes, Reading reading) {
  return JudgeFront(bytes, bytes.size(), reading);
}

}  // namespace witness
