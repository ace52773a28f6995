#include "dequantize/blocks/simd.h"
#include "hwy/highway.h"

#include "bytes/vector_targets.h"  // after highway.h

namespace ggufgate::simd {

std::vector<std::int64_t> Targets() {
  std::vector<std::int64_t> targets;
  for (std::int64_t rest = VectorTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    targets.push_back(rest & -rest);
  }
  return targets;
}

std::string_view TargetName(std::int64_t target) { return hwy::TargetName(target); }

void UseTarget(std::int64_t target) { UseVectorTargets(target); }

}  // namespace ggufgate::simd
