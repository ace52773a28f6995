#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bytes/byte_range.h"
#include "check/rules/context.h"

namespace ggufgate {

// PaddingMark is the first byte that is not 0 in a stretch of padding, or in a gap.
struct PaddingMark {
  std::uint64_t at = 0;  // in the file
  std::uint8_t value = 0;
};

// PaddingMarks are those of a file, in file order, and what was too much to be read.
struct PaddingMarks {
  std::vector<PaddingMark> list;
  ByteRange unread;  // begin: the first such byte; size: of all of them together
};

// PaddingMarksOf looks at all padding, and at gaps where they are no reason to reject the file.
[[nodiscard]] const PaddingMarks& PaddingMarksOf(const Context& context);

// EndOfData is where the data of all tensors end; nullopt when the place of one is not known, for
// then nobody can say what the bytes behind the others are.
[[nodiscard]] std::optional<std::uint64_t> EndOfData(const Context& context);

}  // namespace ggufgate
