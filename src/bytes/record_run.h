#pragma once

#include <cstdint>
#include <vector>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"

namespace ggufgate {

// RecordRun is a stretch of whole records, each a 64-bit length followed by so many bytes.
struct RecordRun {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
};

// kWideLength has the bits that only lengths of 128 and more have. The bytes of all others are
// ASCII, and seven of the eight are zero.
inline constexpr std::uint64_t kWideLength = ~std::uint64_t{0x7F};

// SkipRecords passes over whole records at the front of `bytes`: at most `most`, none longer than
// `longest`. It may stop early, anywhere, for no reason; what it passed over is sound. Whoever
// needs the exact end, or the reason for it, goes on from there record by record.
//
// Places of lengths with bits of kWideLength are appended to `wide`, counted from `base`; to
// `some` the places of some lengths, 16 KiB apart or more: a record tells where the next one
// begins, so that this walk waits for memory at every step, and later ones can go side by side.
[[nodiscard]] RecordRun SkipRecords(Bytes bytes, ByteOrder order, std::uint64_t most,
                                    std::uint64_t longest, std::uint64_t base,
                                    std::vector<std::uint64_t>& wide,
                                    std::vector<std::uint64_t>& some);

}  // namespace ggufgate
