#include "mutate/file/transcode.h"

#include "format/strings.h"
#include "format/value_type.h"
#include "mutate/file/writer.h"

namespace ggufgate::mutate {
namespace {

std::uint64_t WordOf(Bytes bytes, Encoding encoding) {
  if (encoding.word == 8) return Load<std::uint64_t>(bytes, encoding.order);
  return Load<std::uint32_t>(bytes, encoding.order);
}

// PutNumbers writes all of `numbers`, each of `size` bytes.
void PutNumbers(Writer& writer, Bytes numbers, std::size_t size, bool swap) {
  if (!swap || size == 1) {
    writer.PutBytes(numbers);
    return;
  }
  for (; numbers.size() >= size; numbers = numbers.subspan(size)) {
    for (std::size_t i = size; i > 0; --i) writer.Put(numbers[i - 1]);
  }
}

void PutStrings(Writer& writer, Bytes elements, Encoding from) {
  for (Strings strings(elements, from.order, from.word); strings.Next();) {
    writer.PutString(strings.text());
  }
}

}  // namespace

Bytes Transcode(std::uint32_t type, Bytes value, Encoding from, Encoding to, Arena& arena) {
  const MutableBytes room = arena.Take(2 * value.size());  // lengths may double
  if (room.empty() || FindValueType(type) == nullptr) return {};
  const bool swap = from.order != to.order;
  Writer writer(room, to);
  switch (const ValueType kind{type}; kind) {
    case ValueType::kString:
      PutStrings(writer, value, from);
      break;
    case ValueType::kArray: {
      const auto element = Load<std::uint32_t>(value, from.order);
      if (element == IdOf(ValueType::kArray)) return {};
      const Bytes elements = value.subspan(4 + from.word);
      writer.Put(element).PutWord(WordOf(value.subspan(4), from));
      if (element == IdOf(ValueType::kString)) {
        PutStrings(writer, elements, from);
      } else {
        PutNumbers(writer, elements, InfoOf(ValueType{element}).scalar_bytes, swap);
      }
      break;
    }
    default:
      PutNumbers(writer, value, InfoOf(kind).scalar_bytes, swap);
  }
  return writer.fits() ? Bytes(room.first(writer.at())) : Bytes();
}

}  // namespace ggufgate::mutate
