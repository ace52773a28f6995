#include "mutate/build/compose.h"

namespace ggufgate::mutate {

Bytes NumberValue(Arena& arena, std::uint64_t number, std::size_t size) {
  const MutableBytes value = arena.Take(size);
  (void)StoreLowest(number, value.size(), value);
  return value;
}

Bytes TextValue(Arena& arena, std::string_view text) {
  const MutableBytes value = arena.Take(kStringHead + text.size());
  if (!value.empty()) (void)StoreText(text, value);
  return value;
}

Bytes ArrayValue(Arena& arena, ValueType element, std::uint64_t count, Bytes elements) {
  const MutableBytes value = arena.Take(kArrayHead + elements.size());
  if (value.empty()) return {};
  std::ranges::copy(elements, value.subspan(StoreHead(element, count, value)).begin());
  return value;
}

Bytes PlainArrayValue(Arena& arena, ValueType element, std::uint64_t count, std::uint64_t number,
                      std::string_view text) {
  if (element == ValueType::kString) {
    return ArrayValueOf(arena, element, count, kStringHead + text.size(),
                        [text](MutableBytes out) { return StoreText(text, out); });
  }
  const std::size_t size = InfoOf(element).scalar_bytes;
  return ArrayValueOf(arena, element, count, size,
                      [number, size](MutableBytes out) { return StoreLowest(number, size, out); });
}

std::string_view Joined(Arena& arena, std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  const MutableBytes room = arena.Take(size);
  if (room.empty()) return {};
  MutableBytes rest = room;
  for (const std::string_view part : parts) {
    CopyBytes(AsBytes(part), rest);
    rest = rest.subspan(part.size());
  }
  return AsText(room);
}

}  // namespace ggufgate::mutate
