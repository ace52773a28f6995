// Edits that give a reader much work for few bytes, within all limits.

#include <algorithm>
#include <array>

#include "format/tensor_type.h"
#include "mutate/mutations.h"
#include "mutate/values.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kMany = 256;

// PutDigits writes a number with as many digits as there is room for.
void PutDigits(MutableBytes out, std::uint64_t number) {
  for (std::size_t i = out.size(); i > 0; --i) {
    out[i - 1] = static_cast<std::uint8_t>('0' + number % 10);
    number /= 10;
  }
}

// AddNumbered adds records that differ in the digits at the end of their names only. `bytes` is
// what one takes in the file, without its name.
template <typename Record, typename Add>
bool AddNumbered(Bench& bench, std::string_view prefix, std::size_t bytes, Add add) {
  constexpr std::size_t kDigits = 4;
  const std::size_t most = bench.room() / 4 / (bytes + prefix.size() + kDigits);
  const std::size_t count = std::min(most, bench.random.Between(16, kMany));
  const std::uint64_t first = bench.random.Below(1000);
  for (std::size_t i = 0; i < count; ++i) {
    const MutableBytes name = bench.scratch.Take(prefix.size() + kDigits);
    if (name.empty()) break;
    std::ranges::copy(AsBytes(prefix), name.begin());
    PutDigits(name.subspan(prefix.size()), first + i);
    if (!add(AsText(name))) break;
  }
  return count > 0;
}

}  // namespace

bool EditManyEntries(Bench& bench) {
  const Bytes value = PutNumber(bench.scratch, 1, 1);
  const std::string_view prefix = MakeWord(bench, bench.random.OneIn(2) ? 1 : 40);
  if (value.empty() || prefix.empty()) return false;
  return AddNumbered<Entry>(bench, prefix, 13, [&](std::string_view key) {
    return bench.draft.entries.Add({.key = key, .type = 0, .value = value});
  });
}

bool EditManyTensors(Bench& bench) {
  const std::string_view prefix = MakeWord(bench, bench.random.OneIn(2) ? 1 : 40);
  const Bytes data = PutNumber(bench.scratch, 1, 1);
  if (data.empty() || prefix.empty()) return false;
  return AddNumbered<Tensor>(bench, prefix, 24 + 32, [&](std::string_view name) {
    return bench.draft.tensors.Add(
        {.name = name, .type = static_cast<std::uint32_t>(TensorType::kI8), .data = data});
  });
}

bool EditManyStrings(Bench& bench) {
  const std::size_t most = std::min<std::size_t>(bench.room() / 4 / 8, 4096);
  const std::uint64_t count = bench.random.Below(most + 1);
  const MutableBytes lengths = bench.scratch.Take(8 * count);
  if (lengths.empty()) return false;
  std::ranges::fill(lengths, std::uint8_t{0});
  const std::string_view key = MakeKey(bench);
  return AddEntry(bench, key, ValueType::kArray,
                  PutArray(bench.scratch, ValueType::kString, count, lengths));
}

bool EditEmptyArrays(Bench& bench) {
  const Bytes value = PutArray(bench.scratch, AnyScalarType(bench.random), 0, {});
  const std::string_view prefix = MakeWord(bench, 4);
  if (value.empty() || prefix.empty()) return false;
  return AddNumbered<Entry>(bench, prefix, 24, [&](std::string_view key) {
    return bench.draft.entries.Add(
        {.key = key, .type = static_cast<std::uint32_t>(ValueType::kArray), .value = value});
  });
}

}  // namespace ggufgate::mutate
