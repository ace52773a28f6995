#pragma once

#include "bytes/byte_source.h"
#include "check/finding.h"
#include "check/hooks.h"
#include "check/policy.h"
#include "parse/document.h"

namespace ggufgate {

// CheckResult is what the rules found, and whether they could read all they had to.
struct CheckResult {
  Findings findings;
  ReadOutcome io;  // the first read that failed; not complete means: undecided, whatever was found

  [[nodiscard]] Severity Worst() const { return findings.Worst(); }
};

struct DataScanResult;

// SortFindings puts findings in the order of the file and, at one byte, of rules.def; those of one
// rule there stay in their order.
void SortFindings(Findings& findings);

// Check runs the rules over a document and the file it was parsed from.
//
// Total and deterministic: the same bytes and policy give the same findings in the same order. Time
// is linear in the metadata, n log n in keys and tensors, plus the padding bytes and, as far as the
// policy wants them judged, the tensor data read from `source`. Findings kept are at most
// findings_per_rule for each rule and severity. Without hooks it works on the caller's thread
// alone.
[[nodiscard]] CheckResult Check(const Document& document, const ByteSource& source,
                                const Policy& policy, const CheckHooks& hooks = {});

// CheckScanned is Check() with tensor data that were read before, by ScanData() and from a source
// that cannot give them twice.
[[nodiscard]] CheckResult CheckScanned(const Document& document, const ByteSource& source,
                                       const Policy& policy, DataScanResult data);

}  // namespace ggufgate
