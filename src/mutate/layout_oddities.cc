// Layouts that nobody writes and every rule of severity error lets pass.

#include "mutate/mutations.h"

namespace ggufgate::mutate {

bool OddityTrailingBytes(Bench& bench) {
  const std::uint64_t end = bench.bytes().size();
  const std::size_t count = bench.random.Between(1, 64);
  if (!bench.Insert(end, count)) return false;
  for (std::uint8_t& byte : bench.bytes().subspan(end)) {
    byte = static_cast<std::uint8_t>(bench.random.Next());
  }
  return true;
}

}  // namespace ggufgate::mutate
