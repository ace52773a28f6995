#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ggufgate {

// DisplayWidth returns the number of characters of UTF-8 text. Each counts as one column.
[[nodiscard]] std::size_t DisplayWidth(std::string_view text);

// WrappedUnder breaks one line of text at blanks, so that it fits a terminal of `columns`. The text
// is printed from column `first` on, counted from 0; its continuation lines begin at column
// `indent`. `columns` 0: the text is unchanged.
//
// A word that is longer than a line stays complete, so that a path can be copied. The text is UTF-8
// with one column per character; colours of Paint take no columns.
[[nodiscard]] std::string WrappedUnder(std::string_view text, std::size_t first, std::size_t indent,
                                       std::size_t columns);

}  // namespace ggufgate
