#include "format/unicode/ignorable.h"

#include "bytes/bytes.h"
#include "bytes/character_kind.h"
#include "bytes/utf8.h"

namespace ggufgate {
namespace {

bool IsIgnorable(char32_t code) {
  const CharacterKind kind = KindOf(code);
  return kind == CharacterKind::kInvisible || kind == CharacterKind::kDirection;
}

}  // namespace

std::optional<Ignorable> FindIgnorable(std::string_view text) {
  if (IsAscii(text)) return std::nullopt;
  if (text.starts_with(kByteOrderMark)) return Ignorable{.size = 3, .code = 0xFEFF};
  if (!IsUtf8(AsBytes(text))) return std::nullopt;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t position = text.size() - rest.size();
    const std::optional<char32_t> code = TakeCharacter(rest);
    if (!code || !IsIgnorable(*code)) continue;
    const std::size_t size = text.size() - rest.size() - position;
    return Ignorable{.position = position, .size = size, .code = *code};
  }
  return std::nullopt;
}

}  // namespace ggufgate
