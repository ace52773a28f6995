// Each record determines the place of the next, so a walk waits for one length after the other.
// Four walks wait at the same time: three of them start at guessed places. A guess counts only if
// the walk before it arrives exactly there, so the result is that of a single walk.

#include "bytes/record_run.h"

#include <array>
#include <optional>

namespace ggufgate {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kNotedBytes = 24 * 1024;  // distance between offsets in `some`

constexpr std::size_t kWalks = 4;
constexpr std::uint64_t kGuessBytes = 256;  // searched for a length
constexpr std::uint64_t kBatchBytes = kWalks * (kNotedBytes + kGuessBytes) + kLengthBytes;

// Walk iterates over records. The byte order is a template parameter: a test at each load would
// take a third of the time.
template <ByteOrder kOrder>
class Walk {
 public:
  Walk(Bytes bytes, std::uint64_t most, std::uint64_t longest, std::uint64_t base,
       std::vector<std::uint64_t>& wide, std::vector<std::uint64_t>& some)
      : bytes_(bytes), most_(most), longest_(longest), base_(base), wide_(wide), some_(some) {}

  [[nodiscard]] RecordRun Run() {
    while (Together()) {
    }
    Until(bytes_.size());
    return run_;
  }

 private:
  using Cuts = std::array<std::uint64_t, kWalks + 1>;

  // Until walks to the first record at or after `end`. It returns false if it stops before `end`.
  bool Until(std::uint64_t end) {
    RecordRun run = run_;
    Bytes rest = bytes_.subspan(run.bytes);
    while (run.bytes < end && run.records < most_ && rest.size() >= kLengthBytes) {
      const auto length = Load<std::uint64_t>(rest, kOrder);
      rest = rest.subspan(kLengthBytes);
      if (length > rest.size() || length > longest_) [[unlikely]] {
        break;
      }
      if ((length & kWideLength) != 0) [[unlikely]]
        wide_.push_back(base_ + run.bytes);
      if (run.bytes >= note_at_) [[unlikely]] {
        Note(run.bytes);
      }
      rest = rest.subspan(length);
      run.bytes += kLengthBytes + length;
      ++run.records;
    }
    run_ = run;
    return run.bytes >= end;
  }

  void Note(std::uint64_t at) {
    some_.push_back(base_ + at);
    note_at_ = at + kNotedBytes;
  }

  // Together walks over four stretches. It returns false if the rest must be walked alone.
  bool Together() {
    if (longest_ <= kPlain || bytes_.size() - run_.bytes < kBatchBytes ||
        most_ - run_.records < kBatchBytes / kLengthBytes) {
      return false;
    }
    Cuts cuts{run_.bytes};
    for (std::size_t i = 1; i < kWalks; ++i) {
      const auto guess = GuessFrom(cuts.at(i - 1) + kNotedBytes);
      if (!guess) return false;
      cuts.at(i) = *guess;
    }
    cuts.back() = cuts.at(kWalks - 1) + kNotedBytes;
    return Join(cuts);
  }

  // GuessFrom searches for bytes that look like the length of a short record. The text before it
  // has no zero byte, as a rule.
  [[nodiscard]] std::optional<std::uint64_t> GuessFrom(std::uint64_t from) const {
    for (std::uint64_t at = from; at < from + kGuessBytes; ++at) {
      const auto length = Load<std::uint64_t>(bytes_.subspan(at), kOrder);
      if (length != 0 && length <= kPlain) return at;
    }
    return std::nullopt;
  }

  using Places = std::array<std::uint64_t, kWalks>;

  // Join adds the stretches up to the first one that starts at no record.
  bool Join(const Cuts& cuts) {
    Places at{};
    const std::uint64_t steps = Step(cuts, at);
    for (std::size_t lane = 0; lane < kWalks; ++lane) {
      if (run_.bytes != cuts.at(lane)) return false;
      if (run_.bytes >= note_at_) Note(run_.bytes);
      run_.bytes = at.at(lane);
      run_.records += steps;
      if (!Until(cuts.at(lane + 1))) return false;
    }
    return true;
  }

  // Step takes the same number of steps in all stretches, until one is near its end or meets a wide
  // length.
  [[nodiscard]] std::uint64_t Step(const Cuts& cuts, Places& at_out) const {
    Places at{};
    for (std::size_t i = 0; i < kWalks; ++i) at[i] = cuts[i];
    std::uint64_t steps = 0;
    const auto inside = [&](std::uint64_t bytes) {
      bool all = true;
      for (std::size_t i = 0; i < kWalks; ++i) all &= at[i] + bytes <= cuts[i + 1];
      return all;
    };
    while (inside(kStride * kPlainRecord) && Stride<kStride>(at)) steps += kStride;
    while (inside(kPlainRecord) && Stride<1>(at)) ++steps;
    at_out = at;
    return steps;
  }

  // Stride takes `kSteps` steps in all stretches. If one of them meets a wide length, it takes none
  // and returns false.
  template <std::size_t kSteps>
  [[nodiscard]] bool Stride(Places& at) const {
    Places after = at;
    std::uint64_t bits = 0;
    for (std::size_t step = 0; step < kSteps; ++step) {
      for (std::uint64_t& place : after) {
        const auto length = Load<std::uint64_t>(bytes_.subspan(place), kOrder);
        bits |= length;
        place += kLengthBytes + (length & kPlain);
      }
    }
    if (bits > kPlain) return false;
    at = after;
    return true;
  }

  static constexpr std::uint64_t kPlain = ~kWideLength;  // the longest length that is not wide
  static constexpr std::uint64_t kPlainRecord = kLengthBytes + kPlain;
  static constexpr std::size_t kStride = 8;

  const Bytes bytes_;
  const std::uint64_t most_;
  const std::uint64_t longest_;
  const std::uint64_t base_;
  std::vector<std::uint64_t>& wide_;
  std::vector<std::uint64_t>& some_;
  RecordRun run_;
  std::uint64_t note_at_ = kNotedBytes;
};

}  // namespace

RecordRun SkipRecords(Bytes bytes, ByteOrder order, std::uint64_t most, std::uint64_t longest,
                      std::uint64_t base, std::vector<std::uint64_t>& wide,
                      std::vector<std::uint64_t>& some) {
  return order == ByteOrder::kLittle
             ? Walk<ByteOrder::kLittle>(bytes, most, longest, base, wide, some).Run()
             : Walk<ByteOrder::kBig>(bytes, most, longest, base, wide, some).Run();
}

}  // namespace ggufgate
