// This is the hot loop of the rules: a vocabulary has up to 300,000 tokens. A single walk would
// wait for each length in turn. So four walks run interleaved if the parser has noted where strings
// begin.

#include "check/repeats/record_hashes.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace ggufgate {
namespace {

constexpr std::size_t kLanes = 4;
// Strings in a stretch of an interleaved walk. A longer stretch is walked alone.
constexpr std::size_t kMostStrings = 4096;
constexpr std::uint64_t kLengthBytes = sizeof(std::uint64_t);
constexpr std::uint64_t kMostBytes = kMostStrings * kLengthBytes;

// Hasher hashes the elements. Their byte order is a template parameter, for speed.
template <ByteOrder kOrder>
class Hasher {
 public:
  Hasher(const Document& document, const LeafArray& strings, RepeatFilter& filter)
      : document_(document),
        elements_(document.BytesAt(strings.elements)),
        begin_(strings.elements.begin),
        filter_(filter),
        lane_room_(std::min<std::uint64_t>(strings.count, kMostStrings)),
        hashes_(kLanes * lane_room_) {}

  [[nodiscard]] RecordLengths Run() {
    auto next = std::ranges::upper_bound(document_.some_lengths, begin_);
    std::uint64_t at = 0;
    while (at < elements_.size()) {
      Cuts cuts{};
      if (Cut(next, at, cuts)) {
        SideBySide(cuts);
        at = cuts.back();
      } else {
        at = Alone(at);
      }
      while (next != document_.some_lengths.end() && *next - begin_ <= at) ++next;
    }
    return lengths_;
  }

 private:
  using Cuts = std::array<std::uint64_t, kLanes + 1>;
  using Noted = std::vector<std::uint64_t>::const_iterator;

  // Cut finds the stretches from `at` on; false if the parser noted too few places.
  [[nodiscard]] bool Cut(Noted next, std::uint64_t at, Cuts& cuts) const {
    cuts.front() = at;
    for (std::size_t i = 1; i < cuts.size(); ++i, ++next) {
      if (next == document_.some_lengths.end()) return false;
      cuts.at(i) = *next - begin_;
      if (cuts.at(i) >= elements_.size() || cuts.at(i) - cuts.at(i - 1) > kMostBytes) return false;
    }
    return true;
  }

  // RecordAt returns the string at `at`, with its length in front. The parser has checked that all
  // strings are complete.
  [[nodiscard]] Bytes RecordAt(std::uint64_t at) const {
    const Bytes rest = elements_.subspan(at);
    return rest.first(kLengthBytes + Load<std::uint64_t>(rest, kOrder));
  }

  [[nodiscard]] std::span<std::uint64_t> Room(std::size_t lane) {
    return std::span(hashes_).subspan(lane * lane_room_, lane_room_);
  }

  void SideBySide(const Cuts& cuts) {
    std::array<std::uint64_t, kLanes> at{};
    std::array<std::size_t, kLanes> count{};
    std::ranges::copy(std::span(cuts).first(kLanes), at.begin());
    const std::size_t steps = Together(cuts, at);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      count[lane] = steps;
      const std::span<std::uint64_t> room = Room(lane);
      while (at[lane] < cuts[lane + 1]) {
        const Bytes record = RecordAt(at[lane]);
        lengths_.Note(record);
        room[count[lane]++] = HashOfRecord(record);
        at[lane] += record.size();
      }
      filter_.Add(room.first(count[lane]));
    }
  }

  // Together takes the same number of steps in all lanes, until one lane is at its end. It keeps
  // offsets in local variables: storing and loading one again costs more than the step.
  std::size_t Together(const Cuts& cuts, std::array<std::uint64_t, kLanes>& at_out) {
    std::array<std::uint64_t, kLanes> at = at_out;
    RecordLengths lengths = lengths_;
    std::size_t steps = 0;
    const auto inside = [&] {
      bool all = true;
      for (std::size_t i = 0; i < kLanes; ++i) all &= at[i] < cuts[i + 1];
      return all;
    };
    const std::span<std::uint64_t> hashes = hashes_;
    const std::size_t lane_room = lane_room_;
    while (inside()) {
      for (std::size_t i = 0; i < kLanes; ++i) {
        const Bytes record = RecordAt(at[i]);
        lengths.Note(record);
        hashes[i * lane_room + steps] = HashOfRecord(record);
        at[i] += record.size();
      }
      ++steps;
    }
    at_out = at;
    lengths_ = lengths;
    return steps;
  }

  // Alone walks over up to 256 strings from `at` on. It returns the offset of the next string.
  std::uint64_t Alone(std::uint64_t at) {
    constexpr std::size_t kSome = 256;
    RecordLengths lengths = lengths_;
    const std::span<std::uint64_t> room = Room(0).first(std::min(kSome, lane_room_));
    std::size_t count = 0;
    for (; count < room.size() && at < elements_.size(); ++count) {
      const Bytes record = RecordAt(at);
      lengths.Note(record);
      room[count] = HashOfRecord(record);
      at += record.size();
    }
    lengths_ = lengths;
    filter_.Add(room.first(count));
    return at;
  }

  const Document& document_;
  const Bytes elements_;
  const std::uint64_t begin_;
  RepeatFilter& filter_;
  // Strings in a stretch. It may be less than kMostStrings: a small vocabulary should not allocate
  // memory that it does not fill.
  const std::size_t lane_room_;
  std::vector<std::uint64_t> hashes_;  // one stretch of the array per lane
  RecordLengths lengths_;
};

}  // namespace

RecordLengths HashRecords(const Document& document, const LeafArray& strings,
                          RepeatFilter& filter) {
  return document.byte_order == ByteOrder::kLittle
             ? Hasher<ByteOrder::kLittle>(document, strings, filter).Run()
             : Hasher<ByteOrder::kBig>(document, strings, filter).Run();
}

}  // namespace ggufgate
