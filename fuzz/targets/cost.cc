// cost: judging a file takes time in proportion to its size. The measure is a walk over the same
// bytes, so that slow machines and sanitizers are slow at both.

#include <time.h>

#include <algorithm>
#include <cstdio>

#include "fuzz/support/target.h"
#include "tests/oracles/verdict.h"

namespace {

using namespace ggufgate;

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define GGUFGATE_SLOW_MEMORY 1
#elif __has_feature(address_sanitizer)
#define GGUFGATE_SLOW_ALLOCATIONS 1
#endif
#endif

// In walks. Judging takes 10 to 80 where bytes are dear; a file of 64 KiB whose keys are all
// compared with each other takes some thousands. A template that is nothing but tokens takes 400.
// MemorySanitizer follows every value: it makes that template 14 times as slow (5,500 walks, 9,000
// when it is read first), and a walk hardly slower. AddressSanitizer makes allocations slow: 1,100.
#ifdef GGUFGATE_SLOW_MEMORY
constexpr std::uint64_t kMostWalks = 12'000;
#elif defined(GGUFGATE_SLOW_ALLOCATIONS)
constexpr std::uint64_t kMostWalks = 2000;
#else
constexpr std::uint64_t kMostWalks = 500;
#endif
constexpr std::size_t kLeastBytes = 4096;  // what every file costs counts as so many bytes
constexpr int kTries = 5;                  // the least time counts: others disturb

std::uint64_t Now() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

// TimeOf is what a call takes, in nanoseconds.
template <typename Call>
std::uint64_t TimeOf(Call call) {
  const std::uint64_t begin = Now();
  call();
  return Now() - begin;
}

// Walk is FNV-1a over at least kLeastBytes.
void Walk(Bytes bytes) {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
  for (std::size_t done = 0; done < std::max(bytes.size(), kLeastBytes);) {
    for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100'0000'01B3;
    done += bytes.size();
  }
  __asm__ volatile("" : : "r"(hash));  // or nothing would be left of it
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  if (input.empty()) return;
  const fuzz::GuardedCopy copy(input);
  std::uint64_t judging = UINT64_MAX;
  for (int i = 0; i < kTries; ++i) {
    judging = std::min(judging, TimeOf([&] { (void)fuzz::Judge(copy.bytes()); }));
    const std::uint64_t walk = std::max<std::uint64_t>(1, TimeOf([&] { Walk(copy.bytes()); }));
    if (judging / walk < kMostWalks) return;
  }
  fuzz::Require(false, "judging a file takes time in proportion to its size");
}
