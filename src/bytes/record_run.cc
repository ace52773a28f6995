#include "bytes/record_run.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>

#include "bytes/bytes.h"

namespace ggufgate {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kLanes = 6;
constexpr std::uint64_t kShort = 128;  // a length below it is not wide, and most are below it
constexpr std::uint64_t kStride = 16 * 1024;  // bytes of a lane; all fit the second-level cache

// Lane is one of the walks: where it is, and what it has seen.
struct Lane {
  std::uint64_t begin = 0;
  std::uint64_t at = 0;
  std::uint64_t end = 0;  // it stops at the first record that begins here or later
  std::uint64_t records = 0;
  bool stuck = false;               // the next record is not whole, or too long
  std::vector<std::uint64_t> wide;  // where its wide lengths stand

  [[nodiscard]] bool Walking() const { return at < end && !stuck; }

  // Start lays the lane anew; what `wide` has allocated is kept.
  void Start(std::uint64_t from, std::uint64_t to) {
    begin = at = from;
    end = to;
    records = 0;
    stuck = false;
    wide.clear();
  }
};

// Every place a lane looks at without asking lies before its end, and that inside the bytes.
static_assert(kLanes * kStride + kShort + 2 * kLengthBytes < 2 * kLanes * kStride);

// Walker knows the bytes. Whether their numbers are swapped is settled when it is compiled: asking
// at each load costs a third of the walk.
template <bool kSwap>
class Walker {
 public:
  Walker(Bytes bytes, std::uint64_t longest) : bytes_(bytes), longest_(longest) {}

  // Fits is true when a length stands at `at` and its record is whole and not too long.
  [[nodiscard]] bool Fits(std::uint64_t at, std::uint64_t& length) const {
    if (at > bytes_.size() || bytes_.size() - at < kLengthBytes) return false;
    length = LengthAt(at);
    return length <= bytes_.size() - at - kLengthBytes && length <= longest_;
  }

  // Step moves a lane over one record.
  void Step(Lane& lane) const {
    std::uint64_t length = 0;
    if (!Fits(lane.at, length)) [[unlikely]] {
      lane.stuck = true;
      return;
    }
    if ((length & kWideLength) != 0) lane.wide.push_back(lane.at);
    lane.at += kLengthBytes + length;
    ++lane.records;
  }

  // Guess finds a place from `from` on where lengths seem to stand: three in a row that a
  // vocabulary could have. Text seldom holds the seven zero bytes of a small length.
  [[nodiscard]] std::optional<std::uint64_t> Guess(std::uint64_t from) const {
    constexpr std::uint64_t kTries = 1024;
    for (std::uint64_t at = from; at < from + kTries; ++at) {
      std::uint64_t next = at;
      std::uint64_t length = 0;
      int likely = 0;
      while (likely < 3 && Fits(next, length) && length < kShort) {
        next += kLengthBytes + length;
        ++likely;
      }
      if (likely == 3) return at;
    }
    return std::nullopt;
  }

  // LengthAt reads the length at `at`, where eight bytes are.
  [[nodiscard]] std::uint64_t LengthAt(std::uint64_t at) const {
    std::uint64_t length = 0;
    GGUFGATE_AUDITED_BEGIN  // the callers have seen that eight bytes are there
        std::memcpy(&length, bytes_.data() + at, sizeof(length));
    GGUFGATE_AUDITED_END
    return kSwap ? internal::SwapBytes(length) : length;
  }

 private:
  Bytes bytes_;
  std::uint64_t longest_;
};

using Lanes = std::array<Lane, kLanes>;

bool AllWalk(const Lanes& lanes) {
  return std::ranges::all_of(lanes, [](const Lane& lane) { return lane.Walking(); });
}

// WalkShort runs the lanes side by side over short records, until one is at its end or comes to a
// longer record. Places are kept in variables of this function: one that has to be stored and
// loaded again at each step costs more than the step.
template <bool kSwap>
void WalkShort(const Walker<kSwap>& walker_in, Lanes& lanes) {
  const Walker<kSwap> walker = walker_in;
  std::array<std::uint64_t, kLanes> at{};
  std::array<std::uint64_t, kLanes> end{};
  for (std::size_t i = 0; i < kLanes; ++i) {
    at[i] = lanes[i].at;
    end[i] = lanes[i].end;
  }
  std::uint64_t steps = 0;
  while (true) {
    std::array<std::uint64_t, kLanes> length{};
    std::uint64_t bits = 0;
    bool inside = true;
    for (std::size_t i = 0; i < kLanes; ++i) inside &= at[i] < end[i];
    if (!inside) break;
    for (std::size_t i = 0; i < kLanes; ++i) {
      length[i] = walker.LengthAt(at[i]);
      bits |= length[i];
    }
    if (bits >= kShort) break;
    for (std::size_t i = 0; i < kLanes; ++i) at[i] += kLengthBytes + length[i];
    ++steps;
  }
  for (std::size_t i = 0; i < kLanes; ++i) {
    lanes[i].at = at[i];
    lanes[i].records += steps;
  }
}

// Walk takes all lanes to their ends.
template <bool kSwap>
void Walk(const Walker<kSwap>& walker, Lanes& lanes) {
  while (AllWalk(lanes)) {
    WalkShort(walker, lanes);
    for (Lane& lane : lanes) {
      if (lane.Walking()) walker.Step(lane);
    }
  }
  for (Lane& lane : lanes) {
    while (lane.Walking()) walker.Step(lane);
  }
}

// StartLanes lays the lanes from `at` on; false when there is no good place for one of them.
template <bool kSwap>
bool StartLanes(const Walker<kSwap>& walker, std::uint64_t at, Lanes& lanes) {
  std::array<std::uint64_t, kLanes + 1> places{};
  places.front() = at;
  places.back() = at + kLanes * kStride;
  for (std::size_t i = 1; i < kLanes; ++i) {
    const auto guess = walker.Guess(at + i * kStride);
    if (!guess) return false;
    places.at(i) = *guess;
  }
  for (std::size_t i = 0; i < kLanes; ++i) lanes.at(i).Start(places.at(i), places.at(i + 1));
  return true;
}

// Progress is what SkipRecords has passed over, and what it notes on the way.
struct Progress {
  RecordRun run;
  std::uint64_t most;
  std::uint64_t base;
  std::vector<std::uint64_t>& wide;
  std::vector<std::uint64_t>& some;

  // Take adds a lane that is known to begin where the run ends; false when it is one too many.
  bool Take(const Lane& lane) {
    if (lane.records > most - run.records) return false;
    for (const std::uint64_t at : lane.wide) wide.push_back(base + at);
    if (lane.at - lane.begin > kStride / 2) some.push_back(base + lane.begin);
    run.records += lane.records;
    run.bytes = lane.at;
    return true;
  }
};

// TakeLanes walks lanes from the end of the run and takes those that prove sound.
template <bool kSwap>
void TakeLanes(const Walker<kSwap>& walker, Lanes& lanes, Progress& progress) {
  if (!StartLanes(walker, progress.run.bytes, lanes)) return;
  Walk(walker, lanes);
  for (const Lane& lane : lanes) {
    // The first lane begins at a record. Each other does if the one before ended right there.
    if (lane.begin != progress.run.bytes || lane.stuck || !progress.Take(lane)) return;
  }
}

// TakeOneByOne walks on to `end`, or to the last record wanted; false when it is stuck before.
template <bool kSwap>
bool TakeOneByOne(const Walker<kSwap>& walker, std::uint64_t end, Lane& lane, Progress& progress) {
  lane.Start(progress.run.bytes, end);
  const std::uint64_t most = progress.most - progress.run.records;
  while (lane.Walking() && lane.records < most) walker.Step(lane);
  progress.Take(lane);
  return !lane.stuck;
}

template <bool kSwap>
RecordRun Skip(const Walker<kSwap>& walker, Bytes bytes, std::uint64_t longest, Progress progress) {
  Lanes lanes;
  while (progress.run.records < progress.most) {
    const std::uint64_t before = progress.run.bytes;
    // Lanes begin and end within kLanes strides; the bytes go on for twice that.
    const bool room = bytes.size() - before > 2 * kLanes * kStride;
    if (room && longest >= kShort) TakeLanes(walker, lanes, progress);
    if (progress.run.bytes > before) continue;
    // Where lanes do not get on (a vocabulary of long texts, the last strings), one walk does.
    if (!TakeOneByOne(walker, before + kStride, lanes.front(), progress)) break;
  }
  return progress.run;
}

}  // namespace

RecordRun SkipRecords(Bytes bytes, ByteOrder order, std::uint64_t most, std::uint64_t longest,
                      std::uint64_t base, std::vector<std::uint64_t>& wide,
                      std::vector<std::uint64_t>& some) {
  const Progress progress{.run = {}, .most = most, .base = base, .wide = wide, .some = some};
  const bool swap = (order == ByteOrder::kLittle) != internal::kHostIsLittle;
  return swap ? Skip(Walker<true>(bytes, longest), bytes, longest, progress)
              : Skip(Walker<false>(bytes, longest), bytes, longest, progress);
}

}  // namespace ggufgate
