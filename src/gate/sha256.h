#pragma once

#include <array>
#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

// PlainSha256 is SHA-256 as FIPS 180-4 writes it down, for builds without OpenSSL: fuzz targets are
// linked statically with what was instrumented, and need nothing else of such a library. A tenth of
// its speed.
class PlainSha256 {
 public:
  void Update(Bytes bytes);

  // Finish gives the digest; the object is spent.
  [[nodiscard]] std::array<std::uint8_t, 32> Finish();

 private:
  static constexpr std::size_t kBlock = 64;

  void Take(std::span<const std::uint8_t, kBlock> block);

  // Source: FIPS 180-4, 5.3.3.
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, kBlock> rest_{};  // bytes of a block that is not whole yet
  std::size_t rest_bytes_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace ggufgate
