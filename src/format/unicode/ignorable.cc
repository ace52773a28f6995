#include "format/unicode/ignorable.h"

#include <algorithm>
#include <array>

#include "bytes/bytes.h"
#include "bytes/utf8.h"

namespace ggufgate {
namespace {

struct Run {
  std::uint32_t first;
  std::uint32_t last;
};

constexpr std::array<Run, 17> kIgnorable = {{{0x00AD, 0x00AD},
                                             {0x034F, 0x034F},
                                             {0x061C, 0x061C},
                                             {0x115F, 0x1160},
                                             {0x17B4, 0x17B5},
                                             {0x180B, 0x180F},
                                             {0x200B, 0x200F},
                                             {0x202A, 0x202E},
                                             {0x2060, 0x206F},
                                             {0x3164, 0x3164},
                                             {0xFE00, 0xFE0F},
                                             {0xFEFF, 0xFEFF},
                                             {0xFFA0, 0xFFA0},
                                             {0xFFF0, 0xFFF8},
                                             {0x1BCA0, 0x1BCA3},
                                             {0x1D173, 0x1D17A},
                                             {0xE0000, 0xE0FFF}}};

bool IsIgnorable(std::uint32_t code) {
  return std::ranges::any_of(
      kIgnorable, [code](const Run& run) { return code >= run.first && code <= run.last; });
}

}  // namespace

std::uint32_t TakeCodePoint(std::string_view& text) {
  const auto lead = static_cast<std::uint8_t>(text.front());
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  std::uint32_t code = size == 1 ? lead : lead & (0xFFU >> (size + 1));
  for (const char c : text.substr(1, size - 1)) {
    code = code << 6 | (static_cast<std::uint8_t>(c) & 0x3FU);
  }
  text.remove_prefix(std::min(size, text.size()));
  return code;
}

std::optional<Ignorable> FindIgnorable(std::string_view text) {
  if (IsAscii(text)) return std::nullopt;
  if (text.starts_with(kByteOrderMark)) return Ignorable{.size = 3, .code = 0xFEFF};
  if (!IsUtf8(AsBytes(text))) return std::nullopt;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t position = text.size() - rest.size();
    const std::uint32_t code = TakeCodePoint(rest);
    if (!IsIgnorable(code)) continue;
    const std::size_t size = text.size() - rest.size() - position;
    return Ignorable{.position = position, .size = size, .code = code};
  }
  return std::nullopt;
}

}  // namespace ggufgate
