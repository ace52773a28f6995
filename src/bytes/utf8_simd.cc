// Vectorised UTF-8 validation. Each pair of neighbouring bytes is looked up in three tables of 16
// entries. An entry has the errors that are possible for its nibble, and the pair has those that
// all three tables agree on. Second and third continuation bytes are the exception: the bytes two
// and three places before determine them. Source: Keiser and Lemire, Validating UTF-8 In Less Than
// One Instruction Per Byte (2021), section 6.

#include "bytes/utf8_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bytes/utf8_simd.cc"  // NOLINT

#include <algorithm>
#include <array>

#include "bytes/utf8.h"
#include "bytes/zeros.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "bytes/vector_targets.h"  // after highway.h

HWY_BEFORE_NAMESPACE();
// clang-format off
GGUFGATE_AUDITED_BEGIN  // loads begin three bytes before `at` or later, and end at `size` or before
                        // clang-format on
    namespace ggufgate::simd::HWY_NAMESPACE {
  namespace {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

  // Without vectors of bytes, the scalar code is as fast.
  bool IsUtf8From(const std::uint8_t* bytes, std::size_t at, std::size_t size) {
    return Utf8PrefixLength(Bytes(bytes, size).subspan(at)) == size - at;
  }

  void AddFactsFrom(const std::uint8_t* bytes, std::size_t at, std::size_t size, TextFacts& facts) {
    facts.is_utf8 = IsUtf8From(bytes, at, size);
    AddBytes(Bytes(bytes, size).subspan(at), facts);
  }

#else

  namespace hn = hwy::HWY_NAMESPACE;
  using D = hn::ScalableTag<std::uint8_t>;
  using Vector = hn::Vec<D>;

  // Errors of two neighbouring bytes.
  constexpr std::uint8_t kTooShort = 1 << 0;  // a first byte of several, without a continuation
  constexpr std::uint8_t kTooLong = 1 << 1;   // ASCII, then a continuation
  constexpr std::uint8_t kOverlong3 = 1 << 2;
  constexpr std::uint8_t kTooLarge = 1 << 3;
  constexpr std::uint8_t kSurrogate = 1 << 4;
  constexpr std::uint8_t kOverlong2 = 1 << 5;
  constexpr std::uint8_t kTooLarge1000 = 1 << 6;
  constexpr std::uint8_t kOverlong4 = 1 << 6;
  constexpr std::uint8_t kTwoContinuations = 1 << 7;
  constexpr std::uint8_t kAnyLow = kTooShort | kTooLong | kTwoContinuations;
  constexpr std::uint8_t kLarge = kAnyLow | kTooLarge | kTooLarge1000;

  using Table = std::array<std::uint8_t, 16>;
  alignas(16) constexpr Table kFirstHigh = {kTooLong,
                                            kTooLong,
                                            kTooLong,
                                            kTooLong,
                                            kTooLong,
                                            kTooLong,
                                            kTooLong,
                                            kTooLong,
                                            kTwoContinuations,
                                            kTwoContinuations,
                                            kTwoContinuations,
                                            kTwoContinuations,
                                            kTooShort | kOverlong2,
                                            kTooShort,
                                            kTooShort | kOverlong3 | kSurrogate,
                                            kTooShort | kTooLarge | kTooLarge1000 | kOverlong4};
  alignas(16) constexpr Table kFirstLow = {kAnyLow | kOverlong3 | kOverlong2 | kOverlong4,
                                           kAnyLow | kOverlong2,
                                           kAnyLow,
                                           kAnyLow,
                                           kAnyLow | kTooLarge,
                                           kLarge,
                                           kLarge,
                                           kLarge,
                                           kLarge,
                                           kLarge,
                                           kLarge,
                                           kLarge,
                                           kLarge,
                                           kLarge | kSurrogate,
                                           kLarge,
                                           kLarge};
  constexpr std::uint8_t kContinues = kTooLong | kOverlong2 | kTwoContinuations;
  alignas(16) constexpr Table kSecondHigh = {kTooShort,
                                             kTooShort,
                                             kTooShort,
                                             kTooShort,
                                             kTooShort,
                                             kTooShort,
                                             kTooShort,
                                             kTooShort,
                                             kContinues | kOverlong3 | kTooLarge1000 | kOverlong4,
                                             kContinues | kOverlong3 | kTooLarge,
                                             kContinues | kSurrogate | kTooLarge,
                                             kContinues | kSurrogate | kTooLarge,
                                             kTooShort,
                                             kTooShort,
                                             kTooShort,
                                             kTooShort};

  HWY_INLINE Vector Look(D d, const Table& table, Vector at) {
    return hn::TableLookupBytes(hn::LoadDup128(d, table.data()), at);
  }

  // Wrong returns a lane other than 0 for each byte that is invalid after the bytes before it.
  HWY_INLINE Vector Wrong(D d, const std::uint8_t* at) {
    const Vector now = hn::LoadU(d, at);
    const Vector before = hn::LoadU(d, at - 1);
    const Vector pair = hn::And(hn::And(Look(d, kFirstHigh, hn::ShiftRight<4>(before)),
                                        Look(d, kFirstLow, hn::And(before, hn::Set(d, 15)))),
                                Look(d, kSecondHigh, hn::ShiftRight<4>(now)));
    // The high bit is set at the places of second and third continuation bytes.
    const Vector third = hn::SaturatedSub(hn::LoadU(d, at - 2), hn::Set(d, 0xE0 - 0x80));
    const Vector fourth = hn::SaturatedSub(hn::LoadU(d, at - 3), hn::Set(d, 0xF0 - 0x80));
    return hn::Xor(pair, hn::And(hn::Or(third, fourth), hn::Set(d, 0x80)));
  }

  // IsAsciiFrom checks four vectors and the three bytes before them.
  HWY_INLINE bool IsAsciiFrom(D d, const std::uint8_t* at, std::size_t lanes) {
    const Vector a = hn::Or(hn::LoadU(d, at - 3), hn::LoadU(d, at));
    const Vector b = hn::Or(hn::LoadU(d, at + lanes), hn::LoadU(d, at + 2 * lanes));
    const Vector any = hn::Or(hn::Or(a, b), hn::LoadU(d, at + 3 * lanes));
    return hn::AllFalse(d, hn::TestBit(any, hn::Set(d, 0x80)));
  }

  // IsCutShort returns whether the end cuts a character.
  HWY_INLINE bool IsCutShort(const std::uint8_t* bytes, std::size_t size) {
    return bytes[size - 1] >= 0xC0 || bytes[size - 2] >= 0xE0 || bytes[size - 3] >= 0xF0;
  }

  // IsUtf8From: a complete character must end at `at`, which must be at least 3.
  bool IsUtf8From(const std::uint8_t* bytes, std::size_t at, std::size_t size) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    if (size - at < lanes) return Utf8PrefixLength(Bytes(bytes, size).subspan(at)) == size - at;
    if (IsCutShort(bytes, size)) return false;
    Vector wrong = hn::Zero(d);
    while (size - at >= 4 * lanes) {
      if (!IsAsciiFrom(d, bytes + at, lanes)) {
        for (std::size_t i = 0; i < 4; ++i) {
          wrong = hn::Or(wrong, Wrong(d, bytes + at + i * lanes));
        }
      }
      at += 4 * lanes;
    }
    for (; size - at >= lanes; at += lanes) wrong = hn::Or(wrong, Wrong(d, bytes + at));
    // Check the rest, and some bytes again.
    wrong = hn::Or(wrong, Wrong(d, bytes + size - lanes));
    return hn::AllTrue(d, hn::Eq(wrong, hn::Zero(d)));
  }

  // Finder checks four vectors at a time.
  class Finder {
   public:
    explicit Finder(D d) : zeros_(hn::Zero(d)), ef_(hn::Zero(d)), wrong_(hn::Zero(d)) {}

    // kAscii: all four are ASCII.
    template <bool kAscii>
    HWY_INLINE void Look(D d, const std::uint8_t* at, std::size_t lanes) {
      for (std::size_t i = 0; i < 4; ++i) {
        const Vector now = hn::LoadU(d, at + i * lanes);
        // A mask is -1 in the lane of each zero byte.
        zeros_ = hn::Sub(zeros_, hn::VecFromMask(d, hn::Eq(now, hn::Zero(d))));
        if constexpr (kAscii) continue;
        ef_ = hn::Or(ef_, hn::VecFromMask(d, hn::Eq(now, hn::Set(d, 0xEF))));
        wrong_ = hn::Or(wrong_, Wrong(d, at + i * lanes));
      }
      if (++steps_ == kMostSteps) Empty(d);
    }

    HWY_INLINE void LookAtLast(D d, const std::uint8_t* at) {
      wrong_ = hn::Or(wrong_, Wrong(d, at));
    }

    void AddTo(D d, TextFacts& facts) {
      Empty(d);
      facts.is_utf8 = hn::AllTrue(d, hn::Eq(wrong_, hn::Zero(d)));
      facts.has_ef |= !hn::AllTrue(d, hn::Eq(ef_, hn::Zero(d)));
      facts.zeros += total_;
    }

   private:
    static constexpr unsigned kMostSteps = 63;  // of four each: a lane counts up to 255

    void Empty(D d) {
      const hn::Repartition<std::uint64_t, D> d64;
      total_ += hn::GetLane(hn::SumOfLanes(d64, hn::SumsOf8(zeros_)));
      zeros_ = hn::Zero(d);
      steps_ = 0;
    }

    Vector zeros_;  // counts, by lane
    Vector ef_;
    Vector wrong_;
    unsigned steps_ = 0;
    std::uint64_t total_ = 0;
  };

  // AddFactsFrom: a complete character must end at `at`, which must be at least 3.
  void AddFactsFrom(const std::uint8_t* bytes, std::size_t at, std::size_t size, TextFacts& facts) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t begin = at;
    Finder finder(d);
    while (size - at >= 4 * lanes) {
      if (IsAsciiFrom(d, bytes + at, lanes)) {
        finder.Look<true>(d, bytes + at, lanes);
      } else {
        finder.Look<false>(d, bytes + at, lanes);
      }
      at += 4 * lanes;
    }
    AddBytes(Bytes(bytes, size).subspan(at), facts);
    if (at == begin) {
      facts.is_utf8 = IsUtf8From(bytes, at, size);
      return;
    }
    for (; size - at >= lanes; at += lanes) finder.LookAtLast(d, bytes + at);
    finder.LookAtLast(d, bytes + size - lanes);  // the rest, and some bytes again
    finder.AddTo(d, facts);
    facts.is_utf8 = facts.is_utf8 && !IsCutShort(bytes, size);
  }

#endif

  }  // namespace
}  // namespace ggufgate::simd::HWY_NAMESPACE
GGUFGATE_AUDITED_END
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GGUFGATE_AUDITED_BEGIN  // the table of kernels
    namespace ggufgate::simd {
  namespace {

  GGUFGATE_KERNEL_TABLE(IsUtf8From);
  GGUFGATE_KERNEL_TABLE(AddFactsFrom);

  // FirstCharacters is the end of the first characters, which scalar code checks, because kernels
  // look back three bytes. `at` is less if the text is shorter, or invalid before.
  struct FirstCharacters {
    std::size_t at = 0;
    bool good = true;
  };
  constexpr std::size_t kLookedBack = 3;

  FirstCharacters TakeFirst(Bytes bytes) {
    constexpr std::size_t kLongest = 4;
    FirstCharacters first;
    while (first.at < std::min(kLookedBack, bytes.size())) {
      const Bytes rest = bytes.subspan(first.at);
      const std::size_t whole = Utf8PrefixLength(rest.first(std::min(kLongest, rest.size())));
      if (whole == 0) return {.at = first.at, .good = false};
      first.at += whole;
    }
    return first;
  }

  }  // namespace

  bool IsUtf8(Bytes bytes) {
    const FirstCharacters first = TakeFirst(bytes);
    if (!first.good || first.at < kLookedBack) return first.good;
    return GGUFGATE_KERNEL(IsUtf8From)(bytes.data(), first.at, bytes.size());
  }

  void AddBytes(Bytes bytes, TextFacts & facts) {
    facts.zeros += CountZeros(bytes);
    facts.has_ef = facts.has_ef || std::ranges::find(bytes, std::uint8_t{0xEF}) != bytes.end();
  }

  TextFacts FactsOf(Bytes bytes) {
    TextFacts facts;
    const FirstCharacters first = TakeFirst(bytes);
    if (!first.good || first.at < kLookedBack) {
      AddBytes(bytes, facts);
      facts.is_utf8 = first.good;
      return facts;
    }
    AddBytes(bytes.first(first.at), facts);
    GGUFGATE_KERNEL(AddFactsFrom)(bytes.data(), first.at, bytes.size(), facts);
    return facts;
  }

}  // namespace ggufgate::simd
GGUFGATE_AUDITED_END
#endif
