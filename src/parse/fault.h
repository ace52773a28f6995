#pragma once

#include <cstdint>
#include <string_view>

#include "bytes/byte_range.h"

namespace ggufgate {

// FaultKind names the structural faults: those after which the bytes that follow have no meaning,
// so that reading stops. Which rule each one breaks is said in check/faults.cc.
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

// Place says in which record of the file something is.
struct Place {
  enum class Section : std::uint8_t { kFile, kHeader, kMetadata, kTensor };
  Section section = Section::kFile;
  std::uint64_t index = 0;             // of the metadata entry or tensor, counted from 0
  std::string_view name = {};          // key or tensor name, empty while not read; views the prefix
  std::uint64_t element = kNoElement;  // of an array

  static constexpr std::uint64_t kNoElement = UINT64_MAX;
};

// Fault is the one thing that stopped a Parse: where, what was found, what was allowed.
struct Fault {
  FaultKind kind = FaultKind::kMagic;
  ByteRange where;         // the field that is wrong; inside the file, or cut off by its end
  const char* field = "";  // static text
  Place place;
  std::uint64_t observed = 0;
  std::uint64_t allowed = 0;
  bool by_limit = false;  // `allowed` is a limit of ours, not what the file could hold
};

}  // namespace ggufgate
