#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#elif !defined(__aarch64__)
#include <cfenv>
#else
#include <cstdint>
#endif

namespace ggufgate {

// FloatMode sets the default floating-point mode during its lifetime: round to nearest, keep
// subnormals, no traps. Libraries linked with -ffast-math enable flush-to-zero in every thread.
class FloatMode {
 public:
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;

#if defined(__SSE2__)
  FloatMode() : before_(_mm_getcsr()) {
    constexpr unsigned kDefault = 0x1F80;
    if (before_ != kDefault) _mm_setcsr(kDefault);
  }
  // Also clears the flags that were raised, so that hostile numbers leave no trace.
  ~FloatMode() { _mm_setcsr(before_); }

 private:
  unsigned before_;
#elif defined(__aarch64__)
  FloatMode() {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    asm volatile("msr fpcr, %0" ::"r"(std::uint64_t{0}) : "memory");
  }
  ~FloatMode() { asm volatile("msr fpcr, %0" ::"r"(before_) : "memory"); }

 private:
  std::uint64_t before_ = 0;
#else
  FloatMode() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatMode() { std::fesetenv(&before_); }

 private:
  std::fenv_t before_ = {};
#endif
};

}  // namespace ggufgate
