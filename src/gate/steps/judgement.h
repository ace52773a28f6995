#pragma once

#include <cstdint>

#include "bytes/byte_source.h"
#include "check/data_scan.h"
#include "check/policy.h"
#include "gate/file_verdict.h"
#include "parse/document.h"
#include "parse/front/front_steps.h"

namespace ggufgate {

// Judgement defines the steps of each check: it parses the front, accepts the scan of the tensor
// data, runs the rules and decides the verdict. It never reads a file itself: wants() names the
// next step, and the caller supplies the bytes:
//
//   JudgeSource()   from a file, a server, or a reader of the caller
//   JudgeStream()   from a pipe, whose size is known only at its end
//   Judging         as bytes that a caller supplies range by range
class Judgement {
 public:
  enum class Wants : std::uint8_t { kFront, kData, kRules, kNothing };

  // The policy must outlive the judgement. `size` may be an upper bound if the size is unknown.
  Judgement(std::uint64_t size, const Policy& policy, const FrontGrowth& growth)
      : policy_(policy), steps_(size, policy.limits, growth) {}

  [[nodiscard]] Wants wants() const { return wants_; }

  // How much of the front it wants, while it wants the front.
  [[nodiscard]] const FrontSteps& front() const { return steps_; }
  // GiveFront accepts the first bytes of the file, front().wanted() or more, and the best known
  // size. It returns true if they hold all metadata; then they must outlive the judgement.
  bool GiveFront(Bytes front, std::uint64_t size);

  // The parsed front, after GiveFront() has returned true.
  [[nodiscard]] const Document& document() const { return document_; }

  // GiveData accepts the result of ScanData() or DataScanSteps for the document's tensors.
  void GiveData(DataScanResult scanned);

  // End sets the size of a pipe, which is known only at its end, before the rules run. It returns
  // false if `front` does not hold all metadata of a file of that size.
  [[nodiscard]] bool End(Bytes front, std::uint64_t size);

  // RunRules fills in the summary, the findings and the verdict. If a read failed, it returns the
  // first failure and the verdict stays undecided. It may be called again, with a source that has
  // more bytes.
  ReadOutcome RunRules(const ByteSource& source, FileVerdict& verdict);

 private:
  const Policy& policy_;
  Wants wants_ = Wants::kFront;
  FrontSteps steps_;
  Document document_;
  DataScanResult scanned_;
};

}  // namespace ggufgate
