#pragma once

// Blocks for the tests of this folder.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "scan/scan.h"

namespace ggufgate::testing {

using BlockBytes = std::vector<std::uint8_t>;

inline const TensorTypeInfo& InfoFor(TensorType type) {
  return *FindTensorType(static_cast<std::uint32_t>(type));
}

// DescribeTally writes all values of a tally, so that two tallies can be compared and differences
// are readable.
inline std::string DescribeTally(const DataTally& tally) {
  std::string text = tally.nonzero ? "nonzero" : "zero";
  for (std::size_t fault = 0; fault < kDataFaultCount; ++fault) {
    if (tally.counts.at(fault) == 0) continue;
    text += "; fault " + std::to_string(fault) + " x" + std::to_string(tally.counts.at(fault));
    for (const DataHit& hit : tally.hits.at(fault)) {
      text += " " + std::to_string(hit.element) + "/" + std::to_string(hit.block) + "/" +
              std::to_string(hit.at) + "+" + std::to_string(hit.size) + "=" +
              std::to_string(hit.raw);
    }
  }
  return text;
}

inline DataTally Scalar(TensorType type, Bytes bytes, Depth depth = Depth::kFull,
                        ByteOrder order = ByteOrder::kLittle, std::uint64_t first_block = 0) {
  DataTally tally;
  ScanScalar({.type = &InfoFor(type), .order = order, .depth = depth, .first_block = first_block},
             bytes, tally);
  return tally;
}

inline DataTally Fast(TensorType type, Bytes bytes, Depth depth = Depth::kFull,
                      ByteOrder order = ByteOrder::kLittle, std::uint64_t first_block = 0) {
  DataTally tally;
  BlockScanner(InfoFor(type), order, depth).Scan(bytes, first_block, tally);
  return tally;
}

// Quiet fills blocks with random codes and scales without faults: it clears one bit of every byte
// that could be, or belong to, an exponent, and all reserved encodings.
inline BlockBytes Quiet(TensorType type, std::size_t blocks, std::mt19937_64& random) {
  BlockBytes bytes(blocks * InfoFor(type).block_bytes);
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(random()) & 0x2F;
    if (type == TensorType::kTQ2_0) byte &= 0x99;  // no two bits of a code
  }
  return bytes;
}

}  // namespace ggufgate::testing
