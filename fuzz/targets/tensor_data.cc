// tensor_data: the gate with a check of every value of the tensors. The verdict does not depend on
// the source of the bytes.

#include "fuzz/support/target.h"
#include "tests/oracles/verdict.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  Policy policy;
  policy.data = DataScan::kFull;
  policy.target = TargetOrder::kAny;
  const fuzz::GuardedCopy copy(input);
  const fuzz::Judgement judged = fuzz::Judge(copy.bytes(), policy);
  fuzz::RequireSound(judged, copy.bytes(), policy);
  const fuzz::GuardedCopy again(input, 1);
  fuzz::RequireSame(judged.checked, fuzz::Judge(again.bytes(), policy).checked);
}
