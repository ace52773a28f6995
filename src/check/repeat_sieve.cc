#include "check/repeat_sieve.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <string_view>

namespace ggufgate {
namespace {

constexpr std::size_t kLengthBytes = 8;

}  // namespace

std::uint64_t internal::HashLong(Bytes record) {
  const std::size_t last = record.size() - kLengthBytes;
  std::uint64_t hash = record.size();
  for (std::size_t at = kLengthBytes; at < last; at += sizeof(hash)) {
    hash = Mix(hash, WordAt(record, at));
  }
  return Mix(hash, WordAt(record, last));
}

// At least two words, so that the shift is less than 64.
RepeatSieve::RepeatSieve(std::uint64_t records)
    : most_suspects_(records / kGenerosity + kGenerosity),
      shift_(std::countl_zero(std::bit_ceil(records / 2 + 2)) + 1),
      words_(std::bit_ceil(records / 2 + 2)) {}

void RepeatSieve::Suspect(std::uint64_t hash) {
  if (gave_up_) return;
  gave_up_ = suspects_.size() == most_suspects_;
  if (!gave_up_) suspects_.push_back(hash);
}

namespace {

// Suspect is a string that may be a repeat.
struct Suspect {
  std::uint64_t index;
  std::string_view text;
};

// Among tells whether a hash is one of the suspects: most are not by a single bit.
class Among {
 public:
  explicit Among(std::vector<std::uint64_t> hashes) : hashes_(std::move(hashes)) {
    std::ranges::sort(hashes_);
    hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
    for (const std::uint64_t hash : hashes_) bits_.set(hash % bits_.size());
  }
  [[nodiscard]] bool Has(std::uint64_t hash) const {
    return bits_[hash % bits_.size()] && std::ranges::binary_search(hashes_, hash);
  }

 private:
  std::vector<std::uint64_t> hashes_;
  std::bitset<4096> bits_;
};

}  // namespace

std::vector<Repeat> FindRepeatedStrings(Bytes elements, ByteOrder order, std::uint64_t count,
                                        const RepeatSieve& sieve) {
  if (!sieve.gave_up() && sieve.suspects().empty()) return {};
  const Among suspects(sieve.suspects());
  std::vector<Suspect> found;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto length = Load<std::uint64_t>(elements, order);
    const Bytes record = elements.first(kLengthBytes + length);
    elements = elements.subspan(record.size());
    if (length == 0) continue;
    if (!sieve.gave_up() && !suspects.Has(HashOfRecord(record))) continue;
    found.push_back({.index = i, .text = AsText(record.subspan(kLengthBytes))});
  }
  std::vector<Repeat> repeats =
      FindRepeats(found, [](const Suspect& suspect) { return suspect.text; });
  for (Repeat& repeat : repeats) {
    repeat = {.index = found.at(repeat.index).index, .first = found.at(repeat.first).index};
  }
  return repeats;
}

}  // namespace ggufgate
