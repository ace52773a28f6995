// Lies about magic, version, byte order and counts.

#include <algorithm>
#include <array>
#include <string_view>

#include "mutate/mutations.h"
#include "mutate/parts.h"
#include "mutate/solver.h"
#include "mutate/transcode.h"

namespace ggufgate::mutate {
namespace {

using namespace std::string_view_literals;

// How files of other formats begin, those that are found under a model's name among them.
constexpr std::array kForeign = {"ggml"sv,
                                 "lmgg"sv,
                                 "ggmf"sv,
                                 "ggjt"sv,
                                 "tjgg"sv,
                                 "ggla"sv,
                                 "gguf"sv,
                                 "GGUf"sv,
                                 "GGML"sv,
                                 "GGU\0"sv,
                                 "PK\3\4"sv,
                                 "version https://git-lfs"sv,
                                 "<!DOCTYPE"sv,
                                 "<html>"sv,
                                 "{\"error\":"sv,
                                 "{\"__meta"sv,
                                 "\x1F\x8B"sv,
                                 "\x7F"
                                 "ELF"sv,
                                 "\x80\2}q"sv,
                                 "\x93NUMPY"sv,
                                 "\xEF\xBB\xBFGGUF"sv,
                                 "\xFF\xFEG\0"sv,
                                 "\nGGUF"sv,
                                 "\x28\xB5\x2F\xFD"sv};

constexpr std::uint32_t kSwappedTwo = 0x0200'0000;
constexpr std::uint32_t kSwappedThree = 0x0300'0000;

void Begin(Bench& bench, Bytes with) {
  const MutableBytes bytes = bench.bytes();
  std::ranges::copy(with.first(std::min(with.size(), bytes.size())), bytes.begin());
  bench.lie_at = 0;
}

// Recode gives all values another encoding. False, and nothing is changed, where one is not whole
// or scratch might not do.
bool Recode(Bench& bench, Encoding to) {
  Draft& draft = bench.draft;
  std::size_t size = 0;
  for (const Entry& entry : draft.entries) {
    if (SizeOfValue(entry.type, entry.value, draft.encoding) != entry.value.size()) return false;
    size += 2 * entry.value.size();
  }
  if (size > bench.scratch.Left()) return false;
  for (Entry& entry : draft.entries) {
    entry.value = Transcode(entry.type, entry.value, draft.encoding, to, bench.scratch);
  }
  draft.encoding = to;
  return true;
}

}  // namespace

bool LieMagic(Bench& bench) {
  if (!bench.Write()) return false;
  const std::uint64_t at = bench.random.Below(4);
  bench.Put<std::uint8_t>(
      at, static_cast<std::uint8_t>(bench.Get<std::uint8_t>(at) ^ 1U << bench.random.Below(8)));
  bench.lie_at = 0;
  return true;
}

bool LieMagicSwapped(Bench& bench) {
  if (!bench.Write()) return false;
  Begin(bench, AsBytes("FUGG"));
  return true;
}

bool LieMagicForeign(Bench& bench) {
  if (!bench.Write()) return false;
  Begin(bench, AsBytes(bench.random.Pick(kForeign)));
  return true;
}

// A download that was interrupted leaves zeros, of a page at least: here of 4 bytes to all of it.
bool LieMagicZeros(Bench& bench) {
  if (!bench.Write()) return false;
  const MutableBytes bytes = bench.bytes();
  const std::size_t least = std::min<std::size_t>(kMagic.size(), bytes.size());
  const std::size_t count =
      bench.random.OneIn(2) ? least : bench.random.Between(least, bytes.size());
  std::ranges::fill(bytes.first(count), std::uint8_t{0});
  bench.lie_at = 0;
  return true;
}

bool LieVersionUnknown(Bench& bench) {
  if (!bench.Write()) return false;
  constexpr std::array<std::uint32_t, 10> kVersions = {
      0, 4, 5, 0x0100'0000, 0x0400'0000, 0x0001'0003, 0x8000'0003, 0x7FFF'FFFF, 0xFFFF'FFFF, 0x30};
  std::uint32_t version = bench.random.Pick(kVersions);
  if (bench.random.OneIn(4)) version = static_cast<std::uint32_t>(bench.random.Next());
  const bool exists =
      (version >= 1 && version <= 3) || version == kSwappedTwo || version == kSwappedThree;
  bench.Put<std::uint32_t>(Placement::kVersionAt, exists ? 4 : version);
  return true;
}

bool LieVersionOne(Bench& bench) {
  if (!bench.Write()) return false;
  bench.Put<std::uint32_t>(Placement::kVersionAt, 1);
  return true;
}

bool LieVersionOneWhole(Bench& bench) {
  if (!SomeEntry(bench) || !HasRoom(bench, 0)) return false;  // 16 bytes alone are too few
  if (!Recode(bench, {.order = ByteOrder::kLittle, .word = 4})) return false;
  bench.draft.version = 1;
  LayOut(bench.draft);
  bench.lie_at = Placement::kVersionAt;
  return true;
}

bool LieVersionSwapped(Bench& bench) {
  if (!bench.Write()) return false;
  bench.Put(Placement::kVersionAt, kSwappedTwo);
  return true;
}

bool LieHeaderSwapped(Bench& bench) {
  if (!bench.Write()) return false;
  bench.Put(Placement::kVersionAt, kSwappedThree);
  return true;
}

// The data are zeros: numbers in blocks are swapped one by one, and where they stand is another
// room's knowledge.
bool LieBigEndian(Bench& bench) {
  if (!HasRoom(bench, 0) || !Recode(bench, {.order = ByteOrder::kBig, .word = 8})) return false;
  bench.draft.version = 3;
  if (!bench.Write()) return true;
  for (std::size_t i = 0; i < bench.draft.tensors.size(); ++i) {
    const std::size_t size = bench.draft.tensors[i].data.size();
    std::ranges::fill(bench.bytes().subspan(bench.placement.data[i], size), std::uint8_t{0});
  }
  bench.lie_at = Placement::kVersionAt;
  return true;
}

bool LieTensorCountMore(Bench& bench) {
  if (!bench.Write()) return false;
  const std::uint64_t least = (bench.placement.size - kHeaderBytes) / kMinimumTensorBytes + 1;
  bench.Put<std::uint64_t>(Placement::kTensorCountAt, NumberBeyond(bench.random, least));
  return true;
}

bool LieMetadataCountMore(Bench& bench) {
  if (!bench.Write()) return false;
  const std::uint64_t least = (bench.placement.size - kHeaderBytes) / kMinimumKeyBytes + 1;
  bench.Put<std::uint64_t>(Placement::kMetadataCountAt, NumberBeyond(bench.random, least));
  return true;
}

namespace {

// WithoutTensors makes the file one of metadata alone, of `least` bytes at least.
bool WithoutTensors(Bench& bench) {
  if (!AddValue(bench, ValueType::kString, StringValue(bench, 32))) return false;
  bench.draft.tensors.Clear();
  return bench.Write();
}

}  // namespace

bool LieTensorCountOneMore(Bench& bench) {
  if (!WithoutTensors(bench)) return false;
  const std::uint64_t most = (bench.placement.size - kHeaderBytes) / kMinimumTensorBytes;
  bench.Put<std::uint64_t>(Placement::kTensorCountAt,
                           bench.random.OneIn(2) ? 1 : bench.random.Between(1, most));
  return true;
}

// A key takes 14 bytes, where the gate reckons with 13, and the one added takes more than two need.
bool LieMetadataCountOneMore(Bench& bench) {
  if (!WithoutTensors(bench)) return false;
  const std::uint64_t least = bench.draft.entries.size() + 1;
  const std::uint64_t most = (bench.placement.size - kHeaderBytes) / kMinimumKeyBytes;
  bench.Put<std::uint64_t>(Placement::kMetadataCountAt,
                           bench.random.OneIn(2) ? least : bench.random.Between(least, most));
  return true;
}

bool LieMetadataCountLess(Bench& bench) {
  if (!HasRoom(bench, 0) || !SomeTensor(bench)) return false;
  const std::string_view key = FreshName(bench);
  constexpr std::array kTypes = {ValueType::kF32, ValueType::kBool, ValueType::kU64,
                                 ValueType::kI64, ValueType::kF64};
  const ValueType type = bench.random.Pick(kTypes);
  const Bytes value = NumberValue(bench, 1, InfoOf(type).scalar_bytes);
  const Entry last = {.key = key, .type = static_cast<std::uint32_t>(type), .value = value};
  const std::size_t count = bench.draft.entries.size();
  if (key.empty() || value.empty() || !AddEntry(bench, last, count) || !bench.Write()) return false;
  bench.Put<std::uint64_t>(Placement::kMetadataCountAt, count);
  return true;
}

bool OddityNoTensorsClaimed(Bench& bench) {
  if (bench.draft.tensors.empty() || bench.draft.Find("split.tensors.count") != nullptr) {
    return false;
  }
  bench.Put<std::uint64_t>(Placement::kTensorCountAt, 0);
  return true;
}

}  // namespace ggufgate::mutate
