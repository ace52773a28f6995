#pragma once

#include <cstdint>

// Selects among kernels that Highway compiles once per instruction set. Include it after
// hwy/highway.h.
//
// Highway's own selection (HWY_EXPORT, HWY_DYNAMIC_DISPATCH) is in its library, which measures the
// processor's clock when a program is loaded. That takes 2.5 ms, and the check of a small file may
// take only 3 ms. On processors that support CPUID, this code needs only Highway's headers.
namespace ggufgate {

// VectorTargets returns the instruction sets of this processor as Highway's bits (HWY_AVX2, ...). A
// lower bit is better.
[[nodiscard]] std::int64_t VectorTargets();

// UseVectorTargets restricts kernels to these targets from now on; 0 allows all again. For tests.
void UseVectorTargets(std::int64_t targets);

}  // namespace ggufgate

// Use GGUFGATE_KERNEL_TABLE(f); in the namespace around HWY_NAMESPACE. Then GGUFGATE_KERNEL(f)(...)
// calls the best compiled kernel. The last kernel of the table runs on every processor.
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
#define GGUFGATE_KERNEL_TABLE(f) static_assert(true)
#define GGUFGATE_KERNEL(f) HWY_STATIC_DISPATCH(f)
#else
#define GGUFGATE_KERNEL_TABLE(f)                                                                \
  static constexpr decltype(&HWY_STATIC_DISPATCH(f)) f##Kernels[] = {HWY_CHOOSE_TARGET_LIST(f), \
                                                                     HWY_CHOOSE_FALLBACK(f)}
#define GGUFGATE_KERNEL(f)                                                       \
  (*f##Kernels[hwy::Num0BitsBelowLS1Bit_Nonzero64(                               \
      static_cast<std::uint64_t>(                                                \
          HWY_CHOSEN_TARGET_SHIFT(::ggufgate::VectorTargets() & HWY_TARGETS)) >> \
          1 |                                                                    \
      std::uint64_t{1} << HWY_MAX_DYNAMIC_TARGETS)])
#endif
