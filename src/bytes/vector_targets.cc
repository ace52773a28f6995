#include <hwy/highway.h>

#include "bytes/vector_targets.h"  // after highway.h

#include <atomic>

#if HWY_ARCH_X86
#include <cpuid.h>

#include <array>
#endif

namespace ggufgate {
namespace {

#if HWY_ARCH_X86

// The registers that CPUID sets.
enum Register { kEax, kEbx, kEcx, kEdx };
using Registers = std::array<std::uint32_t, 4>;

// If the processor lacks a leaf, its registers are 0.
Registers Cpuid(std::uint32_t leaf) {
  Registers r{};
  if (__get_cpuid_count(leaf, 0, &r[kEax], &r[kEbx], &r[kEcx], &r[kEdx]) == 0) return {};
  return r;
}

bool Has(std::uint32_t bits, std::initializer_list<int> numbers) {
  for (const int number : numbers) {
    if ((bits >> number & 1) == 0) return false;
  }
  return true;
}

// SavedBySystem returns the registers that the system saves for each thread. Source: Intel 64 and
// IA-32 Architectures Software Developer's Manual, volume 1, 13.3 and 15.2.
std::uint32_t SavedBySystem() {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

// AskProcessor checks the features that Highway 1.0.3 enables in the compiler for each target
// (ops/set_macros-inl.h). Source of the bit numbers: the same manual, volume 2, CPUID.
std::int64_t AskProcessor() {
  std::int64_t targets = HWY_EMU128 | HWY_SCALAR;
  const Registers one = Cpuid(1);
  const Registers seven = Cpuid(7);
  if (!Has(one[kEcx], {9})) return targets;  // SSSE3
  targets |= HWY_SSSE3;
  if (!Has(one[kEcx], {1, 19, 20, 25})) return targets;  // PCLMUL, SSE4.1, SSE4.2, AES
  targets |= HWY_SSE4;
  const bool avx = Has(one[kEcx], {12, 27, 28, 29}) &&  // FMA, OSXSAVE, AVX, F16C
                   Has(seven[kEbx], {3, 5, 8}) &&       // BMI1, AVX2, BMI2
                   Has(Cpuid(0x8000'0001)[kEcx], {5});  // LZCNT
  if (!avx || !Has(SavedBySystem(), {1, 2})) return targets;
  targets |= HWY_AVX2;
  // AVX512F, DQ, BW, VL; its mask registers and both halves of its vectors.
  if (!Has(seven[kEbx], {16, 17, 30, 31}) || !Has(SavedBySystem(), {5, 6, 7})) return targets;
  targets |= HWY_AVX3;
  // VBMI, VBMI2, GFNI, VAES, VPCLMULQDQ, VNNI, BITALG, VPOPCNTDQ
  if (Has(seven[kEcx], {1, 6, 8, 9, 10, 11, 12, 14})) targets |= HWY_AVX3_DL;
  return targets;
}

#else

std::int64_t AskProcessor() { return HWY_SUPPORTED_TARGETS; }  // a constant if there is only one

#endif

constinit std::atomic<std::int64_t> chosen = 0;  // 0: not yet computed

}  // namespace

std::int64_t VectorTargets() {
  std::int64_t targets = chosen.load(std::memory_order_relaxed);
  if (targets == 0) {
    targets = AskProcessor();
    chosen.store(targets, std::memory_order_relaxed);
  }
  return targets;
}

void UseVectorTargets(std::int64_t targets) { chosen.store(targets, std::memory_order_relaxed); }

}  // namespace ggufgate
