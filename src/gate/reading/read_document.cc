#include "gate/reading/read_document.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "gate/reading/prefix_estimate.h"
#include "parse/parse.h"

namespace ggufgate {
namespace {

// A shard or a model without a vocabulary ends its metadata here, nearly every other in the second
// read; from then on the prefix grows by kGrowth.
constexpr std::uint64_t kFirstRead = std::uint64_t{64} << 10;
constexpr std::uint64_t kSecondRead = std::uint64_t{8} << 20;
constexpr std::uint64_t kGrowth = 16;
// Of a source that is far away the prefix grows by at least a twelfth: so much may be read that is
// not needed, and the work is at most thirteen times that of the last parse.
constexpr std::uint64_t kLeastGrowth = 12;
constexpr std::uint64_t kEnoughToGuess = std::uint64_t{512} << 10;

// MostOf is how long the next prefix may be, whatever the file claims.
std::uint64_t MostOf(std::uint64_t held) {
  return held < kSecondRead ? kSecondRead : held * kGrowth;
}

// FirstRoom is how much room there is at first. Room for both reads costs nothing until it is
// filled; but of a small file the first read is likely all, and room of 128 KiB or more would be
// mapped, and unmapped again, which costs more than to copy the first read.
std::uint64_t FirstRoom(std::uint64_t file_size) {
  constexpr std::uint64_t kSmallFile = std::uint64_t{2} << 20;
  return std::min(file_size, file_size < kSmallFile ? kFirstRead : kSecondRead);
}

// NextOf is how long the next prefix is to be.
std::uint64_t NextOf(const ByteSource& source, std::uint64_t held, const ParseResult& parsed) {
  if (!source.far_away()) return MostOf(held);
  const std::uint64_t least = held + std::max(kFirstRead, held / kLeastGrowth);
  // Little tells little: what the first strings are like, later ones are not.
  const std::uint64_t guess = held < kEnoughToGuess
                                  ? std::min(kEnoughToGuess, parsed.bytes_likely)
                                  : std::max(parsed.bytes_likely, EstimatePrefix(parsed.document));
  return std::min(MostOf(held), std::max(least, guess));
}

}  // namespace

absl::Status StatusOf(const ReadOutcome& outcome) {
  switch (outcome.kind) {
    case ReadOutcome::Kind::kComplete:
      return absl::OkStatus();
    case ReadOutcome::Kind::kShrunk:
      return absl::AbortedError("the file became shorter while it was read");
    case ReadOutcome::Kind::kFailed:
      return absl::ErrnoToStatus(outcome.error_number, "cannot read");
  }
  return absl::InternalError("unknown result of a read");
}

absl::StatusOr<ReadDocument> ReadDocument::Read(const ByteSource& source, const Limits& limits) {
  ReadDocument result;
  PrefixMemory& memory = result.prefix_;
  memory = PrefixMemory(FirstRoom(source.size()));
  std::uint64_t held = 0;
  std::uint64_t wanted = std::min(source.size(), kFirstRead);
  std::uint64_t room = memory.size();
  memory.FillSoon(wanted);
  while (true) {
    if (wanted > memory.size()) {
      PrefixMemory larger(room);
      std::ranges::copy(memory.bytes().first(held), larger.bytes().begin());
      memory = std::move(larger);
    }
    const MutableBytes bytes = memory.bytes().first(wanted);
    const ReadOutcome outcome = source.ReadAt(held, bytes.subspan(held));
    if (!outcome.complete()) return StatusOf(outcome);
    held = wanted;

    ParseResult parsed = Parse(bytes, source.size(), limits);
    if (!parsed.NeedsMore()) {
      result.document_ = std::move(parsed.document);
      return result;
    }
    // Parse asks for bytes past the prefix, inside the file and the limit: so this always grows,
    // and what Parse would not look at is not read.
    const std::uint64_t most = std::min(source.size(), limits.metadata_bytes);
    wanted = std::min(most, std::max(parsed.bytes_needed, NextOf(source, held, parsed)));
    room = std::min(most, std::max(wanted, MostOf(held)));
  }
}

}  // namespace ggufgate
