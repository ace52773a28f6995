#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bytes/byte_range.h"
#include "check/rules/context.h"

namespace ggufgate {

// PaddingMark is the first byte that is not 0 in a stretch of padding or in a gap.
struct PaddingMark {
  std::uint64_t at = 0;  // file offset
  std::uint8_t value = 0;
};

// PaddingMarks are the marks of a file, by file offset, and the bytes that exceeded the read limit.
struct PaddingMarks {
  std::vector<PaddingMark> list;
  ByteRange unread;  // begin: the first such byte; size: their total number
};

// PaddingMarksOf checks all padding. It also checks gaps, unless they already reject the file.
[[nodiscard]] const PaddingMarks& PaddingMarksOf(const Context& context);

// EndOfData returns the end of the data of all tensors. It returns nullopt if the place of one is
// unknown: then the bytes after the others may belong to it.
[[nodiscard]] std::optional<std::uint64_t> EndOfData(const Context& context);

}  // namespace ggufgate
