#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#if GGUFGATE_WITH_HIGHWAY
#include "hwy/highway.h"

#include "bytes/vector_targets.h"  // must come after it
#endif

namespace ggufgate::testing {

// EachTarget runs `test` once for every instruction set that the kernels were compiled for and that
// this machine has.
template <typename Test>
void EachTarget(Test test) {
#if GGUFGATE_WITH_HIGHWAY
  const std::int64_t all = VectorTargets() & HWY_TARGETS;
  int targets = 0;
  for (std::int64_t rest = all; rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    SCOPED_TRACE(hwy::TargetName(target));
    UseVectorTargets(target);
    test();
    ++targets;
  }
  UseVectorTargets(0);
  EXPECT_GT(targets, 0);
#else
  test();
#endif
}

}  // namespace ggufgate::testing
