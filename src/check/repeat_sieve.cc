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
      shift_(std::countl_zero(std::bit_ceil(records / 4 + 2)) + 1),
      words_(std::bit_ceil(records / 4 + 2)),
      halves_(records) {}

void RepeatSieve::Suspect(std::uint32_t half) {
  if (gave_up_) return;
  gave_up_ = suspects_.size() == most_suspects_;
  if (!gave_up_) suspects_.push_back(half);
}

namespace {

// Among tells whether a half is one of the suspects: most are not by a single bit.
class Among {
 public:
  explicit Among(std::vector<std::uint32_t> halves) : halves_(std::move(halves)) {
    std::ranges::sort(halves_);
    for (const std::uint32_t half : halves_) bits_.set(half % bits_.size());
  }
  [[nodiscard]] bool Has(std::uint32_t half) const {
    return bits_[half % bits_.size()] && std::ranges::binary_search(halves_, half);
  }

 private:
  std::vector<std::uint32_t> halves_;
  std::bitset<std::size_t{1} << 16> bits_;
};

struct Candidate {
  std::uint32_t half;
  std::uint64_t record;
};

// KeepThoseInCommon leaves the candidates whose half another one has too.
void KeepThoseInCommon(std::vector<Candidate>& candidates) {
  std::ranges::sort(candidates, {}, &Candidate::half);
  auto kept = candidates.begin();
  for (auto begin = candidates.begin(); begin != candidates.end();) {
    const auto end = std::find_if(begin, candidates.end(), [half = begin->half](const auto& other) {
      return other.half != half;
    });
    if (end - begin > 1) kept = std::copy(begin, end, kept);
    begin = end;
  }
  candidates.erase(kept, candidates.end());
}

}  // namespace

std::vector<std::uint64_t> RepeatSieve::MayBeSame() const {
  if (suspects_.empty()) return {};
  const Among suspects(suspects_);
  std::vector<Candidate> candidates;
  for (std::size_t record = 0; record < count_; ++record) {
    const std::uint32_t half = halves_[record];
    if (suspects.Has(half)) [[unlikely]] {
      candidates.push_back({.half = half, .record = record});
    }
  }
  KeepThoseInCommon(candidates);
  std::vector<std::uint64_t> records;
  records.reserve(candidates.size());
  for (const Candidate& candidate : candidates) records.push_back(candidate.record);
  std::ranges::sort(records);
  return records;
}

namespace {

// NumberedText is a string of the array, and which one.
struct NumberedText {
  std::uint64_t index;
  std::string_view text;
};

}  // namespace

std::vector<Repeat> FindRepeatedStrings(Bytes elements, ByteOrder order, std::uint64_t count,
                                        const RepeatSieve& sieve) {
  const bool all = sieve.gave_up();
  const std::vector<std::uint64_t> wanted =
      all ? std::vector<std::uint64_t>() : sieve.MayBeSame();
  auto next = wanted.begin();
  std::vector<NumberedText> found;
  for (std::uint64_t i = 0; i < count && (all || next != wanted.end()); ++i) {
    const auto length = Load<std::uint64_t>(elements, order);
    const Bytes text = elements.subspan(kLengthBytes, length);
    elements = elements.subspan(kLengthBytes + length);
    if (!all && i != *next) continue;
    if (!all) ++next;
    if (length > 0) found.push_back({.index = i, .text = AsText(text)});
  }
  std::vector<Repeat> repeats =
      FindRepeats(found, [](const NumberedText& numbered) { return numbered.text; });
  for (Repeat& repeat : repeats) {
    repeat = {.index = found.at(repeat.index).index, .first = found.at(repeat.first).index};
  }
  return repeats;
}

}  // namespace ggufgate
