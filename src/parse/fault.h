#pragma once

#include <cstdint>
#include <string_view>

#include "bytes/byte_range.h"

namespace ggufgate {

// FaultKind lists the structural faults. After one, the following bytes have no meaning, so parsing
// stops. check/faults.cc maps each to the rule that it breaks.
enum class FaultKind : std::uint8_t {
  kFileTooShort,
  kMagic,
  kVersion,
  kByteOrder,  // a byte-swapped version 2; big-endian begins with version 3
  kTensorCount,
  kMetadataCount,
  kStringLength,
  kTruncatedMetadata,
  kTruncatedTensorInfo,
  kValueType,
  kArrayElementType,
  kArrayCount,
  kArrayDepth,
  kDimensionCount,
  kMetadataBytes,  // the limit on header, metadata and directory together
  kArrayStrings,   // the limit on strings in all arrays together
};

// Place is a record of the file.
struct Place {
  enum class Section : std::uint8_t { kFile, kHeader, kMetadata, kTensor };
  Section section = Section::kFile;
  std::uint64_t index = 0;             // index of the metadata entry or tensor, from 0
  std::string_view name = {};          // key or tensor, if read; views the prefix
  std::uint64_t element = kNoElement;  // of an array

  static constexpr std::uint64_t kNoElement = UINT64_MAX;
};

// Fault is the reason why Parse stopped: the place, the wrong value, and the limit.
struct Fault {
  FaultKind kind = FaultKind::kMagic;
  ByteRange where;         // the wrong field; inside the file, or cut at its end
  const char* field = "";  // static text
  Place place;
  std::uint64_t observed = 0;
  std::uint64_t allowed = 0;
  bool by_limit = false;  // `allowed` is our limit, not the rest of the file
};

}  // namespace ggufgate
