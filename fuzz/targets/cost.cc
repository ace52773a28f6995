// cost: the time of a check is proportional to the size of the file. The unit is a walk over the
// same bytes, so that slow machines and sanitizers slow down both.

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

// In walks. A check takes 10 to 80 for the most expensive bytes. A file of 64 KiB whose keys are
// all compared with each other would take thousands. A template that consists only of tokens takes
// 400. MemorySanitizer makes that template 14 times as slow (5,500 walks, 9,000 if it is the first
// input), but a walk hardly slower, because it tracks every value. AddressSanitizer makes
// allocations slow: 1,100.
#ifdef GGUFGATE_SLOW_MEMORY
constexpr std::uint64_t kMostWalks = 12'000;
#elif defined(GGUFGATE_SLOW_ALLOCATIONS)
constexpr std::uint64_t kMostWalks = 2000;
#else
constexpr std::uint64_t kMostWalks = 500;
#endif
constexpr std::size_t kLeastBytes = 4096;  // the constant cost of a file counts as this many bytes
constexpr int kTries = 5;                  // the minimum counts, because other processes disturb

std::uint64_t Now() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

// TimeOf returns the time of a call, in nanoseconds.
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
  __asm__ volatile("" : : "r"(hash));  // so that the compiler keeps the loop
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
