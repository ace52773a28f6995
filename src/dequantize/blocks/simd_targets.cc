#include "dequantize/blocks/simd.h"
#include "hwy/highway.h"

namespace ggufgate::simd {

std::vector<std::int64_t> Targets() {
  std::vector<std::int64_t> targets;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) targets.push_back(target);
  return targets;
}

std::string_view TargetName(std::int64_t target) { return hwy::TargetName(target); }

void UseTarget(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace ggufgate::simd
