// Lies by which a loader dies, or takes all the memory there is, before it computes anything.

#include <array>

#include "format/tensor_type.h"
#include "mutate/compose.h"
#include "mutate/known_key.h"
#include "mutate/lie_context.h"
#include "mutate/mutations.h"
#include "mutate/repair.h"
#include "mutate/values.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kRoom = 512;

bool Any(const ArchitectureInfo&) { return true; }

void DropKey(Bench& bench, std::string_view key) {
  bench.draft.entries.Keep([&](const Entry& entry) { return entry.key != key; });
}

bool SetU32(Bench& bench, std::string_view key, std::uint32_t value) {
  return SetEntry(bench.draft, NumberEntry(bench.scratch, key, value));
}

}  // namespace

bool LieEmbeddingZero(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, Any);
  if (!architecture) return false;
  const std::string_view key = KeyFor(bench, *architecture, "embedding_length");
  return SetU32(bench, key, 0) && Tell(bench, key, Part::kValue);
}

bool LieDivisorMissing(Bench& bench) {
  constexpr std::array<std::string_view, 2> kNames = {"olmo2", "phimoe"};
  if (!MakeRoom(bench, kRoom)) return false;
  const std::string_view name = bench.random.Pick(kNames);
  if (!SetArchitecture(bench, name)) return false;
  for (const std::string_view key : {"general.type", "adapter.type", "split.no", "split.count"}) {
    DropKey(bench, key);
  }
  DropKey(bench, KeyFor(bench, {.name = name}, "attention.head_count"));
  return Tell(bench, kArchitectureKey, Part::kValue);
}

bool LieMemoryDemand(Bench& bench) {
  constexpr std::array<std::uint32_t, 4> kLarge = {UINT32_MAX, 0x8000'0000, 0x7FFF'FFFF,
                                                   0x6000'0000};
  if (!MakeRoom(bench, kRoom)) return false;
  const auto architecture = SomeArchitecture(bench, Any);
  if (!architecture) return false;
  const std::string_view name =
      bench.random.OneIn(2) ? "attention.sliding_window" : "embedding_length_out";
  const std::string_view key = KeyFor(bench, *architecture, name);
  return SetU32(bench, key, bench.random.Pick(kLarge)) && Tell(bench, key, Part::kValue);
}

// The data begin 16 bytes past a multiple of 32, which an alignment of 16 allows.
bool LieDataBegin(Bench& bench) {
  constexpr std::uint32_t kAlignment = 16;
  constexpr std::string_view kFilling = "filling filling filling filling ";
  constexpr std::string_view kKey = "general.filling";
  if (!MakeRoom(bench, kRoom)) return false;
  Tensor tensor{.name = "data.begin",
                .dimension_count = 1,
                .type = static_cast<std::uint32_t>(TensorType::kF32)};
  tensor.dims[0] = 8;
  if (bench.draft.tensors.empty() && !AddLyingTensor(bench, tensor)) return false;
  DropKey(bench, kKey);
  if (!SetU32(bench, kAlignmentKey, kAlignment)) return false;
  const std::uint64_t end = DirectoryEnd(bench.draft) + 8 + kKey.size() + 4 + 8;
  const std::uint64_t over = end % kDefaultAlignment;
  const std::uint64_t up_to_one = (kDefaultAlignment + 1 - over) % kDefaultAlignment;
  const std::uint64_t missing = over > 0 && over <= kAlignment ? 0 : up_to_one;
  if (!SetEntry(bench.draft, TextEntry(bench.scratch, kKey,
                                       kFilling.substr(0, static_cast<std::size_t>(missing))))) {
    return false;
  }
  bench.draft.alignment = kAlignment;
  LayOut(bench.draft);
  if (!bench.Write()) return false;
  bench.lie_at = bench.placement.tensors[0];
  return true;
}

}  // namespace ggufgate::mutate
