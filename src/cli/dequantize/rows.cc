#include "cli/dequantize/rows.h"

#include <charconv>
#include <memory>
#include <string>

#include "absl/strings/str_format.h"

namespace ggufgate {

absl::StatusOr<RowRange> RowsFor(std::string_view words, std::uint64_t row_count) {
  RowRange rows{.first = 0, .end = row_count};
  if (words.empty()) return rows;
  const std::size_t colon = words.find(':');
  const auto number = [](std::string_view text, std::uint64_t& out) {
    if (text.empty()) return true;
    const std::string_view::const_iterator end = text.end();
    const auto [stop, error] =
        std::from_chars(std::to_address(text.begin()), std::to_address(end), out);
    return error == std::errc() && stop == std::to_address(end);
  };
  if (colon == std::string_view::npos || !number(words.substr(0, colon), rows.first) ||
      !number(words.substr(colon + 1), rows.end)) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "--rows %s: must be A:B, the first row and the row after the last, counted from 0",
        std::string(words)));
  }
  if (rows.end > row_count || rows.first > row_count) {
    return absl::OutOfRangeError(
        absl::StrFormat("--rows %s: the tensor has rows 0:%d", std::string(words), row_count));
  }
  if (rows.first > rows.end) {
    return absl::OutOfRangeError(absl::StrFormat(
        "--rows %s: begins at row %d and ends before row %d; give the smaller first",
        std::string(words), rows.first, rows.end));
  }
  return rows;
}

}  // namespace ggufgate
