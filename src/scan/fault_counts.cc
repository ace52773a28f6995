// Counts faults without branches that depend on them. Compilers can vectorize the loops: there is a
// lane for each position in a block, with counters in bytes that are emptied before they overflow.
// Highway compiles this file once for each instruction set.

#include "scan/fault_counts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <span>

#include "bytes/bytes.h"
#include "scan/e8m0_counts.h"

#if GGUFGATE_WITH_HIGHWAY
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scan/fault_counts.cc"  // NOLINT
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "bytes/vector_targets.h"  // must come after it
#else
#define HWY_BEFORE_NAMESPACE() static_assert(true)
#define HWY_AFTER_NAMESPACE() static_assert(true)
#define HWY_NAMESPACE N_PLAIN
#define HWY_ONCE 1
#define GGUFGATE_KERNEL_TABLE(f) static_assert(true)
#define GGUFGATE_KERNEL(f) N_PLAIN::f
#endif

HWY_BEFORE_NAMESPACE();
namespace ggufgate::HWY_NAMESPACE {
namespace {

constexpr ByteOrder kHostOrder = internal::kHostIsLittle ? ByteOrder::kLittle : ByteOrder::kBig;

// AsRead returns the number that this machine loads if a file has `value`.
template <typename Word>
Word AsRead(Word value, ByteOrder order) {
  return order == kHostOrder ? value : internal::SwapBytes(value);
}

// Blocks are those of a run, beginning at the first byte of a field.
struct Blocks {
  Bytes bytes;
  std::size_t stride;
  std::size_t offset;

  [[nodiscard]] std::size_t Count() const { return bytes.size() / stride; }

  // Load reads the word of a block. Its last byte must be inside the block.
  template <typename Word>
  [[nodiscard]] Word Load(std::size_t block) const {
    Word word = 0;
    GGUFGATE_AUDITED_BEGIN  // guaranteed by the table of fields, and its test
        std::memcpy(&word, bytes.data() + block * stride + offset, sizeof(word));
    GGUFGATE_AUDITED_END
    return word;
  }
};

// CountAllOnes counts the blocks whose word has all bits of a mask, an exponent.
template <typename Word>
std::uint64_t CountAllOnes(const Blocks& blocks, Word mask) {
  std::uint64_t count = 0;
  const std::size_t all = blocks.Count();
  for (std::size_t i = 0; i < all; ++i) {
    count += (blocks.Load<Word>(i) & mask) == mask ? 1U : 0U;
  }
  return count;
}

// TwoCounts counts the blocks that have all bits of a mask in the first and in the second half of a
// word.
struct TwoCounts {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

TwoCounts CountAllOnesTwice(const Blocks& blocks, std::uint16_t mask) {
  constexpr unsigned kFirst = internal::kHostIsLittle ? 0 : 16;
  const std::uint32_t first = std::uint32_t{mask} << kFirst;
  const std::uint32_t second = std::uint32_t{mask} << (16 - kFirst);
  TwoCounts counts;
  const std::size_t all = blocks.Count();
  for (std::size_t i = 0; i < all; ++i) {
    const auto word = blocks.Load<std::uint32_t>(i);
    counts.first += (word & first) == first ? 1U : 0U;
    counts.second += (word & second) == second ? 1U : 0U;
  }
  return counts;
}

// --- blocks of one value -------------------------------------------------------------------------

constexpr std::size_t kStepBytes = 64;
using Pairs = std::array<std::uint16_t, kStepBytes / 2>;

// The exponents of these floats are in their two upper bytes. The pairs below have an empty mask.
Pairs ExponentPairs(std::size_t size, std::uint16_t exponent, ByteOrder order) {
  Pairs mask{};
  const std::size_t each = size / 2;
  const std::size_t first = order == ByteOrder::kLittle ? each - 1 : 0;
  for (std::size_t i = first; i < mask.size(); i += each) mask.at(i) = AsRead(exponent, order);
  return mask;
}

// CountPairsUnlike counts the pairs that lack a bit of their mask. Pairs with an empty mask never
// lack one.
std::uint64_t CountPairsUnlike(Bytes bytes, const Pairs& mask) {
  constexpr std::size_t kMostSteps = 65535;  // a lane cannot count more
  std::uint64_t count = 0;
  while (!bytes.empty()) {
    const std::size_t steps = std::min(bytes.size() / kStepBytes, kMostSteps);
    Pairs lanes{};
    GGUFGATE_AUDITED_BEGIN  // steps consist of whole bytes
        const std::uint8_t* at = bytes.data();
    for (std::size_t step = 0; step < steps; ++step, at += kStepBytes) {
      Pairs v;
      std::memcpy(v.data(), at, sizeof(v));
      for (std::size_t i = 0; i < v.size(); ++i) {
        lanes[i] = static_cast<std::uint16_t>(lanes[i] + ((v[i] & mask[i]) != mask[i] ? 1 : 0));
      }
    }
    GGUFGATE_AUDITED_END
    count = std::accumulate(lanes.begin(), lanes.end(), count);
    bytes = bytes.subspan(steps * kStepBytes);
    if (steps == 0) break;
  }
  return count;
}

std::uint64_t CountValues(Bytes bytes, std::size_t size, std::uint16_t exponent, ByteOrder order) {
  const Bytes vectors = bytes.first(bytes.size() / kStepBytes * kStepBytes);
  const std::uint64_t good = CountPairsUnlike(vectors, ExponentPairs(size, exponent, order));
  const Blocks rest{.bytes = bytes.subspan(vectors.size()),
                    .stride = size,
                    .offset = order == ByteOrder::kLittle ? size - 2 : 0};
  return vectors.size() / size - good + CountAllOnes(rest, AsRead(exponent, order));
}

// --- codes ---------------------------------------------------------------------------------------

// SumOverBlocks adds the results of `faults_of` for each byte of a field. Each result is at most
// `kMost`.
template <std::size_t kBytes, unsigned kMost, typename FaultsOf>
std::uint64_t SumOverBlocks(const Blocks& blocks, FaultsOf faults_of) {
  constexpr std::size_t kAtOnce = 255 / kMost;
  std::uint64_t sum = 0;
  for (std::size_t begin = 0; begin < blocks.Count(); begin += kAtOnce) {
    const std::size_t end = std::min(begin + kAtOnce, blocks.Count());
    std::array<std::uint8_t, kBytes> lanes{};
    for (std::size_t block = begin; block < end; ++block) {
      const Bytes field = blocks.bytes.subspan(block * blocks.stride + blocks.offset, kBytes);
      for (std::size_t i = 0; i < kBytes; ++i) {
        lanes[i] = static_cast<std::uint8_t>(lanes[i] + faults_of(field[i]));
      }
    }
    sum = std::accumulate(lanes.begin(), lanes.end(), sum);
  }
  return sum;
}

// ThreesIn returns how many of the four codes of a byte are 3.
constexpr std::uint8_t ThreesIn(std::uint8_t codes) {
  const unsigned threes = codes & codes >> 1U & 0x55U;
  const unsigned halves = (threes & 0x11U) + (threes >> 2U & 0x11U);
  return static_cast<std::uint8_t>((halves & 0x0FU) + (halves >> 4U));
}

// --- scales of a byte ----------------------------------------------------------------------------

struct UE4M3Counts {
  std::uint64_t nan = 0;
  std::uint64_t negative = 0;
};

UE4M3Counts CountUE4M3Faults(const Blocks& blocks) {
  constexpr std::uint32_t kNan = 0x7F7F'7F7F;
  constexpr std::uint32_t kOnes = 0x0101'0101;
  UE4M3Counts counts;
  const auto sum = [](std::uint32_t ones) { return ones * kOnes >> 24; };
  const std::size_t all = blocks.Count();
  for (std::size_t i = 0; i < all; ++i) {
    const auto scales = blocks.Load<std::uint32_t>(i);
    const std::uint32_t unlike = scales ^ kNan;
    const std::uint32_t nan = ~(((unlike & kNan) + kNan) | unlike | kNan);  // bit 7 where 0
    counts.nan += sum(nan >> 7);
    counts.negative += sum(scales >> 7 & kOnes);
  }
  return counts;
}

// --- Q8_K ----------------------------------------------------------------------------------------

// GreatestCode returns the largest magnitude of the signed codes.
std::uint8_t GreatestCode(Bytes codes) {
  std::array<std::uint8_t, 64> most{};
  for (; codes.size() >= most.size(); codes = codes.subspan(most.size())) {
    const auto step = codes.first<64>();
    for (std::size_t i = 0; i < most.size(); ++i) {
      const auto negated = static_cast<std::uint8_t>(-step[i]);
      most[i] = std::max(most[i], std::min(step[i], negated));
    }
  }
  for (std::size_t half = most.size() / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) most[i] = std::max(most[i], most[i + half]);
  }
  return most[0];
}

std::uint64_t CountQ8KOverflows(const Blocks& blocks, ByteOrder order) {
  constexpr std::uint32_t kExponent = 0x7F80'0000;
  constexpr std::uint32_t kNeverBelow = 0x7800'0000;  // 2^113: 2^7 times as much is 2^120
  constexpr double kRoundsToInfinity = 0x1.ffffffp127;
  constexpr std::size_t kCodes = 256;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < blocks.Count(); ++i) {
    const std::uint32_t scale = AsRead(blocks.Load<std::uint32_t>(i), order) & 0x7FFF'FFFF;
    if (scale < kNeverBelow || scale >= kExponent) continue;
    const Bytes codes = blocks.bytes.subspan(i * blocks.stride + blocks.offset + 4, kCodes);
    const double product = static_cast<double>(std::bit_cast<float>(scale)) * GreatestCode(codes);
    count += product >= kRoundsToInfinity ? 1 : 0;
  }
  return count;
}

// --- fields --------------------------------------------------------------------------------------

// The exponent of an IQ1_M scale is in the upper bits of its third and fourth word.
std::uint64_t IQ1MExponent(ByteOrder order) {
  constexpr std::array<std::uint16_t, 4> kWords = {0, 0, 0xC000, 0x7000};
  std::array<std::uint16_t, 4> words{};
  std::ranges::transform(kWords, words.begin(),
                         [order](std::uint16_t word) { return AsRead(word, order); });
  return std::bit_cast<std::uint64_t>(words);
}

class Counter {
 public:
  Counter(const BlockRun& run, Bytes bytes) : run_(run), bytes_(bytes) {}

  void Count(const BlockField& field) {
    const bool full = run_.depth == Depth::kFull;
    const Blocks blocks{bytes_, run_.type->block_bytes, field.offset};
    switch (field.kind) {
      case FieldKind::kF16:
        return CountNotFinite(field, 0x7C00);
      case FieldKind::kBF16:
      case FieldKind::kF32:
        return CountNotFinite(field, 0x7F80);
      case FieldKind::kF64:
        return CountNotFinite(field, 0x7FF0);
      case FieldKind::kIQ1MScale:
        Of(DataFault::kScaleNotFinite) += CountAllOnes(blocks, IQ1MExponent(run_.order));
        return;
      case FieldKind::kQ8KScale:
        Of(DataFault::kScaleNotFinite) +=
            CountAllOnes(blocks, AsRead(std::uint32_t{0x7F80'0000}, run_.order));
        if (full) Of(DataFault::kScaleOverflows) += CountQ8KOverflows(blocks, run_.order);
        return;
      case FieldKind::kE8M0:
        if (full) return CountE8M0s();
        Of(DataFault::kScaleNotFinite) += CountAllOnes(blocks, std::uint8_t{0xFF});
        return;
      case FieldKind::kUE4M3:
        if (full) CountUE4M3(blocks);
        return;
      case FieldKind::kQ8Code:
        if (!full) return;
        Of(DataFault::kSignedMinimum) +=
            SumOverBlocks<32, 1>(blocks, [](std::uint8_t code) { return code == 0x80 ? 1 : 0; });
        return;
      case FieldKind::kTernaryCodes:
        if (full) Of(DataFault::kTernaryCode) += SumOverBlocks<64, 4>(blocks, ThreesIn);
        return;
    }
  }

  // CountScaleAndMinimum checks two adjacent F16, with one load for both.
  void CountScaleAndMinimum(const BlockField& scale) {
    const Blocks blocks{bytes_, run_.type->block_bytes, scale.offset};
    const TwoCounts counts = CountAllOnesTwice(blocks, AsRead(std::uint16_t{0x7C00}, run_.order));
    Of(DataFault::kScaleNotFinite) += counts.first;
    Of(DataFault::kMinimumNotFinite) += counts.second;
  }

  [[nodiscard]] const FaultCounts& counts() const { return counts_; }

 private:
  std::uint64_t& Of(DataFault fault) { return counts_.at(static_cast<std::size_t>(fault)); }

  // `exponent` is the mask in the two upper bytes.
  void CountNotFinite(const BlockField& field, std::uint16_t exponent) {
    const std::size_t size = FieldBytes(field.kind);
    const std::size_t stride = run_.type->block_bytes;
    if (field.role == FieldRole::kValue) {
      Of(DataFault::kValueNotFinite) += CountValues(bytes_, size, exponent, run_.order);
      return;
    }
    const Blocks blocks{bytes_, stride, field.offset};
    Of(field.role == FieldRole::kMinimum ? DataFault::kMinimumNotFinite
                                         : DataFault::kScaleNotFinite) +=
        CountAllOnes(blocks, AsRead(exponent, run_.order));
  }

  void CountE8M0s() {
    const E8M0Counts counts = CountE8M0(bytes_);
    Of(DataFault::kScaleNotFinite) += counts.nan;
    Of(DataFault::kScaleOverflows) += counts.overflows;
  }

  void CountUE4M3(const Blocks& blocks) {
    const UE4M3Counts counts = CountUE4M3Faults(blocks);
    Of(DataFault::kScaleNan) += counts.nan;
    Of(DataFault::kScaleSigned) += counts.negative;
  }

  const BlockRun& run_;
  Bytes bytes_;
  FaultCounts counts_{};
};

bool IsScaleAndMinimum(const BlockField& a, const BlockField& b) {
  return a.kind == FieldKind::kF16 && a.role == FieldRole::kScale && b.kind == FieldKind::kF16 &&
         b.role == FieldRole::kMinimum && b.offset == a.offset + 2;
}

FaultCounts CountAll(const BlockRun& run, Bytes bytes) {
  Counter counter(run, bytes);
  std::span<const BlockField> fields = FieldsOf(run.type->type);
  if (fields.size() >= 2 && IsScaleAndMinimum(fields[0], fields[1])) {
    counter.CountScaleAndMinimum(fields[0]);
    fields = fields.subspan(2);
  }
  for (const BlockField& field : fields) counter.Count(field);
  return counter.counts();
}

}  // namespace
}  // namespace ggufgate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ggufgate {
namespace {

GGUFGATE_KERNEL_TABLE(CountAll);

}  // namespace

FaultCounts CountFaults(const BlockRun& run, Bytes bytes) {
  GGUFGATE_AUDITED_BEGIN  // the table of kernels
      return GGUFGATE_KERNEL(CountAll)(run, bytes);
  GGUFGATE_AUDITED_END
}

}  // namespace ggufgate
#endif
