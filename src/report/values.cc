#include "report/values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "bytes/utf8.h"
#include "parse/arrays.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {

using Json = nlohmann::ordered_json;

namespace {

template <typename T>
Json FloatJson(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

// Shortest returns the double with the fewest decimal digits that still denote this float: 1e-05,
// although the exact value is 9.999999747378752e-06.
double Shortest(float value) {
  std::array<char, 32> digits{};  // never full: ends with a NUL
  std::to_chars(digits.data(), std::to_address(digits.end()), value);
  // libc++ has from_chars() for floating point only since LLVM 20.
  return std::strtod(digits.data(), nullptr);
}

Json ScalarJson(ValueType type, Bytes bytes, ByteOrder order) {
  switch (type) {
    case ValueType::kU8:
      return Load<std::uint8_t>(bytes, order);
    case ValueType::kI8:
      return Load<std::int8_t>(bytes, order);
    case ValueType::kU16:
      return Load<std::uint16_t>(bytes, order);
    case ValueType::kI16:
      return Load<std::int16_t>(bytes, order);
    case ValueType::kU32:
      return Load<std::uint32_t>(bytes, order);
    case ValueType::kI32:
      return Load<std::int32_t>(bytes, order);
    case ValueType::kU64:
      return Load<std::uint64_t>(bytes, order);
    case ValueType::kI64:
      return Load<std::int64_t>(bytes, order);
    case ValueType::kF32:
      return FloatJson(Shortest(Load<float>(bytes, order)));
    case ValueType::kF64:
      return FloatJson(Load<double>(bytes, order));
    case ValueType::kBool: {
      const std::uint8_t byte = bytes.front();
      return byte <= 1 ? Json(byte == 1) : Json(byte);  // rule bool-value reports the others
    }
    case ValueType::kString:
    case ValueType::kArray:
      break;
  }
  return nullptr;
}

// LeafJson lists the first `most` elements of an array that holds no arrays.
Json LeafJson(const Document& document, const LeafArray& leaf, std::uint64_t most) {
  Json list = Json::array();
  if (leaf.element_type == ValueType::kString) {
    for (StringArray strings(document, leaf); list.size() < most && strings.Next();) {
      list.push_back(EscapeText(strings.text()));
    }
    return list;
  }
  const std::uint64_t size = InfoOf(leaf.element_type).scalar_bytes;
  for (std::uint64_t i = 0; i < std::min(leaf.count, most); ++i) {
    const Bytes bytes = document.BytesAt({leaf.elements.begin + i * size, size});
    list.push_back(ScalarJson(leaf.element_type, bytes, document.byte_order));
  }
  return list;
}

}  // namespace

std::string CutText(std::string text, std::size_t width) {
  if (text.size() <= width) return text;
  while (width > 0 && IsContinuation(static_cast<std::uint8_t>(text.at(width)))) --width;
  text.resize(width);
  return text + "…";
}

Json JsonOfValue(const Document& document, const MetadataEntry& entry, std::uint64_t most) {
  if (const auto text = document.StringOf(entry)) return EscapeText(*text);
  if (entry.type != ValueType::kArray) {
    return ScalarJson(entry.type, document.BytesAt(entry.ValueRange()), document.byte_order);
  }
  LeafArrays leaves(document, entry);
  if (entry.element_type != ValueType::kArray) {
    const auto leaf = leaves.Next();
    return leaf ? LeafJson(document, *leaf, most) : Json::array();
  }
  // For nested arrays, it lists the innermost ones, one after the other.
  Json list = Json::array();
  while (list.size() < most) {
    const auto leaf = leaves.Next();
    if (!leaf) break;
    list.push_back(LeafJson(document, *leaf, most));
  }
  return list;
}

Json JsonOfElements(const Document& document, const MetadataEntry& entry, std::uint64_t first,
                    std::uint64_t most) {
  std::optional<LeafArray> leaf = LeafArrays(document, entry).Next();
  if (!leaf || first >= leaf->count) return Json::array();
  if (leaf->element_type == ValueType::kString) {
    Json list = Json::array();
    for (StringArray strings(document, *leaf); list.size() < most && strings.Next();) {
      if (strings.index() >= first) list.push_back(EscapeText(strings.text()));
    }
    return list;
  }
  const std::uint64_t skipped = first * InfoOf(leaf->element_type).scalar_bytes;
  leaf->elements = {leaf->elements.begin + skipped, leaf->elements.size - skipped};
  leaf->count -= first;
  return LeafJson(document, *leaf, most);
}

std::string TextOfValue(const Document& document, const MetadataEntry& entry, std::size_t width) {
  constexpr std::uint64_t kMostElements = 8;
  if (const auto text = document.StringOf(entry)) return Quoted(*text, width);
  const Json value = JsonOfValue(document, entry, kMostElements);
  if (!value.is_array()) return value.is_string() ? value.get<std::string>() : value.dump();
  std::string text = "[";
  for (const Json& element : value) {
    text += (text.size() > 1 ? ", " : "") + element.dump();
  }
  if (entry.count > value.size()) text += ", …";
  return CutText(text + "]", width);
}

std::string TypeWordOf(const MetadataEntry& entry) {
  if (entry.type != ValueType::kArray) return std::string(InfoOf(entry.type).word);
  return std::string(InfoOf(entry.element_type).word) + " × " + Grouped(entry.count);
}

}  // namespace ggufgate
