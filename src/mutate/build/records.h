#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "format/tensors/tensor_type.h"
#include "mutate/build/compose.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// Functions that find, add and remove records of a draft.

// --- find: a random match, in linear time --------------------------------------------------------

// PickIndex returns the index of a random match, or nullopt.
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

// AnyOf returns a random match, or nullptr.
template <typename Record, typename Wanted>
[[nodiscard]] Record* AnyOf(FixedVector<Record>& records, Random& random, Wanted wanted) {
  const std::optional<std::size_t> i = PickIndex(random, records, wanted);
  return i ? &records[*i] : nullptr;
}
template <typename Record>
[[nodiscard]] Record* AnyOf(FixedVector<Record>& records, Random& random) {
  return records.empty() ? nullptr : &records[random.Below(records.size())];
}

// AnyString and AnyArray return an entry with such a value. They return nullptr if the draft has
// none, or has another encoding than valid files.
[[nodiscard]] Entry* AnyString(MutationContext& context);
using WantedArray = bool (*)(const ArrayParts& array);
[[nodiscard]] Entry* AnyArray(
    MutationContext& context, WantedArray wanted = [](const ArrayParts&) { return true; });

// SwapTwo swaps some members of two random records; false if there are fewer.
template <typename Record, typename... Members>
[[nodiscard]] bool SwapTwo(FixedVector<Record>& records, Random& random, Members... members) {
  if (records.size() < 2) return false;
  const auto [a, b] = random.Two(records.size());
  (std::swap(records[a].*members, records[b].*members), ...);
  return true;
}

// --- add and remove, without a check of the room -------------------------------------------------

// InsertAnywhere inserts a record at a random position; false if the list is full.
template <typename Record>
[[nodiscard]] bool InsertAnywhere(Random& random, FixedVector<Record>& records,
                                  const Record& record) {
  return records.Insert(random.Below(records.size() + 1), record);
}

// AddEntry adds an entry with a new key at the end, AddAnywhere at a random position. SetEntry adds
// or replaces one. False without room, and for entries without key or value.
bool AddEntry(Draft& draft, const Entry& entry);
[[nodiscard]] bool AddAnywhere(MutationContext& context, const Entry& entry);
[[nodiscard]] bool SetEntry(Draft& draft, const Entry& entry);
// SetValue replaces the value of an entry; false if `value` is empty.
[[nodiscard]] bool SetValue(Entry& entry, Bytes value);

// AddNumber, AddText, SetNumber and SetText also make the entry.
template <Scalar T>
bool AddNumber(MutationContext& context, std::string_view key, T value) {
  return AddEntry(context.draft, NumberEntry(context.arena, key, value));
}
inline bool AddText(MutationContext& context, std::string_view key, std::string_view text) {
  return AddEntry(context.draft, TextEntry(context.arena, key, text));
}
template <Scalar T>
[[nodiscard]] bool SetNumber(MutationContext& context, std::string_view key, T value) {
  return SetEntry(context.draft, NumberEntry(context.arena, key, value));
}
[[nodiscard]] inline bool SetText(MutationContext& context, std::string_view key,
                                  std::string_view text) {
  return SetEntry(context.draft, TextEntry(context.arena, key, text));
}

// DropKey drops the entries with a key, DropKeys those with a prefix.
void DropKey(Draft& draft, std::string_view key);
void DropKeys(Draft& draft, std::string_view prefix);
// The key with the number of tensors: drop it before that number changes.
inline constexpr std::string_view kTensorCountKey = "split.tensors.count";

// AddNoiseTensor adds a tensor at the end, with random data.
bool AddNoiseTensor(MutationContext& context, Tensor tensor);

// --- records for lies ----------------------------------------------------------------------------

// Records of the draft, or new ones if it has none. If the file is already written or has no room,
// these functions return nullopt or false, and change nothing.

// HasRoom returns whether the file would still fit if it were `more` bytes longer. `more` must
// include the padding of tensor data.
[[nodiscard]] bool HasRoom(const MutationContext& context, std::uint64_t more);

// InsertEntry inserts an entry at `at`, or at the end if that is smaller, and returns its index.
[[nodiscard]] std::optional<std::size_t> InsertEntry(MutationContext& context, const Entry& entry,
                                                     std::size_t at);
// InsertValue inserts a value with a fresh key at a random position.
[[nodiscard]] std::optional<std::size_t> InsertValue(MutationContext& context, ValueType type,
                                                     Bytes value);
// HoldsZeros is true if all data of a tensor of the written file are zero, or if it has none.
[[nodiscard]] bool HoldsZeros(const MutationContext& context, std::size_t tensor);

// kPlainByte is NaN or infinite in no type. Zeros at the end of a file are an unfinished download.
inline constexpr std::uint8_t kPlainByte = 0x11;

// InsertTensor inserts a tensor of plain bytes with a fresh name at `at`, or at a random position.
// It lays out the data again, and drops keys that state the number of tensors.
inline constexpr std::size_t kAnywhere = SIZE_MAX;
[[nodiscard]] std::optional<std::size_t> InsertTensor(MutationContext& context, TensorType type,
                                                      std::uint64_t blocks,
                                                      std::size_t at = kAnywhere);

// SomeEntry and SomeTensor return a random record; the tensor IsUnruled.
[[nodiscard]] std::optional<std::size_t> SomeEntry(MutationContext& context);
[[nodiscard]] std::optional<std::size_t> SomeTensor(MutationContext& context);
// LastTensorWithData returns the last tensor that has data.
[[nodiscard]] std::optional<std::size_t> LastTensorWithData(MutationContext& context);

// IsUnruled is true for a tensor whose shape and type no rule checks. Rule adapter checks tensors
// of control vectors.
[[nodiscard]] inline bool IsUnruled(const Tensor& tensor) {
  return !tensor.name.starts_with("direction.");
}

}  // namespace ggufgate::mutate
