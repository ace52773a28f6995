#pragma once

// Strings of Jinja code: what Python makes of a literal, and of the operations that put one
// together from pieces.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

// kHole stands in a text for a piece that only a conversation brings.
inline constexpr char kHole = '\x1A';

// DecodeLiteral is the text of a string literal, given with its quotes. Escapes are Python's
// (`unicode-escape`): \x5f, \u005f, \U0000005f, \137, \N{LOW LINE}, a line continued. Of the names
// only those of ASCII letters, digits, the low line and the full stop are known, others make a
// hole.
[[nodiscard]] std::string DecodeLiteral(std::string_view literal);

// SliceText is text[begin:end:step] by characters, as Python counts them.
[[nodiscard]] std::string SliceText(std::string_view text, std::optional<std::int64_t> begin,
                                    std::optional<std::int64_t> end, std::int64_t step);

// Characters takes a text apart, bytes that are no UTF-8 one by one.
[[nodiscard]] std::vector<std::string_view> Characters(std::string_view text);

// AppendCodePoint appends a character in UTF-8; kHole for what is no character.
void AppendCodePoint(std::string& out, std::uint64_t code_point);

// ReplaceAll is text with every `from`, read from the left, replaced.
[[nodiscard]] std::string ReplaceAll(std::string_view text, std::string_view from,
                                     std::string_view to);

// FormatPercent is pattern % args; FormatBraces is pattern.format(*args, **named). Widths and
// precisions are left out; what is not known becomes a hole.
struct FormatArgument {
  std::string name;  // empty for a positional one
  std::string text;
  std::optional<std::int64_t> number = {};
};
[[nodiscard]] std::string FormatPercent(std::string_view pattern,
                                        const std::vector<FormatArgument>& arguments);
[[nodiscard]] std::string FormatBraces(std::string_view pattern,
                                       const std::vector<FormatArgument>& arguments);

// FieldParts are the attributes and items that a pattern of str.format reaches for: of
// "{0.a[b]}" `a` and `b`.
[[nodiscard]] std::vector<std::string_view> FieldParts(std::string_view pattern);

}  // namespace ggufgate
