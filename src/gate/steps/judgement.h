#pragma once

#include <cstdint>

#include "bytes/byte_source.h"
#include "check/data_scan.h"
#include "check/policy.h"
#include "gate/file_verdict.h"
#include "parse/document.h"
#include "parse/front/front_steps.h"

namespace ggufgate {

// Judgement fixes how every file is judged: it parses the front, takes the scan of the tensor data,
// runs the rules and draws the verdict. It never reads. wants() names the next step, and the caller
// supplies it:
//
//   JudgeSource()   from a file, a server, or a reader of the caller
//   JudgeStream()   from a pipe, whose size is known only at its end
//   Judging         as bytes that a caller hands over one range after the other
class Judgement {
 public:
  enum class Wants : std::uint8_t { kFront, kData, kRules, kNothing };

  // The policy outlives the judgement. `size` may be a bound where it is not known.
  Judgement(std::uint64_t size, const Policy& policy, const FrontGrowth& growth)
      : policy_(policy), steps_(size, policy.limits, growth) {}

  [[nodiscard]] Wants wants() const { return wants_; }

  // While it wants the front: how much of it.
  [[nodiscard]] const FrontSteps& front() const { return steps_; }
  // GiveFront takes the first bytes of the file, front().wanted() or more, and its size as far as
  // it is known. True when they hold all metadata: then they outlive the judgement.
  bool GiveFront(Bytes front, std::uint64_t size);

  // The front, parsed; once it is held.
  [[nodiscard]] const Document& document() const { return document_; }

  // GiveData takes what ScanData() or DataScanSteps found in the document's tensors.
  void GiveData(DataScanResult scanned);

  // End states the size of a pipe, which is known only at its end, before the rules run. False:
  // with that size the metadata do not end in `front`.
  [[nodiscard]] bool End(Bytes front, std::uint64_t size);

  // RunRules fills in summary, findings and verdict. The verdict stays undecided where a read
  // failed: the result names the first. May be called again, with a source that has more to read.
  ReadOutcome RunRules(const ByteSource& source, FileVerdict& verdict);

 private:
  const Policy& policy_;
  Wants wants_ = Wants::kFront;
  FrontSteps steps_;
  Document document_;
  DataScanResult scanned_;
};

}  // namespace ggufgate
