#include "bytes/record_run.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>

#include "bytes/audited.h"

namespace ggufgate {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kLanes = 6;
constexpr std::uint64_t kShort = 128;  // a length below it is not wide, and most are below it
constexpr std::uint64_t kStride =
    16 * 1024;  // bytes of a lane: all four fit the second-level cache

// Lane is one of the walks: where it is, and what it has seen.
struct Lane {
  std::uint64_t begin = 0;
  std::uint64_t at = 0;
  std::uint64_t end = 0;  // it stops at the first record that begins here or later
  std::uint64_t records = 0;
  std::uint64_t length_bits = 0;  // its lengths of kShort and more, ORed together
  bool stuck = false;             // the next record is not whole, or too long

  [[nodiscard]] bool Walking() const { return at < end && !stuck; }
};

// Every place a lane looks at without asking lies before its end, and that inside the bytes.
static_assert(kLanes * kStride + kShort + 2 * kLengthBytes < 2 * kLanes * kStride);

class Walker {
 public:
  Walker(Bytes bytes, ByteOrder order, std::uint64_t longest)
      : bytes_(bytes),
        swap_((order == ByteOrder::kLittle) != internal::kHostIsLittle),
        longest_(longest) {}

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
    lane.at += kLengthBytes + length;
    lane.length_bits |= length;
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
    return swap_ ? internal::SwapBytes(length) : length;
  }

  // NoteWide appends the places of wide lengths in a lane that has some.
  void NoteWide(const Lane& lane, std::uint64_t base, std::vector<std::uint64_t>& wide) const {
    if ((lane.length_bits & kWideLength) == 0) return;
    for (std::uint64_t at = lane.begin; at < lane.at;) {
      const std::uint64_t length = LengthAt(at);
      if ((length & kWideLength) != 0) wide.push_back(base + at);
      at += kLengthBytes + length;
    }
  }

 private:
  Bytes bytes_;
  bool swap_;
  std::uint64_t longest_;
};

using Lanes = std::array<Lane, kLanes>;

bool AllWalk(const Lanes& lanes) {
  return std::ranges::all_of(lanes, [](const Lane& lane) { return lane.Walking(); });
}

// WalkShort runs the lanes side by side over short records, until one is at its end or comes to a
// longer record. Places are kept in variables of this function: one that has to be stored and
// loaded again at each step costs more than the step.
void WalkShort(const Walker& walker_in, Lanes& lanes) {
  const Walker walker = walker_in;
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
void Walk(const Walker& walker, Lanes& lanes) {
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
bool StartLanes(const Walker& walker, std::uint64_t at, Lanes& lanes) {
  lanes = {};
  lanes.front().begin = at;
  for (std::size_t i = 1; i < kLanes; ++i) {
    const auto guess = walker.Guess(at + i * kStride);
    if (!guess) return false;
    lanes.at(i).begin = *guess;
  }
  for (std::size_t i = 0; i < kLanes; ++i) {
    Lane& lane = lanes.at(i);
    lane.at = lane.begin;
    lane.end = i + 1 < kLanes ? lanes.at(i + 1).begin : at + kLanes * kStride;
  }
  return true;
}

// Progress is what SkipRecords has passed over, and what it notes on the way.
struct Progress {
  RecordRun run;
  std::uint64_t most;
  std::uint64_t base;
  std::vector<std::uint64_t>& wide;

  // Take adds a lane that is known to begin where the run ends; false when it is one too many.
  bool Take(const Walker& walker, const Lane& lane) {
    if (lane.records > most - run.records) return false;
    walker.NoteWide(lane, base, wide);
    run.records += lane.records;
    run.bytes = lane.at;
    return true;
  }
};

// TakeLanes walks lanes from the end of the run and takes those that prove sound.
void TakeLanes(const Walker& walker, Progress& progress) {
  Lanes lanes;
  if (!StartLanes(walker, progress.run.bytes, lanes)) return;
  Walk(walker, lanes);
  for (const Lane& lane : lanes) {
    // The first lane begins at a record. Each other does if the one before ended right there.
    if (lane.begin != progress.run.bytes || lane.stuck || !progress.Take(walker, lane)) return;
  }
}

// TakeOneByOne walks on to `end`, or to the last record wanted; false when it is stuck before.
bool TakeOneByOne(const Walker& walker, std::uint64_t end, Progress& progress) {
  Lane lane{.begin = progress.run.bytes, .at = progress.run.bytes, .end = end};
  const std::uint64_t most = progress.most - progress.run.records;
  while (lane.Walking() && lane.records < most) walker.Step(lane);
  progress.Take(walker, lane);
  return !lane.stuck;
}

}  // namespace

RecordRun SkipRecords(Bytes bytes, ByteOrder order, std::uint64_t most, std::uint64_t longest,
                      std::uint64_t base, std::vector<std::uint64_t>& wide) {
  const Walker walker(bytes, order, longest);
  Progress progress{.run = {}, .most = most, .base = base, .wide = wide};
  while (progress.run.records < most) {
    const std::uint64_t before = progress.run.bytes;
    // Lanes begin and end within kLanes strides; the bytes go on for twice that.
    const bool room = bytes.size() - before > 2 * kLanes * kStride;
    if (room && longest >= kShort) TakeLanes(walker, progress);
    // Where lanes do not get on (a vocabulary of long texts, the last strings), one walk does.
    if (progress.run.bytes == before && !TakeOneByOne(walker, before + kStride, progress)) break;
  }
  return progress.run;
}

}  // namespace ggufgate
