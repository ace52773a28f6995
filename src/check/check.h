#pragma once

#include "bytes/byte_source.h"
#include "check/finding.h"
#include "check/hooks.h"
#include "check/policy.h"
#include "parse/document.h"

namespace ggufgate {

// CheckResult has the findings of all rules, and whether all reads succeeded.
struct CheckResult {
  Findings findings;
  ReadOutcome io;  // first failed read; if not complete, the file is undecided

  [[nodiscard]] Severity Worst() const { return findings.Worst(); }
};

struct DataScanResult;

// SortFindings sorts findings by file offset, then by the order of rules.def. It is stable.
void SortFindings(Findings& findings);

// Check runs the rules over a document and the file that it was parsed from.
//
// It is total and deterministic: the same bytes and policy give the same findings in the same
// order. Time is linear in the metadata and the padding, and n log n in keys and tensors. It also
// depends on the tensor data that the policy selects, which are read from `source`. At most
// findings_per_rule findings are kept for each rule and severity. Without hooks it uses only the
// caller's thread.
[[nodiscard]] CheckResult Check(const Document& document, const ByteSource& source,
                                const Policy& policy, const CheckHooks& hooks = {});

// CheckScanned is Check() with tensor data that ScanData() read before, from a source that cannot
// be read twice.
[[nodiscard]] CheckResult CheckScanned(const Document& document, const ByteSource& source,
                                       const Policy& policy, DataScanResult data);

}  // namespace ggufgate
