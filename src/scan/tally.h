#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "format/tensors/block_fields.h"

namespace ggufgate {

// DataFault is what can be wrong with the data of a tensor.
enum class DataFault : std::uint8_t {
  kValueNotFinite,
  kScaleNotFinite,
  kMinimumNotFinite,
  kScaleOverflows,  // finite, but a product with a code of the block is not
  kScaleSigned,     // UE4M3 with bit 7 set
  kScaleNan,        // UE4M3 of 0x7F, which decoders read as 0
  kTernaryCode,     // 3 in TQ2_0
  kSignedMinimum,   // -128 in Q8_0
  kIndexBeyond,     // a number that names nothing there is (scan/indices.h)
};
inline constexpr std::size_t kDataFaultCount = 9;

// DataHit is one fault found.
struct DataHit {
  DataFault fault = DataFault::kValueNotFinite;
  FieldKind kind = FieldKind::kF32;  // not of an index
  std::uint8_t size = 0;             // bytes of the field
  std::uint64_t element = 0;  // of the tensor: the bad one, or the first that a bad scale spoils
  std::uint64_t block = 0;    // of the tensor
  std::uint64_t at = 0;       // where the field begins, in bytes from the start of the tensor
  std::uint64_t raw = 0;      // its bits; of an IQ1_M scale the 16 bits put together
};

// FaultCounts says how many there are of each DataFault.
using FaultCounts = std::array<std::uint64_t, kDataFaultCount>;

// DataTally counts faults by kind and keeps the first of each.
struct DataTally {
  std::size_t most = 20;  // hits kept of each fault
  FaultCounts counts{};
  std::array<std::vector<DataHit>, kDataFaultCount> hits;  // in the order of the bytes
  bool nonzero = false;  // a byte that is not 0 was seen; only looked for in Depth::kFull

  void Note(const DataHit& hit) {
    const auto index = static_cast<std::size_t>(hit.fault);
    ++counts.at(index);
    if (hits.at(index).size() < most) hits.at(index).push_back(hit);
  }
  // Add counts faults whose places are not wanted; false, and nothing is counted, where some are.
  [[nodiscard]] bool Add(const FaultCounts& more) {
    for (std::size_t i = 0; i < more.size(); ++i) {
      if (more.at(i) > 0 && hits.at(i).size() < most) return false;
    }
    for (std::size_t i = 0; i < more.size(); ++i) counts.at(i) += more.at(i);
    return true;
  }
  [[nodiscard]] bool Clean() const {
    return std::ranges::all_of(counts, [](std::uint64_t count) { return count == 0; });
  }
};

}  // namespace ggufgate
