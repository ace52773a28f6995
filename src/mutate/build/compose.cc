#include "mutate/build/compose.h"

namespace ggufgate::mutate {

Bytes NumberValue(Arena& arena, std::uint64_t number, std::size_t size) {
  const MutableBytes value = arena.Take(size);
  Writer(value, {}).PutLowest(number, value.size());
  return value;
}

Bytes TextValue(Arena& arena, std::string_view text) {
  const MutableBytes value = arena.Take(kStringHead + text.size());
  Writer(value, {}).PutString(text);
  return value;
}

Bytes ArrayValue(Arena& arena, ValueType element, std::uint64_t count, Bytes elements) {
  const MutableBytes value = arena.Take(kArrayHead + elements.size());
  Writer(value, {}).Put(IdOf(element)).Put(count).PutBytes(elements);
  return value;
}

Bytes PlainArrayValue(Arena& arena, ValueType element, std::uint64_t count, std::uint64_t number,
                      std::string_view text) {
  if (element == ValueType::kString) {
    return ArrayValueOf(arena, element, count, kStringHead + text.size(),
                        [text](Writer& writer) { writer.PutString(text); });
  }
  const std::size_t size = InfoOf(element).scalar_bytes;
  return ArrayValueOf(arena, element, count, size,
                      [number, size](Writer& writer) { writer.PutLowest(number, size); });
}

std::string_view Joined(Arena& arena, std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  const MutableBytes room = arena.Take(size);
  Writer writer(room, {});
  for (const std::string_view part : parts) writer.PutBytes(AsBytes(part));
  return AsText(room);
}

}  // namespace ggufgate::mutate
