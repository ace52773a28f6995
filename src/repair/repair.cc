#include "repair/repair.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "bytes/checked.h"
#include "bytes/cursor.h"
#include "check/check.h"
#include "check/hyper_parameters.h"
#include "check/values.h"
#include "check/verdict.h"
#include "parse/parse.h"
#include "repair/repaired_source.h"

namespace ggufgate {
namespace {

bool Counts(const Finding& finding) { return finding.severity >= Severity::kWarning; }

// IsWorse tells whether a rule has more errors and warnings after the repair. A key that a repair
// removes may have silenced a rule.
bool IsWorse(const Findings& before, const Findings& after) {
  std::vector<std::ptrdiff_t> more(before.totals.size());
  for (const Finding& finding : after.list) {
    if (Counts(finding)) ++more.at(static_cast<std::size_t>(finding.rule));
  }
  for (const Finding& finding : before.list) {
    if (Counts(finding)) --more.at(static_cast<std::size_t>(finding.rule));
  }
  return std::ranges::any_of(more, [](std::ptrdiff_t count) { return count > 0; });
}

// HasReasonToLeave tells whether the file has a fault that users ask to repair, and that no repair
// answers.
bool HasReasonToLeave(const Findings& findings) {
  return std::ranges::any_of(findings.list, [](const Finding& finding) {
    return Counts(finding) && ReasonToLeave(finding.rule).has_value();
  });
}

// IsRecord tells whether bytes begin like a record of a tensor: with the length of a name, the
// name, and the number of dimensions.
bool IsRecord(Bytes bytes, ByteOrder order, std::uint64_t longest_name) {
  Cursor cursor(bytes, bytes.size());
  cursor.set_byte_order(order);
  std::uint64_t length = 0;
  std::uint32_t dimensions = 0;
  if (!cursor.Read(length, "name length") || length == 0 || length > longest_name) return false;
  return cursor.Skip(length, "name") && cursor.Read(dimensions, "dimensions") && dimensions > 0 &&
         dimensions <= kReadDimensions;
}

// RecordFollows reads the bytes behind the directory. If a count is too low, they are a record.
bool RecordFollows(const Document& document, const ByteSource& source, const Limits& limits,
                   ReadOutcome& io) {
  if (document.directory_end >= source.size()) return false;
  const std::uint64_t longest = kMinimumTensorBytes + limits.tensor_name_bytes;
  std::vector<std::uint8_t> bytes(std::min(longest, source.size() - document.directory_end));
  io = source.ReadAt(document.directory_end, bytes);
  return io.complete() && IsRecord(bytes, document.byte_order, limits.tensor_name_bytes);
}

}  // namespace

Policy PolicyOfRepair() {
  Policy policy = PolicyFor(Profile::kGate);
  policy.target = TargetOrder::kAny;
  return policy;
}

Repair TryRepair(const Document& document, const ByteSource& source) {
  const Policy policy = PolicyOfRepair();
  CheckResult before = Check(document, source, policy);
  if (!before.io.complete()) return {.io = before.io};
  Repair repair;
  const bool follows = RecordFollows(document, source, policy.limits, repair.io);
  if (!repair.io.complete()) return repair;
  if (IsWhole(document)) repair.plan = PlanRepair(document, before.findings, follows);
  if (repair.plan.changes.empty()) {
    const bool sound = VerdictOf(before.findings, policy) == Verdict::kAccept &&
                       repair.plan.doubts.empty() && !HasReasonToLeave(before.findings);
    if (sound) repair.outcome = Repair::Outcome::kNothing;
    repair.left = std::move(before.findings);
    return repair;
  }

  const RepairedSource repaired(repair.plan, source);
  // The front is all that the parser reads.
  const ParseResult parsed = Parse(repair.plan.front, repaired.size(), policy.limits);
  if (parsed.NeedsMore() || !IsWhole(parsed.document)) {
    repair.left = std::move(before.findings);
    return repair;
  }
  CheckResult after = Check(parsed.document, repaired, policy);
  if (!after.io.complete()) return {.io = after.io};
  const bool accepted = VerdictOf(after.findings, policy) == Verdict::kAccept;
  const bool done = PlanRepair(parsed.document, after.findings, follows).changes.empty();
  if (accepted && done && !IsWorse(before.findings, after.findings)) {
    repair.outcome = Repair::Outcome::kRepaired;
  }
  repair.left = std::move(after.findings);
  return repair;
}

Document WithData(Document document) {
  if (document.data_begin) return document;
  const MetadataEntry* entry = document.Find(kAlignmentKey);
  if (entry == nullptr || entry->type == ValueType::kU32) return document;
  const std::optional<Integer> value = IntegerOf(document, *entry);
  if (value == Integer{.magnitude = kDefaultAlignment}) {
    document.data_begin = CheckedAlignUp(document.directory_end, kDefaultAlignment);
  }
  return document;
}

}  // namespace ggufgate
