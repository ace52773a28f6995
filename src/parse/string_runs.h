#pragma once

#include <cstdint>
#include <vector>

namespace ggufgate {

// StringRun is a sequence of strings at the start of an array, all valid.
struct StringRun {
  std::uint64_t begin = 0;  // offset of the first one
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

// Shorter ones are cheap to read again.
inline constexpr std::uint64_t kLongRun = 400;  // bytes

// StringRuns has the long runs of strings that a parse of a prefix has read, so that a parse of a
// longer prefix can skip them. Nearly all metadata are such strings. It has no views of the bytes.
struct StringRuns {
  std::vector<StringRun> runs;              // by rising offset
  std::vector<std::uint64_t> wide_lengths;  // as in Document
  std::vector<std::uint64_t> some_lengths;
};

}  // namespace ggufgate
