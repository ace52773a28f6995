#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "format/tensors/block_fields.h"

namespace ggufgate {

// DataFault is a kind of fault in the data of a tensor.
enum class DataFault : std::uint8_t {
  kValueNotFinite,
  kScaleNotFinite,
  kMinimumNotFinite,
  kScaleOverflows,  // finite, but overflows when multiplied by a code of the block
  kScaleSigned,     // UE4M3 with bit 7 set
  kScaleNan,        // UE4M3 of 0x7F, which decoders decode as 0
  kTernaryCode,     // 3 in TQ2_0
  kSignedMinimum,   // -128 in Q8_0
  kIndexBeyond,     // an index out of range (scan/indices.h)
};
inline constexpr std::size_t kDataFaultCount = 9;

// DataHit is one fault found.
struct DataHit {
  DataFault fault = DataFault::kValueNotFinite;
  FieldKind kind = FieldKind::kF32;  // unset for an index
  std::uint8_t size = 0;             // bytes of the field
  // Index in the tensor: of the fault, or of the first element that a bad scale affects.
  std::uint64_t element = 0;
  std::uint64_t block = 0;  // index in the tensor
  std::uint64_t at = 0;     // offset of the field in the tensor, in bytes
  std::uint64_t raw = 0;    // its bits; of an IQ1_M scale the joined 16 bits
};

// FaultCounts holds the number of faults of each DataFault.
using FaultCounts = std::array<std::uint64_t, kDataFaultCount>;

// DataTally counts faults by kind and keeps the first of each.
struct DataTally {
  std::size_t most = 20;  // hits kept of each fault
  FaultCounts counts{};
  std::array<std::vector<DataHit>, kDataFaultCount> hits;  // in the order of their offsets
  // A byte that is not 0 was found; only checked in Depth::kFull.
  bool nonzero = false;

  void Note(const DataHit& hit) {
    const auto index = static_cast<std::size_t>(hit.fault);
    ++counts.at(index);
    if (hits.at(index).size() < most) hits.at(index).push_back(hit);
  }
  // Add adds counts of faults whose positions are not needed. If it needs some, it returns false
  // without counting.
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
