#include "check/repeat_sieve.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

namespace ggufgate {
namespace {

constexpr std::size_t kLengthBytes = 8;

// Odd numbers without a pattern: the golden ratio and two of the primes of xxHash (Collet).
constexpr std::uint64_t kFirst = 0x9E37'79B9'7F4A'7C15;
constexpr std::uint64_t kSecond = 0xC2B2'AE3D'27D4'EB4F;
constexpr std::uint64_t kThird = 0x1656'67B1'9E37'79F9;

// WordAt reads eight bytes in the order of this machine: a hash is not stored anywhere.
std::uint64_t WordAt(Bytes bytes, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.subspan(at, sizeof(word)).data(), sizeof(word));
  return word;
}

std::uint64_t Mix(std::uint64_t front, std::uint64_t back) {
  std::uint64_t hash = (front * kFirst) ^ std::rotl(back * kSecond, 32);
  hash ^= hash >> 29;
  hash *= kThird;
  return hash ^ (hash >> 32);
}

}  // namespace

// A short string is hashed by two words that are always there and cover it: the last eight bytes,
// which begin in the length where the string is shorter, and the first eight, or the length itself.
// So there is no branch on the length but that for long strings, and lengths are hard to predict.
std::uint64_t HashOfRecord(Bytes record) {
  const std::size_t length = record.size() - kLengthBytes;
  const std::size_t front = length >= kLengthBytes ? kLengthBytes : 0;
  std::uint64_t hash = Mix(WordAt(record, front), WordAt(record, record.size() - kLengthBytes));
  if (length > 2 * kLengthBytes) [[unlikely]] {
    for (std::size_t at = 2 * kLengthBytes; at < record.size() - kLengthBytes; at += kLengthBytes) {
      hash = Mix(hash, WordAt(record, at));
    }
    hash = Mix(hash, length);
  }
  return hash;
}

RepeatSieve::RepeatSieve(std::uint64_t records)
    : most_looks_(kLooks * records + kLooks),
      mask_(std::bit_ceil(records + records / 2 + 1) - 1),
      slots_(mask_ + 1) {}

void RepeatSieve::Flush() {
  // The slots lie all over the table: they are fetched side by side, before they are looked at.
  for (std::size_t i = 0; i < waiting_count_; ++i) {
    __builtin_prefetch(&slots_[waiting_[i] & mask_], 1);
  }
  for (std::size_t i = 0; i < waiting_count_ && !gave_up(); ++i) LookUp(waiting_[i]);
  waiting_count_ = 0;
}

void RepeatSieve::LookUp(std::uint64_t hash) {
  const std::uint32_t mark = static_cast<std::uint32_t>(hash >> 32) | 1;
  for (std::uint64_t slot = hash & mask_; !gave_up(); slot = (slot + 1) & mask_) {
    ++looks_;
    std::uint32_t& held = slots_[slot];
    if (held == 0) {
      held = mark;
      return;
    }
    if (held == mark) {
      suspects_.push_back(hash);
      return;
    }
  }
}

namespace {

// Suspect is a string that may be a repeat.
struct Suspect {
  std::uint64_t index;
  std::string_view text;
};

// Among tells whether a hash is one of the suspects, which are sorted.
class Among {
 public:
  explicit Among(std::vector<std::uint64_t> hashes) : hashes_(std::move(hashes)) {
    std::ranges::sort(hashes_);
    const auto rest = std::ranges::unique(hashes_);
    hashes_.erase(rest.begin(), rest.end());
  }
  [[nodiscard]] bool Has(std::uint64_t hash) const {
    return std::ranges::binary_search(hashes_, hash);
  }

 private:
  std::vector<std::uint64_t> hashes_;
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
