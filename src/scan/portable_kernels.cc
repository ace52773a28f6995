// The same passes for builds without Highway, in standard C++: one lane for each byte of the widest
// vector, so that compilers can vectorize them.

#include <algorithm>
#include <array>

#include "bytes/byte_order.h"
#include "scan/kernels.h"

namespace ggufgate {
namespace {

// Sweep passes each 64 bytes to `step`, with the corresponding part of the pattern.
template <typename Step>
void Sweep(Bytes bytes, std::size_t period, Step step) {
  for (std::size_t at = 0; at < bytes.size(); at += kKernelBytes) {
    step(bytes.subspan(at, kKernelBytes), at % period);
  }
}

std::uint16_t PairAt(Bytes bytes, std::size_t at) {
  const ByteOrder host = internal::kHostIsLittle ? ByteOrder::kLittle : ByteOrder::kBig;
  return Load<std::uint16_t>(bytes.subspan(at), host);
}

}  // namespace

bool AnyByteReaches(Bytes bytes, Bytes pattern, std::uint8_t threshold) {
  std::array<std::uint8_t, kKernelBytes> most{};
  Sweep(bytes, pattern.size(), [&](Bytes v, std::size_t at) {
    for (std::size_t i = 0; i < kKernelBytes; ++i) {
      most[i] = std::max<std::uint8_t>(most[i], v[i] & pattern[at + i]);
    }
  });
  return std::ranges::any_of(most, [&](std::uint8_t byte) { return byte >= threshold; });
}

bool AnyByteReachesOrCode(Bytes bytes, Bytes pattern, std::uint8_t threshold, Bytes codes) {
  if (AnyByteReaches(bytes, pattern, threshold)) return true;
  unsigned any = 0;
  Sweep(bytes, codes.size(), [&](Bytes v, std::size_t at) {
    for (std::size_t i = 0; i < kKernelBytes; ++i) {
      any |= static_cast<unsigned>((v[i] & codes[at + i]) == 0x80);
    }
  });
  return any != 0;
}

bool AnyPairReaches(Bytes bytes, Bytes pattern, std::uint16_t threshold) {
  std::array<std::uint16_t, kKernelBytes / 2> most{};
  Sweep(bytes, pattern.size(), [&](Bytes v, std::size_t at) {
    for (std::size_t i = 0; i < most.size(); ++i) {
      const unsigned masked = PairAt(v, 2 * i) & unsigned{PairAt(pattern, at + 2 * i)};
      most[i] = std::max(most[i], static_cast<std::uint16_t>(masked));
    }
  });
  return std::ranges::any_of(most, [&](std::uint16_t pair) { return pair >= threshold; });
}

bool AnyDoubleBitOrByte(Bytes bytes, Bytes doubles, Bytes pattern, std::uint8_t threshold) {
  unsigned any = 0;
  Sweep(bytes, doubles.size(), [&](Bytes v, std::size_t at) {
    for (std::size_t i = 0; i < kKernelBytes; ++i) {
      any |= unsigned{v[i]} & unsigned{v[i]} >> 1 & unsigned{doubles[at + i]};
    }
  });
  return any != 0 || AnyByteReaches(bytes, pattern, threshold);
}

}  // namespace ggufgate
