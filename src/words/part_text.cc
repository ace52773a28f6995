#include "words/part_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "bytes/byte_order.h"
#include "bytes/checked.h"
#include "format/tensors/tensor_type.h"
#include "parse/integer.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using Kind = Part::Kind;

// FloatText uses the fewest digits that still denote this number.
template <typename T>
std::string FloatText(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "infinite" : "-infinite";
  // Zeroed, because MemorySanitizer does not see the writes of to_chars(), as in words/numbers.cc.
  std::array<char, 32> text{};
  std::to_chars(text.data(), &text.back(), value);
  return {text.begin(), std::ranges::find(text, '\0')};
}

std::string IntegerText(Integer integer) {
  return (integer.negative ? "-" : "") + Grouped(integer.magnitude);
}

std::string ScalarText(ValueType type, Bytes bytes, ByteOrder order) {
  if (type == ValueType::kF32) return FloatText(Load<float>(bytes, order));
  if (type == ValueType::kF64) return FloatText(Load<double>(bytes, order));
  if (type == ValueType::kBool) {
    if (bytes.front() > 1) return std::to_string(bytes.front()) + ", not 0 or 1";
    return bytes.front() == 1 ? "true" : "false";
  }
  const std::optional<Integer> integer = LoadInteger(type, bytes, order);
  return integer ? IntegerText(*integer) : "";
}

// Teller describes one part.
class Teller {
 public:
  Teller(const Document& document, const Region& region, const Part& part)
      : document_(document), region_(region), part_(part) {
    if (part.range.FitsIn(document.prefix.size())) bytes_ = document.BytesAt(part.range);
  }

  [[nodiscard]] std::string Name() const;
  [[nodiscard]] std::string Meaning() const;

 private:
  template <Scalar T>
  [[nodiscard]] std::optional<T> Number() const {
    if (bytes_.size() != sizeof(T)) return std::nullopt;
    return Load<T>(bytes_, document_.byte_order);
  }
  [[nodiscard]] std::string Count64() const {
    const auto number = Number<std::uint64_t>();
    return number ? Grouped(*number) : kCut;
  }
  [[nodiscard]] std::string Length() const {
    const auto number = Number<std::uint64_t>();
    return number ? HumanBytes(*number) : kCut;
  }
  [[nodiscard]] std::string Element() const;
  [[nodiscard]] std::string Version() const;
  [[nodiscard]] std::string ValueTypeText() const;
  [[nodiscard]] std::string TensorTypeText() const;
  [[nodiscard]] std::string OffsetText() const;
  [[nodiscard]] std::string BlockText() const;

  static constexpr const char* kCut = "cut off by the end of the file";

  const Document& document_;
  const Region& region_;
  const Part& part_;
  Bytes bytes_;  // empty if they were not read
};

// Element returns "element 3", or "element 3 within element 7" for an array of arrays.
std::string Teller::Element() const {
  std::string text = "element " + std::to_string(part_.index);
  if (part_.depth > 1) text += " within element " + std::to_string(part_.outermost_index);
  return text;
}

std::string Teller::Name() const {
  const bool element = part_.depth > 0;
  const auto of = [&](std::string_view field) {
    return std::string(field) + (element ? " of " + Element() : "");
  };
  switch (part_.kind) {
    case Kind::kMagic:
      return "magic";
    case Kind::kVersion:
      return "version";
    case Kind::kTensorCount:
      return "tensor count";
    case Kind::kKeyCount:
      return "key count";
    case Kind::kKeyLength:
      return "key length";
    case Kind::kKey:
      return "key";
    case Kind::kValueType:
      return "value type";
    case Kind::kElementType:
      return of("element type");
    case Kind::kElementCount:
      return of("element count");
    case Kind::kStringLength:
      return element ? of("length") : "string length";
    case Kind::kString:
      return element ? Element() : "string";
    case Kind::kScalar:
      return element ? Element() : "value";
    case Kind::kNameLength:
      return "name length";
    case Kind::kName:
      return "name";
    case Kind::kDimensionCount:
      return "dimension count";
    case Kind::kDimension:
      return "dimension " + std::to_string(part_.index);
    case Kind::kTensorType:
      return "tensor type";
    case Kind::kTensorOffset:
      return "offset";
    case Kind::kBlock:
      return "block " + Grouped(part_.index);
    case Kind::kPadding:
      return "padding";
    case Kind::kGap:
      return "gap";
    case Kind::kTrailing:
      return "trailing bytes";
    case Kind::kUnread:
      return "not read";
  }
  return "";
}

std::string Teller::Version() const {
  if (bytes_.size() != sizeof(std::uint32_t)) return kCut;
  if (document_.version == 0) {
    return Grouped(Load<std::uint32_t>(bytes_, ByteOrder::kLittle)) + ", not known";
  }
  const bool big = document_.byte_order == ByteOrder::kBig;
  return Grouped(document_.version) + (big ? ", big-endian" : ", little-endian");
}

std::string Teller::ValueTypeText() const {
  const auto id = Number<std::uint32_t>();
  if (!id) return kCut;
  const ValueTypeInfo* const info = FindValueType(*id);
  return Grouped(*id) + (info != nullptr ? ": " + std::string(info->word) : ": no type");
}

std::string Teller::TensorTypeText() const {
  const auto id = Number<std::uint32_t>();
  if (!id) return kCut;
  const TensorTypeInfo* const type = FindTensorType(*id);
  if (type == nullptr) return Grouped(*id) + ": unknown type";
  std::string text = Grouped(*id) + ": " + std::string(type->name);
  if (type->block_elements > 1) {
    text += ", blocks of " + Grouped(type->block_elements) + " values in " +
            HumanBytes(type->block_bytes);
  }
  return text;
}

std::string Teller::OffsetText() const {
  const auto offset = Number<std::uint64_t>();
  if (!offset) return kCut;
  std::string text = HumanBytes(*offset) + " into the tensor data";
  if (!document_.data_begin) return text;
  const auto at = CheckedAdd(*document_.data_begin, *offset);
  return text + (at ? ": byte 0x" + Hex(*at) : ": past the end of any file");
}

// BlockText describes the position of a block's values in the tensor: "Q4_0: values 64 to 95, row 1
// from column 0".
std::string Teller::BlockText() const {
  const TensorInfo& tensor = document_.tensors.at(region_.index);
  const TensorTypeInfo* const type = FindTensorType(tensor.type_id);
  if (type == nullptr) return "";
  const std::uint64_t count = type->block_elements;
  const auto first = CheckedMul(part_.index, count);
  if (!first) return std::string(type->name);
  std::string text = std::string(type->name) + ": value";
  text += count == 1 ? " " + Grouped(*first)
                     : "s " + Grouped(*first) + " to " + Grouped(*first + (count - 1));
  if (const std::uint64_t row = tensor.dims.front(); row > 0) {
    text += ", row " + Grouped(*first / row) + (count == 1 ? ", column " : " from column ") +
            Grouped(*first % row);
  }
  if (part_.range.size < type->block_bytes) text += std::string("; ") + kCut;
  return text;
}

std::string Teller::Meaning() const {
  switch (part_.kind) {
    case Kind::kMagic:
    case Kind::kKey:
    case Kind::kString:
    case Kind::kName:
      return bytes_.empty() ? kCut : Quoted(AsText(bytes_), 256);
    case Kind::kVersion:
      return Version();
    case Kind::kTensorCount:
    case Kind::kKeyCount:
    case Kind::kElementCount:
      return Count64();
    case Kind::kKeyLength:
    case Kind::kStringLength:
    case Kind::kNameLength:
      return Length();
    case Kind::kValueType:
    case Kind::kElementType:
      return ValueTypeText();
    case Kind::kScalar:
      if (bytes_.size() != InfoOf(part_.type).scalar_bytes) return kCut;
      return ScalarText(part_.type, bytes_, document_.byte_order);
    case Kind::kDimensionCount: {
      const auto count = Number<std::uint32_t>();
      return count ? Grouped(*count) : kCut;
    }
    case Kind::kDimension:
      return Count64() + (part_.index == 0 ? ", the row length" : "");
    case Kind::kTensorType:
      return TensorTypeText();
    case Kind::kTensorOffset:
      return OffsetText();
    case Kind::kBlock:
      return BlockText();
    case Kind::kPadding:
      return document_.alignment ? "up to the next multiple of " + Grouped(*document_.alignment)
                                 : "";
    case Kind::kGap:
      return "belongs to no tensor, and is larger than padding";
    case Kind::kTrailing:
      return "after all parts that the file describes";
    case Kind::kUnread:
      return "has no meaning: reading stopped before";
  }
  return "";
}

}  // namespace

PartText TextOf(const Document& document, const Region& region, const Part& part) {
  const Teller teller(document, region, part);
  PartText text{.name = teller.Name(), .meaning = teller.Meaning()};
  // The unread part begins after the faulty field, or with it if its kind is unknown.
  if (document.fault && document.fault->where.begin == part.range.begin) {
    text.meaning += "; reading stopped here";
  }
  return text;
}

std::string NameOf(const Document& document, const Region& region) {
  const std::string_view subject = SubjectOf(document, region);
  std::string name(WordFor(region.kind));
  return subject.empty() ? name : name + " " + EscapeText(subject);
}

std::string_view SubjectOf(const Document& document, const Region& region) {
  switch (region.kind) {
    case Region::Kind::kMetadata:
      return document.metadata.at(region.index).key;
    case Region::Kind::kTensorInfo:
    case Region::Kind::kTensorData:
      return document.tensors.at(region.index).name;
    default:
      return "";
  }
}

}  // namespace ggufgate
