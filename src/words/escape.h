#pragma once

#include <string>
#include <string_view>

namespace ggufgate {

// EscapeText makes untrusted text safe to display on a terminal, in JSON and in HTML text. The
// result is one line that shows the exact contents.
//
// Control characters and bytes that are not UTF-8 become \xHH, and a backslash becomes \\.
// Characters that are invisible, or change the direction or order of others, become \u{HHHH}. So do
// U+2800, which looks like a space, and the fifth combining mark in a row with all marks after it.
// If some of them are spacing marks, the limit is the ninth mark. The first "#" of "##[" and of
// "##" with letters and "[" becomes \x23, because CI runners execute such text in a log. All other
// characters stay unchanged. The result is valid UTF-8, and the original can be reconstructed from
// it.
[[nodiscard]] std::string EscapeText(std::string_view text);

// WithoutCommand makes escaped text safe at the beginning of a line. A GitHub runner reads a line
// of a log as a command if it begins with "::", even after blanks: the first colon becomes \x3a.
[[nodiscard]] std::string WithoutCommand(std::string text);

// Quoted returns EscapeText in double quotes, with the quotes inside escaped. It is cut with "…"
// after `longest` bytes of the original, or up to three fewer to avoid splitting a character.
[[nodiscard]] std::string Quoted(std::string_view text, std::size_t longest = 96);

}  // namespace ggufgate
