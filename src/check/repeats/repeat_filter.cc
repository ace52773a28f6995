#include "check/repeats/repeat_filter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

namespace ggufgate {
namespace {

constexpr std::size_t kLengthBytes = 8;

// kFourBits are random words with four bits set: a table look-up is cheaper than computing them.
constexpr auto kFourBits = [] {
  std::array<std::uint64_t, 256> words{};
  std::uint64_t dice = 0x9E37'79B9'7F4A'7C15;  // xorshift64 (Marsaglia, 2003)
  for (std::uint64_t& word : words) {
    while (std::popcount(word) < 4) {
      dice ^= dice << 13;
      dice ^= dice >> 7;
      dice ^= dice << 17;
      word |= std::uint64_t{1} << (dice >> 58);
    }
  }
  return words;
}();

// FourBits selects bits of a word by the low 14 bits of a hash.
constexpr std::uint64_t FourBits(std::uint64_t hash) {
  return std::rotl(kFourBits[hash & 0xFF], static_cast<int>(hash >> 8 & 0x3F));
}

// HalfOf returns the half of a hash that is kept. It has other bits than those that FourBits uses.
constexpr std::uint32_t HalfOf(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 14);
}

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
RepeatFilter::RepeatFilter(std::uint64_t records)
    : most_suspects_(records / kGenerosity + kGenerosity),
      shift_(std::countl_zero(std::bit_ceil(records / 4 + 2)) + 1),
      words_(std::bit_ceil(records / 4 + 2)),
      halves_(std::make_unique_for_overwrite<std::uint32_t[]>(records)),
      records_(records) {}

std::span<std::uint32_t> RepeatFilter::Halves() const {
  GGUFGATE_AUDITED_BEGIN  // allocated with this size
      return {halves_.get(), records_};
  GGUFGATE_AUDITED_END
}

void RepeatFilter::Add(std::span<const std::uint64_t> hashes) {
  const std::span<std::uint64_t> words = words_;
  const int shift = shift_;
  auto half = Halves().subspan(count_, hashes.size()).begin();
  for (const std::uint64_t hash : hashes) {
    *half++ = HalfOf(hash);
    std::uint64_t& word = words[hash >> shift];
    const std::uint64_t bits = FourBits(hash);
    if ((~word & bits) == 0) [[unlikely]] {
      Suspect(HalfOf(hash));
    }
    word |= bits;
  }
  count_ += hashes.size();
}

void RepeatFilter::Suspect(std::uint32_t half) {
  if (gave_up_) return;
  gave_up_ = suspects_.size() == most_suspects_;
  if (!gave_up_) suspects_.push_back(half);
}

namespace {

// Among tests whether a half belongs to a suspect. A mark excludes most halves, several at a time.
class Among {
 public:
  static constexpr std::size_t kTogether = 8;

  explicit Among(std::vector<std::uint32_t> halves) : halves_(std::move(halves)) {
    std::ranges::sort(halves_);
    for (const std::uint32_t half : halves_) marks_[half % kMarks] = 1;
  }

  // MayHaveAny returns false if none of the halves belongs to a suspect.
  [[nodiscard]] bool MayHaveAny(std::span<const std::uint32_t, kTogether> halves) const {
    unsigned marked = 0;
    for (const std::uint32_t half : halves) marked |= marks_[half % kMarks];
    return marked != 0;
  }

  [[nodiscard]] bool Has(std::uint32_t half) const {
    return marks_[half % kMarks] != 0 && std::ranges::binary_search(halves_, half);
  }

 private:
  static constexpr std::size_t kMarks = std::size_t{1} << 14;  // fits into the first-level cache

  std::vector<std::uint32_t> halves_;
  std::array<std::uint8_t, kMarks> marks_{};
};

struct Candidate {
  std::uint32_t half;
  std::uint64_t record;
};

// KeepThoseInCommon keeps the candidates whose half another candidate shares.
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

std::vector<std::uint64_t> RepeatFilter::MayBeSame() const {
  if (suspects_.empty()) return {};
  const Among suspects(suspects_);
  const std::span<const std::uint32_t> halves = Halves().first(count_);
  std::vector<Candidate> candidates;
  for (std::size_t at = 0; at < halves.size();) {
    const std::size_t left = halves.size() - at;
    if (left >= Among::kTogether &&
        !suspects.MayHaveAny(halves.subspan(at).first<Among::kTogether>())) {
      at += Among::kTogether;
      continue;
    }
    for (const std::uint32_t half : halves.subspan(at).first(std::min(left, Among::kTogether))) {
      if (suspects.Has(half)) candidates.push_back({.half = half, .record = at});
      ++at;
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

// NumberedText is a string of the array and its index.
struct NumberedText {
  std::uint64_t index;
  std::string_view text;
};

}  // namespace

std::vector<Repeat> FindRepeatedStrings(Bytes elements, ByteOrder order, std::uint64_t count,
                                        const RepeatFilter& filter) {
  const bool all = filter.gave_up();
  const std::vector<std::uint64_t> wanted = all ? std::vector<std::uint64_t>() : filter.MayBeSame();
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
