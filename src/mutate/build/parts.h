#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "format/tensors/tensor_type.h"
#include "format/value_type.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// What a lie needs to find in the file it is told of: records that are there, or else are added.
// All of these say no, and have changed nothing, where the file is written already or there is no
// room.

// SizeOf is what a record takes in a repaired file.
[[nodiscard]] std::uint64_t SizeOf(const Entry& entry);
[[nodiscard]] std::uint64_t SizeOf(const Tensor& tensor);

// HasRoom tells whether the file could still be written if it were `more` bytes longer. What a
// tensor's data are padded with is to be counted in.
[[nodiscard]] bool HasRoom(const MutationContext& context, std::uint64_t more);

// FreshName is a name that no record has, of `size` (20 or more) lower-case letters and dots that
// mean nothing to anybody. Empty without room.
[[nodiscard]] std::string_view FreshName(MutationContext& context, std::size_t size = 20);

// Values in the arena; empty without room.
[[nodiscard]] Bytes NumberValue(MutationContext& context, std::uint64_t number, std::size_t size);
[[nodiscard]] Bytes StringValue(MutationContext& context, std::size_t size);
// ArrayValue is an array of `count` elements: zeros, or strings of some letters.
[[nodiscard]] Bytes ArrayValue(MutationContext& context, ValueType element, std::size_t count);

// AddEntry puts an entry at `at`, or at the end where that is before it.
[[nodiscard]] std::optional<std::size_t> AddEntry(MutationContext& context, const Entry& entry,
                                                  std::size_t at);
// AddValue puts a value under a fresh key anywhere, and gives its index.
[[nodiscard]] std::optional<std::size_t> AddValue(MutationContext& context, ValueType type,
                                                  Bytes value);

// ForgetTensorCount drops the one key that says how many tensors there are: for who changes that.
void ForgetTensorCount(Draft& draft);

// AddTensor puts a tensor of zeros with a fresh name at `at`, or anywhere, and lays the data out
// anew.
inline constexpr std::size_t kAnywhere = SIZE_MAX;
[[nodiscard]] std::optional<std::size_t> AddTensor(MutationContext& context, TensorType type,
                                                   std::uint64_t blocks,
                                                   std::size_t at = kAnywhere);

// PickIndex is the index of a record that is wanted, any of those there are; nothing without one.
template <typename Record, typename Wanted>
[[nodiscard]] std::optional<std::size_t> PickIndex(Random& random,
                                                   const FixedVector<Record>& records,
                                                   Wanted wanted) {
  const std::size_t begin = random.Below(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::size_t at = begin + i < records.size() ? begin + i : begin + i - records.size();
    if (wanted(records[at])) return at;
  }
  return std::nullopt;
}

// SomeEntry and SomeTensor are any record, added where there is none; the tensor IsUnruled.
[[nodiscard]] std::optional<std::size_t> SomeEntry(MutationContext& context);
[[nodiscard]] std::optional<std::size_t> SomeTensor(MutationContext& context);
// LastTensorWithData is the last that has a byte of data at least.
[[nodiscard]] std::optional<std::size_t> LastTensorWithData(MutationContext& context);

// IsUnruled is true of a tensor whose shape and type no rule asks about: those of control vectors
// are judged by rule adapter too.
[[nodiscard]] inline bool IsUnruled(const Tensor& tensor) {
  return !tensor.name.starts_with("direction.");
}

// ElementTypeOf is the element type of an array; nothing of other values.
[[nodiscard]] std::optional<std::uint32_t> ElementTypeOf(const Entry& entry);

[[nodiscard]] inline bool IsOfType(const Entry& entry, ValueType type) {
  return entry.type == static_cast<std::uint32_t>(type);
}

}  // namespace ggufgate::mutate
