#pragma once

#include <array>
#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

// KeyedCode is SipHash-2-4 with 128 bits (Aumasson and Bernstein, "SipHash: a fast short-input
// PRF", 2012; the longer code is that of their reference implementation). Who does not know the key
// cannot tell its codes from random ones, and so cannot choose bytes that have the code of others.
//
// It is ours and not OpenSSL's, whose EVP_MAC brings every algorithm there is into the program; see
// docs/decisions.md. A test compares both.
class KeyedCode {
 public:
  using Key = std::array<std::uint64_t, 2>;
  using Code = std::array<std::uint64_t, 2>;  // as numbers: the lower half of the bytes first

  explicit KeyedCode(const Key& key);

  void Add(Bytes bytes);

  // Finish is the code of all bytes that were added. Nothing may be added after it.
  [[nodiscard]] Code Finish();

 private:
  using State = std::array<std::uint64_t, 4>;

  static void Take(State& state, std::uint64_t word);

  State state_;
  std::uint64_t held_ = 0;  // bytes that do not fill a word yet, the first lowest
  std::uint64_t size_ = 0;  // of all that was added
};

}  // namespace ggufgate
