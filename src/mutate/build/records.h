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

// Records found in a draft, added to it and taken away.

// --- found: any of those that are wanted, in linear time -----------------------------------------

// PickIndex gives the index of a record, nullopt when none is wanted.
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

// AnyOf gives a record, nullptr when none is wanted.
template <typename Record, typename Wanted>
[[nodiscard]] Record* AnyOf(FixedVector<Record>& records, Random& random, Wanted wanted) {
  const std::optional<std::size_t> i = PickIndex(random, records, wanted);
  return i ? &records[*i] : nullptr;
}
template <typename Record>
[[nodiscard]] Record* AnyOf(FixedVector<Record>& records, Random& random) {
  return records.empty() ? nullptr : &records[random.Below(records.size())];
}

// AnyString and AnyArray give an entry with such a value; nullptr where there is none, and in
// drafts of another encoding than that of sound files.
[[nodiscard]] Entry* AnyString(MutationContext& context);
using WantedArray = bool (*)(const ArrayParts& array);
[[nodiscard]] Entry* AnyArray(
    MutationContext& context, WantedArray wanted = [](const ArrayParts&) { return true; });

// SwapTwo lets two records change what some members hold; false when there are none.
template <typename Record, typename... Members>
[[nodiscard]] bool SwapTwo(FixedVector<Record>& records, Random& random, Members... members) {
  if (records.size() < 2) return false;
  const auto [a, b] = random.Two(records.size());
  (std::swap(records[a].*members, records[b].*members), ...);
  return true;
}

// --- added and taken away, whatever room there is ------------------------------------------------

// InsertAnywhere puts a record in any place; false where none is left.
template <typename Record>
[[nodiscard]] bool InsertAnywhere(Random& random, FixedVector<Record>& records,
                                  const Record& record) {
  return records.Insert(random.Below(records.size() + 1), record);
}

// AddEntry adds an entry at the end whose key the draft does not have, AddAnywhere does so in any
// place; SetEntry adds or replaces. False without room, and for entries without key or value.
bool AddEntry(Draft& draft, const Entry& entry);
[[nodiscard]] bool AddAnywhere(MutationContext& context, const Entry& entry);
[[nodiscard]] bool SetEntry(Draft& draft, const Entry& entry);
// SetValue gives an entry another value; false when that could not be made.
[[nodiscard]] bool SetValue(Entry& entry, Bytes value);

// AddNumber, AddText, SetNumber and SetText make the entry, too.
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

// DropKey drops the entries of a key, DropKeys those whose keys begin so.
void DropKey(Draft& draft, std::string_view key);
void DropKeys(Draft& draft, std::string_view prefix);
// The key that says how many tensors there are: to be dropped before that number changes.
inline constexpr std::string_view kTensorCountKey = "split.tensors.count";

// AddNoiseTensor adds a tensor at the end, with random data.
bool AddNoiseTensor(MutationContext& context, Tensor tensor);

// --- what a lie needs to find in the file it is told of ------------------------------------------

// Records of the draft, or new ones where it has none. All of these return nullopt or false, and
// change nothing, when the file has been written already or has no room.

// HasRoom tells whether the file could still be written if it were `more` bytes longer. What a
// tensor's data are padded with is to be counted in.
[[nodiscard]] bool HasRoom(const MutationContext& context, std::uint64_t more);

// InsertEntry puts an entry at `at`, or at the end where that is before it, and gives its index.
[[nodiscard]] std::optional<std::size_t> InsertEntry(MutationContext& context, const Entry& entry,
                                                     std::size_t at);
// InsertValue puts a value under a fresh key anywhere.
[[nodiscard]] std::optional<std::size_t> InsertValue(MutationContext& context, ValueType type,
                                                     Bytes value);
// InsertTensor puts a tensor of zeros with a fresh name at `at`, or anywhere, and lays the data out
// anew. What the file says of the number of tensors goes.
inline constexpr std::size_t kAnywhere = SIZE_MAX;
[[nodiscard]] std::optional<std::size_t> InsertTensor(MutationContext& context, TensorType type,
                                                      std::uint64_t blocks,
                                                      std::size_t at = kAnywhere);

// SomeEntry and SomeTensor are any record; the tensor IsUnruled.
[[nodiscard]] std::optional<std::size_t> SomeEntry(MutationContext& context);
[[nodiscard]] std::optional<std::size_t> SomeTensor(MutationContext& context);
// LastTensorWithData is the last that has a byte of data at least.
[[nodiscard]] std::optional<std::size_t> LastTensorWithData(MutationContext& context);

// IsUnruled is true of a tensor whose shape and type no rule asks about: those of control vectors
// are judged by rule adapter too.
[[nodiscard]] inline bool IsUnruled(const Tensor& tensor) {
  return !tensor.name.starts_with("direction.");
}

}  // namespace ggufgate::mutate
