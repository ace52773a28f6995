#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ggufgate {

// DisplayWidth is the number of characters of UTF-8 text, each taken as one column wide.
[[nodiscard]] std::size_t DisplayWidth(std::string_view text);

// WrappedUnder breaks one line of text at blanks, so that it fits a terminal of `columns`, when it
// is printed from column `first` on (counted from 0) and goes on under column `indent`. `columns`
// 0: the text as it is.
//
// A word that does not fit in a line stays whole, so that a path can be copied. Text is UTF-8 with
// one column for each character; colours of Paint take none.
[[nodiscard]] std::string WrappedUnder(std::string_view text, std::size_t first, std::size_t indent,
                                       std::size_t columns);

}  // namespace ggufgate
