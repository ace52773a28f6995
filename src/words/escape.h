#pragma once

#include <string>
#include <string_view>

namespace ggufgate {

// EscapeText makes hostile text fit to be shown: on a terminal, in JSON, in HTML text it stays one
// line that says what is there.
//
// Control characters and bytes that are not UTF-8 become \xHH, a backslash \\, and characters that
// are invisible or change the direction or order of others \u{HHHH}; so does U+2800, which looks
// like a space, and the fifth combining mark in a row with all that follow it, or the ninth if
// some of them are spacing marks. The first "#" of "##[" and of "##" with letters and "[" becomes
// \x23: CI runners execute such text in a log. All else stays as it is. The result is valid
// UTF-8, and the original can be told from it.
[[nodiscard]] std::string EscapeText(std::string_view text);

// WithoutCommand makes escaped text fit to begin a line. A runner of GitHub takes a line of a log
// for a command where it begins with "::", blanks in front or not: the first of these becomes \x3a.
[[nodiscard]] std::string WithoutCommand(std::string text);

// Quoted is EscapeText between double quotes, with those inside escaped, and cut with "…" after
// `longest` bytes of the original, or up to three fewer where a character would be split.
[[nodiscard]] std::string Quoted(std::string_view text, std::size_t longest = 96);

}  // namespace ggufgate
