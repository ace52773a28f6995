#include "parse/front/front_steps.h"

#include <algorithm>
#include <utility>

#include "parse/front/prefix_estimate.h"
#include "parse/parse.h"

namespace ggufgate {
namespace {

// For a remote source, the front grows by at least 1/24. This limits the unneeded bytes, and
// the work to at most 25 times that of the last parse.
constexpr std::uint64_t kLeastGrowth = 24;
// With small steps, the bytes that are read again are at most a sixteenth of the growth.
constexpr std::uint64_t kReadAgain = 16;
constexpr std::uint64_t kEnoughToGuess = std::uint64_t{512} << 10;

// MostOf returns the largest size of the next front. Numbers in the file do not affect it.
std::uint64_t MostOf(std::uint64_t held, const FrontGrowth& growth) {
  return held < growth.second ? growth.second : held * growth.factor;
}

// FirstRoom returns the initial capacity. Capacity for two fronts costs nothing until it is filled.
// Small files are an exception: their first front is likely the whole file. The allocator maps and
// unmaps blocks of 128 KiB or more, which costs more than copying the first front.
std::uint64_t FirstRoom(std::uint64_t file_size, const FrontGrowth& growth) {
  constexpr std::uint64_t kSmallFile = std::uint64_t{2} << 20;
  return std::min(file_size, file_size < kSmallFile ? growth.first : growth.second);
}

// SmallStep returns the size of the next front if the parser skips the strings that it has checked.
std::uint64_t SmallStep(std::uint64_t held, const ParseResult& parsed, const FrontGrowth& growth) {
  const std::uint64_t most = MostOf(held, growth);
  const std::uint64_t again = kReadAgain * parsed.bytes_again;  // of bytes that are held
  const std::uint64_t likely = std::min(parsed.bytes_likely, most);
  const std::uint64_t step = std::min(held + std::max(growth.step, again), likely + likely / 64);
  return std::min(most, std::max(held + std::max(growth.first, again), step));
}

// NextOf returns the size of the next front.
std::uint64_t NextOf(std::uint64_t held, const ParseResult& parsed, const FrontGrowth& growth) {
  if (growth.step != 0) return SmallStep(held, parsed, growth);
  if (!growth.far_away) return MostOf(held, growth);
  const std::uint64_t least = held + std::max(growth.first, held / kLeastGrowth);
  // The first few strings are a poor estimate of later ones.
  const std::uint64_t guess = held < kEnoughToGuess
                                  ? std::min(kEnoughToGuess, parsed.bytes_likely)
                                  : std::max(parsed.bytes_likely, EstimatePrefix(parsed.document));
  return std::min(MostOf(held, growth), std::max(least, guess));
}

}  // namespace

FrontSteps::FrontSteps(std::uint64_t file_size, const Limits& limits, const FrontGrowth& growth)
    : limits_(limits),
      growth_(growth),
      wanted_(std::min(file_size, growth.first)),
      room_(FirstRoom(file_size, growth)) {}

std::optional<Document> FrontSteps::Give(Bytes front, std::uint64_t file_size) {
  ParseResult parsed = Parse(front, file_size, limits_, known_);
  if (!parsed.NeedsMore()) return std::move(parsed.document);
  // Parse needs bytes after the front, within the file and the limit. So this always grows, and
  // reads no bytes that Parse would ignore.
  const std::uint64_t most = std::min(file_size, limits_.metadata_bytes);
  needed_ = parsed.bytes_needed;
  wanted_ = std::min(most, std::max(parsed.bytes_needed, NextOf(front.size(), parsed, growth_)));
  room_ = std::min(most, std::max(wanted_, MostOf(front.size(), growth_)));
  if (growth_.step == 0) return std::nullopt;
  known_ = {.runs = std::move(parsed.runs),
            .wide_lengths = std::move(parsed.document.wide_lengths),
            .some_lengths = std::move(parsed.document.some_lengths)};
  return std::nullopt;
}

}  // namespace ggufgate
