#pragma once

#include <array>
#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

// KeyedCode is SipHash-2-4 with 128 bits (Aumasson and Bernstein, "SipHash: a fast short-input
// PRF", 2012; the 128-bit variant is that of their reference implementation). Without the key, its
// codes cannot be distinguished from random ones. So nobody without the key can choose bytes that
// have the code of others.
//
// It does not use OpenSSL, because EVP_MAC would link all of its algorithms into the program; see
// docs/decisions.md. A test compares both.
class KeyedCode {
 public:
  using Key = std::array<std::uint64_t, 2>;
  using Code = std::array<std::uint64_t, 2>;  // as numbers: the lower half of the bytes first

  explicit KeyedCode(const Key& key);

  void Add(Bytes bytes);

  // Finish returns the code of all bytes added. No bytes may be added after it.
  [[nodiscard]] Code Finish();

 private:
  using State = std::array<std::uint64_t, 4>;

  static void Take(State& state, std::uint64_t word);

  State state_;
  std::uint64_t held_ = 0;  // bytes of an incomplete word; the first is the lowest
  std::uint64_t size_ = 0;  // bytes added
};

}  // namespace ggufgate
