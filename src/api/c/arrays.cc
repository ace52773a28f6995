// Arrays of the C interface. Elements are decoded on request.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "api/c/guarded.h"
#include "api/c/handles.h"
#include "api/c/values.h"
#include "format/limits.h"
#include "format/strings.h"

using namespace ggufgate;

namespace {

constexpr std::uint64_t kHeadBytes = 12;  // of an inner array: type and count of its elements
constexpr std::uint64_t kStride = 16;     // elements between two marks

// InnerArray is the decoded head of an inner array.
struct InnerArray {
  ValueType element_type;
  std::uint64_t count;
};

std::optional<InnerArray> HeadOf(Bytes bytes, ByteOrder order) {
  if (bytes.size() < kHeadBytes) return std::nullopt;
  const ValueTypeInfo* type = FindValueType(Load<std::uint32_t>(bytes, order));
  if (type == nullptr) return std::nullopt;
  return InnerArray{type->type, Load<std::uint64_t>(bytes.subspan(4), order)};
}

std::optional<std::uint64_t> SizeOfLeaf(const InnerArray& leaf, Bytes bytes, ByteOrder order) {
  if (leaf.element_type == ValueType::kString) return SizeOfStrings(bytes, leaf.count, order);
  const std::uint64_t each = InfoOf(leaf.element_type).scalar_bytes;
  if (leaf.count > bytes.size() / each) return std::nullopt;
  return leaf.count * each;
}

// SizeOfInner returns the number of bytes of the inner array at the beginning of `bytes`, including
// its head. The parser has checked that the array is complete; otherwise it returns nullopt.
std::optional<std::uint64_t> SizeOfInner(Bytes bytes, ByteOrder order) {
  std::array<std::uint64_t, kDeepestArray> left = {1};  // elements left, per level
  std::size_t levels = 1;
  std::uint64_t at = 0;
  while (levels > 0) {
    if (left.at(levels - 1) == 0) {
      --levels;
      continue;
    }
    --left.at(levels - 1);
    const std::optional<InnerArray> head = HeadOf(bytes.subspan(at), order);
    if (!head) return std::nullopt;
    at += kHeadBytes;
    if (head->element_type == ValueType::kArray) {
      if (levels == left.size()) return std::nullopt;
      left.at(levels++) = head->count;
      continue;
    }
    const std::optional<std::uint64_t> size = SizeOfLeaf(*head, bytes.subspan(at), order);
    if (!size) return std::nullopt;
    at += *size;
  }
  return at;
}

// SizeOfNext returns the number of bytes of the string or inner array at the beginning of `bytes`.
std::optional<std::uint64_t> SizeOfNext(ValueType type, Bytes bytes, ByteOrder order) {
  return type == ValueType::kString ? SizeOfStrings(bytes, 1, order) : SizeOfInner(bytes, order);
}

Bytes ElementsOf(const ggufgate_array& array) { return array.file->doc().BytesAt(array.elements); }
ByteOrder OrderOf(const ggufgate_array& array) { return array.file->doc().byte_order; }

// PlaceOf returns the offset of element `index` of an array of strings or arrays. The element must
// exist.
std::optional<std::uint64_t> PlaceOf(ggufgate_array& array, std::uint64_t index) {
  const Bytes elements = ElementsOf(array);
  if (array.marks.empty()) array.marks.push_back(0);
  const std::uint64_t mark = std::min<std::uint64_t>(index / kStride, array.marks.size() - 1);
  std::uint64_t at = array.marks.at(mark);
  for (std::uint64_t i = mark * kStride; i < index; ++i) {
    const auto size = SizeOfNext(array.element_type, elements.subspan(at), OrderOf(array));
    if (!size) return std::nullopt;
    at += *size;
    if ((i + 1) % kStride == 0 && (i + 1) / kStride == array.marks.size())
      array.marks.push_back(at);
  }
  return at;
}

// ElementOf passes element `index` of an array of scalars to `take`.
template <typename T>
ggufgate_status ElementOf(const ggufgate_array* array, std::uint64_t index, T* value,
                          ggufgate_status (*take)(const api::Scalar&, T*)) {
  if (array == nullptr || value == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  if (index >= array->count) return GGUFGATE_STATUS_OUT_OF_RANGE;
  const std::uint64_t each = InfoOf(array->element_type).scalar_bytes;
  if (each == 0) return GGUFGATE_STATUS_WRONG_TYPE;
  return take({.type = array->element_type,
               .bytes = ElementsOf(*array).subspan(index * each, each),
               .order = OrderOf(*array)},
              value);
}

}  // namespace

ggufgate_status ggufgate_file_array(const ggufgate_file* file, uint64_t key,
                                    ggufgate_array** array) noexcept {
  if (array == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  *array = nullptr;
  if (file == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  const auto& metadata = file->doc().metadata;
  if (key >= metadata.size()) return GGUFGATE_STATUS_OUT_OF_RANGE;
  const MetadataEntry& entry = metadata[key];
  if (entry.type != ValueType::kArray) return GGUFGATE_STATUS_WRONG_TYPE;
  return api::Guarded([&] {
    return api::Give(
        std::make_unique<ggufgate_array>(ggufgate_array{.file = file,
                                                        .element_type = entry.element_type,
                                                        .count = entry.count,
                                                        .elements = entry.ElementsRange()}),
        array);
  });
}

ggufgate_status ggufgate_array_array(ggufgate_array* array, uint64_t index,
                                     ggufgate_array** inner) noexcept {
  if (inner == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  *inner = nullptr;
  if (array == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  if (index >= array->count) return GGUFGATE_STATUS_OUT_OF_RANGE;
  if (array->element_type != ValueType::kArray) return GGUFGATE_STATUS_WRONG_TYPE;
  return api::Guarded([&]() -> ggufgate_status {
    const std::optional<std::uint64_t> at = PlaceOf(*array, index);
    if (!at) return GGUFGATE_STATUS_INTERNAL;
    const Bytes rest = ElementsOf(*array).subspan(*at);
    const std::optional<InnerArray> head = HeadOf(rest, OrderOf(*array));
    if (!head || !SizeOfInner(rest, OrderOf(*array))) return GGUFGATE_STATUS_INTERNAL;
    const std::uint64_t begin = array->elements.begin + *at + kHeadBytes;
    return api::Give(std::make_unique<ggufgate_array>(ggufgate_array{
                         .file = array->file,
                         .element_type = head->element_type,
                         .count = head->count,
                         .elements = ByteRange::Between(begin, array->elements.End())}),
                     inner);
  });
}

void ggufgate_array_free(ggufgate_array* array) noexcept { delete array; }

uint64_t ggufgate_array_count(const ggufgate_array* array) noexcept {
  return array != nullptr ? array->count : 0;
}

int32_t ggufgate_array_type(const ggufgate_array* array) noexcept {
  return array != nullptr ? static_cast<std::int32_t>(array->element_type) : -1;
}

ggufgate_status ggufgate_array_unsigned(const ggufgate_array* array, uint64_t index,
                                        uint64_t* value) noexcept {
  return ElementOf(array, index, value, &api::UnsignedIn);
}

ggufgate_status ggufgate_array_signed(const ggufgate_array* array, uint64_t index,
                                      int64_t* value) noexcept {
  return ElementOf(array, index, value, &api::SignedIn);
}

ggufgate_status ggufgate_array_real(const ggufgate_array* array, uint64_t index,
                                    double* value) noexcept {
  return ElementOf(array, index, value, &api::RealIn);
}

ggufgate_status ggufgate_array_bool(const ggufgate_array* array, uint64_t index,
                                    int* value) noexcept {
  return ElementOf(array, index, value, &api::BoolIn);
}

ggufgate_status ggufgate_array_string(ggufgate_array* array, uint64_t index, const char** bytes,
                                      size_t* size) noexcept {
  if (array != nullptr && index >= array->count) return GGUFGATE_STATUS_OUT_OF_RANGE;
  return ggufgate_array_strings(array, index, 1, bytes, size);
}

ggufgate_status ggufgate_array_strings(ggufgate_array* array, uint64_t first, size_t count,
                                       const char** bytes, size_t* sizes) noexcept {
  if (array == nullptr || !api::IsMemory(bytes, count) || !api::IsMemory(sizes, count)) {
    return GGUFGATE_STATUS_BAD_ARGUMENT;
  }
  if (!ByteRange{.begin = first, .size = count}.FitsIn(array->count)) {
    return GGUFGATE_STATUS_OUT_OF_RANGE;
  }
  if (array->element_type != ValueType::kString) return GGUFGATE_STATUS_WRONG_TYPE;
  return api::Guarded([&]() -> ggufgate_status {
    const std::span<const char*> starts = api::SpanOf(bytes, count);
    const std::span<std::size_t> lengths = api::SpanOf(sizes, count);
    const std::optional<std::uint64_t> at = PlaceOf(*array, first);
    if (!at) return GGUFGATE_STATUS_INTERNAL;
    Strings strings(ElementsOf(*array).subspan(*at), OrderOf(*array));
    for (std::size_t i = 0; i < count; ++i) {
      if (!strings.Next()) return GGUFGATE_STATUS_INTERNAL;
      starts[i] = strings.text().data();
      lengths[i] = strings.text().size();
    }
    return GGUFGATE_STATUS_OK;
  });
}

ggufgate_status ggufgate_array_view(const ggufgate_array* array, const void** bytes,
                                    size_t* size) noexcept {
  if (array == nullptr || bytes == nullptr || size == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  const std::uint64_t each = InfoOf(array->element_type).scalar_bytes;
  if (each == 0) return GGUFGATE_STATUS_WRONG_TYPE;
  const Bytes all = ElementsOf(*array).first(array->count * each);
  *bytes = all.data();
  *size = all.size();
  return GGUFGATE_STATUS_OK;
}
