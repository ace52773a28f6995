#pragma once

// Tools to write programs: choices, a pen that respects its room, and the names in scope.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "bytes/bytes.h"

namespace ggufgate::mutate::program {

// Choices turns bytes into decisions. After the last byte all decisions are 0, which is always the
// simplest one.
class Choices {
 public:
  explicit Choices(Bytes bytes) : bytes_(bytes) {}

  // Below returns a number less than `bound`, which is from 1 to 256.
  std::size_t Below(std::size_t bound) {
    if (at_ == bytes_.size()) return 0;
    return bytes_[at_++] % bound;
  }
  bool OneIn(std::size_t n) { return Below(n) == n - 1; }

  template <std::size_t kCount>
  std::string_view Pick(const std::array<std::string_view, kCount>& words) {
    static_assert(kCount <= 256);
    return words[Below(kCount)];
  }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
};

// Pen reserves room for the ends of open blocks.
class Pen {
 public:
  explicit Pen(MutableBytes room) : room_(room) {}

  Pen& Put(std::string_view text) {
    if (text.size() > room_.size() - at_) {
      failed_ = true;
      return *this;
    }
    std::ranges::copy(AsBytes(text), room_.subspan(at_).begin());
    at_ += text.size();
    return *this;
  }
  Pen& Put(std::size_t number) {
    std::array<std::uint8_t, 20> digits{};
    std::size_t begin = digits.size();
    do {
      digits.at(--begin) = static_cast<std::uint8_t>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    return Put(AsText(Bytes(digits).subspan(begin)));
  }

  void Keep(std::size_t bytes) { kept_ += bytes; }
  void Release(std::size_t bytes) { kept_ -= bytes; }
  [[nodiscard]] std::size_t Left() const {
    const std::size_t left = room_.size() - at_;
    return left > kept_ ? left - kept_ : 0;
  }

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::string_view text() const { return AsText(room_.first(at_)); }

 private:
  MutableBytes room_;
  std::size_t at_ = 0;
  std::size_t kept_ = 0;
  bool failed_ = false;
};

enum class Kind : std::uint8_t {
  kText,
  kNumber,
  kTexts,      // a list of texts
  kMessage,    // a message of the conversation
  kMessages,   // some messages
  kNamespace,  // with a number n and a text t
  kMacro,      // takes two texts
  kWrapper,    // a macro that writes the contents of a call block
};

// Name is a variable or macro. Names in a program are unique.
struct Name {
  Kind kind = Kind::kText;
  std::size_t number = 0;
  std::size_t size = 0;  // text: its greatest length; macro: the steps of its body
};

// Scope has the names that can be used. At the start of a block, the caller saves their number, and
// at its end restores it.
class Scope {
 public:
  static constexpr std::size_t kMost = 24;

  [[nodiscard]] std::size_t count() const { return count_; }
  void GoBackTo(std::size_t count) { count_ = count; }

  [[nodiscard]] std::size_t Fresh() { return ++last_; }
  void Add(const Name& name) {
    if (count_ < kMost) names_.at(count_++) = name;
  }
  // Any returns a name of a kind with a size of at most `longest`, or nullptr.
  [[nodiscard]] const Name* Any(Choices& choices, Kind kind, std::size_t longest = SIZE_MAX) const {
    std::array<const Name*, kMost> fitting{};
    std::size_t found = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const Name& name = names_.at(i);
      if (name.kind == kind && name.size <= longest) fitting.at(found++) = &name;
    }
    return found == 0 ? nullptr : fitting.at(choices.Below(found));
  }

 private:
  std::array<Name, kMost> names_{};
  std::size_t count_ = 0;
  std::size_t last_ = 0;
};

}  // namespace ggufgate::mutate::program
