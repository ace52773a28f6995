#pragma once

#include <cstdint>

// The choice among kernels that Highway compiles once for each instruction set. Included behind
// hwy/highway.h.
//
// Highway's own choice (HWY_EXPORT, HWY_DYNAMIC_DISPATCH) lives in its library, which measures the
// processor's clock whenever a program is loaded: 2.5 ms, of the 3 that a check of a small file may
// take. What is here needs its headers alone, where the processor is one that it can ask.
namespace ggufgate {

// VectorTargets are the instruction sets that this processor has, as Highway's bits (HWY_AVX2,
// ...). The lower the bit, the better.
[[nodiscard]] std::int64_t VectorTargets();

// UseVectorTargets makes kernels of these alone be used from now on; 0 for all again. For tests.
void UseVectorTargets(std::int64_t targets);

}  // namespace ggufgate

// GGUFGATE_KERNEL_TABLE(f); in the namespace around HWY_NAMESPACE, and GGUFGATE_KERNEL(f)(...)
// calls the best that was compiled. The table ends with the kernel that every processor can run.
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
