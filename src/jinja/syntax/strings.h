#pragma once

// Strings of Jinja code: the values of literals, and of operations that join pieces.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

// kHole replaces a piece of a text that depends on the conversation.
inline constexpr char kHole = '\x1A';

// DecodeLiteral returns the text of a string literal, which includes its quotes. Escapes are those
// of Python (`unicode-escape`): \x5f, \u005f, \U0000005f, \137, \N{LOW LINE}, a line continuation.
// Of the character names, only those of ASCII letters, digits, the low line and the full stop are
// known; all others become a hole.
[[nodiscard]] std::string DecodeLiteral(std::string_view literal);

// SliceText is text[begin:end:step] by characters, as Python counts them.
[[nodiscard]] std::string SliceText(std::string_view text, std::optional<std::int64_t> begin,
                                    std::optional<std::int64_t> end, std::int64_t step);

// Characters splits a text into characters. Bytes that are not UTF-8 become one character each.
[[nodiscard]] std::vector<std::string_view> Characters(std::string_view text);

// AppendCodePoint appends a character in UTF-8, or kHole for an invalid code point.
void AppendCodePoint(std::string& out, std::uint64_t code_point);

// ReplaceAll returns the text with every `from`, searched from the left, replaced.
[[nodiscard]] std::string ReplaceAll(std::string_view text, std::string_view from,
                                     std::string_view to);

// FormatPercent returns pattern % args. FormatBraces returns pattern.format(*args, **named). They
// ignore widths and precisions. Unknown pieces become holes.
struct FormatArgument {
  std::string name;  // empty for a positional one
  std::string text;
  std::optional<std::int64_t> number = {};
};
[[nodiscard]] std::string FormatPercent(std::string_view pattern,
                                        const std::vector<FormatArgument>& arguments);
[[nodiscard]] std::string FormatBraces(std::string_view pattern,
                                       const std::vector<FormatArgument>& arguments);

// FieldParts returns the attributes and items that a pattern of str.format reads: for "{0.a[b]}",
// `a` and `b`.
[[nodiscard]] std::vector<std::string_view> FieldParts(std::string_view pattern);

}  // namespace ggufgate
