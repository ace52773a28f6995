#pragma once

// What a rule's function sees and where its findings go. Not for users of the library.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "bytes/byte_source.h"
#include "check/check.h"
#include "check/data_scan.h"
#include "check/hyper_parameters.h"
#include "check/rule.h"
#include "check/rules/file_cache.h"
#include "check/wording.h"
#include "parse/document.h"
#include "parse/extent.h"
#include "parse/regions.h"

namespace ggufgate {

// PaddingMark is the first byte that is not 0 in a stretch of padding, or in a gap.
struct PaddingMark {
  std::uint64_t at = 0;  // in the file
  std::uint8_t value = 0;
};

// PaddingMarks are those of a file, in file order, and what was too much to be read.
struct PaddingMarks {
  std::vector<PaddingMark> list;
  ByteRange unread;  // begin: the first such byte; size: of all of them together
};

// Context is what the rules of one file share.
struct Context {
  const Document& document;
  const ByteSource& source;
  const Policy& policy;
  FileCache cache;  // what rules found out, for others to ask
  HyperParameters parameters;
  std::vector<Extent> extents;  // by tensor; computed with alignment 1 where the file's is unusable
  std::vector<Region> regions;  // of the whole file, in file order
  DataScanResult data = {};     // what the policy wanted read of the tensor data; else empty

  Context(const Document& document_in, const ByteSource& source_in, const Policy& policy_in);
};

// PaddingMarksOf looks at all padding, and at gaps where they are no reason to reject the file.
[[nodiscard]] const PaddingMarks& PaddingMarksOf(const Context& context);

// EndOfData is where the data of all tensors end; nullopt when the place of one is not known, for
// then nobody can say what the bytes behind the others are.
[[nodiscard]] std::optional<std::uint64_t> EndOfData(const Context& context);

// Subjects of findings.
[[nodiscard]] Subject SubjectOf(const Place& place);
[[nodiscard]] Subject FileSubject();
[[nodiscard]] Subject MetadataSubject(const Document& document, const MetadataEntry& entry,
                                      std::uint64_t element = Place::kNoElement);
[[nodiscard]] Subject TensorSubject(const Document& document, const TensorInfo& tensor);

// TextFact copies text of the file, cut after Subject::kLongestText bytes.
[[nodiscard]] Fact TextFact(std::string_view text);

// Sink takes the findings of one rule.
class Sink {
 public:
  // What a rule reports; the sink adds rule and severity.
  struct Report {
    ByteRange where;
    Subject subject = {};
    Fact observed = {};
    Fact allowed = {};
    Fact other = {};
    std::optional<Wording> wording = {};  // one of the rule's; left out where it has only one
    Cause cause = {};
    Severity at_most = Severity::kError;  // lowers this finding below the rule's severity
  };

  Sink(const Rule& rule, const Policy& policy, Findings& findings);

  // The rule's, in this policy: of a finding that is not lowered.
  [[nodiscard]] Severity severity() const { return severity_; }

  // Add dies of a wording that is not the rule's: our own mistake. It keeps the first
  // findings_per_rule of each severity and at least one, so that no number of notes crowds out an
  // error and Worst() knows of all that was found. Suppressed findings are kept and counted apart,
  // so that they crowd out none that counts.
  void Add(Report report);

  // CountMore counts breaches that are known of but not listed. A suppression covers them when it
  // is for the whole file. One for some records may cover those that are listed and not these: when
  // it covers all that are, `unlisted` is listed for these, and is not suppressed.
  void CountMore(std::uint64_t breaches, Report unlisted);

 private:
  using Kept = std::array<std::size_t, kSeverityCount>;  // by Severity

  [[nodiscard]] std::uint8_t NumberOf(const std::optional<Wording>& wording) const;
  void Count(std::uint64_t breaches, const Suppression* suppression);
  void List(Report report, Severity severity, const Suppression* suppression);

  const Rule& rule_;
  Severity severity_;
  std::size_t most_kept_;
  std::vector<const Suppression*> suppressions_;  // of the policy, for this rule
  Findings& findings_;
  Kept kept_{};
  Kept kept_suppressed_{};
};

// One function a rule, declared from the table. Rules that only the parser's fault breaks have
// none.
#define GGUFGATE_RULE(name, ...) void Check##name(const Context& context, Sink& sink);
#include "check/rules.def"
#undef GGUFGATE_RULE

// ReportFault turns the parser's fault, if there is one, into a finding of the rule it breaks.
void ReportFault(const Context& context, Findings& findings);

// RuleFor tells which rule a structural fault breaks.
[[nodiscard]] RuleId RuleFor(FaultKind kind);

// Diagnose looks for what happened to a file that has `finding`, a structural one.
[[nodiscard]] Cause Diagnose(const Context& context, const Finding& finding);

}  // namespace ggufgate
