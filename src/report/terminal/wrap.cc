#include "report/terminal/wrap.h"

#include <algorithm>

#include "bytes/utf8.h"

namespace ggufgate {

std::size_t DisplayWidth(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return !IsContinuation(static_cast<std::uint8_t>(c)); }));
}

namespace {

// ShownWidth ignores the escape sequences of Paint. Text of a file has no ESC, because it is
// escaped.
std::size_t ShownWidth(std::string_view text) {
  std::size_t width = 0;
  while (true) {
    const std::size_t escape = text.find('\x1b');
    width += DisplayWidth(text.substr(0, escape));
    if (escape == std::string_view::npos) return width;
    text.remove_prefix(escape);
    text.remove_prefix(std::min(text.find('m'), text.size() - 1) + 1);
  }
}

}  // namespace

std::string WrappedUnder(std::string_view text, std::size_t first, std::size_t indent,
                         std::size_t columns) {
  if (columns == 0) return std::string(text);
  indent = std::min(indent, columns / 2);  // otherwise no text would fit next to it
  std::string out;
  std::size_t at = first;      // the next column to write
  std::string_view waiting{};  // blanks before the next word, dropped at a break
  bool begun = false;
  while (!text.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    waiting = text.substr(0, blanks);
    text.remove_prefix(blanks);
    const std::string_view word = text.substr(0, text.find(' '));
    if (word.empty()) break;
    const std::size_t width = ShownWidth(word);
    if (begun && at + waiting.size() + width > columns) {
      out += '\n' + std::string(indent, ' ');
      at = indent;
    } else {
      out += waiting;
      at += waiting.size();
    }
    out += word;
    at += width;
    begun = true;
    text.remove_prefix(word.size());
  }
  return out;
}

}  // namespace ggufgate
