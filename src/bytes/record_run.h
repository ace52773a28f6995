#pragma once

#include <cstdint>
#include <vector>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"

namespace ggufgate {

// RecordRun is a sequence of complete records, each a 64-bit length followed by that many bytes.
struct RecordRun {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
};

// kWideLength has the bits that are set only in lengths of at least 128. The bytes of all other
// lengths are ASCII, and seven of the eight are zero.
inline constexpr std::uint64_t kWideLength = ~std::uint64_t{0x7F};

// SkipRecords skips complete records at the front of `bytes`: at most `most`, none longer than
// `longest`. It may stop early at any record; all skipped records are valid. If the caller needs
// the exact end, or the reason for it, it must continue record by record.
//
// It appends the offsets of lengths with bits of kWideLength to `wide`, relative to `base`. It
// appends the offsets of some lengths, at least 24 KiB apart, to `some`, so that later walks can be
// interleaved.
[[nodiscard]] RecordRun SkipRecords(Bytes bytes, ByteOrder order, std::uint64_t most,
                                    std::uint64_t longest, std::uint64_t base,
                                    std::vector<std::uint64_t>& wide,
                                    std::vector<std::uint64_t>& some);

}  // namespace ggufgate
