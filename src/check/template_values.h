#pragma once

// What is known of a value in a template without rendering it: the constants it may be.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/jinja_strings.h"

namespace ggufgate {

// Constant is one text or number that the template itself spells out or puts together.
struct Constant {
  std::string text;
  std::optional<std::int64_t> number = {};
  bool reported = false;  // told of already, where it was put together
  bool inexact = false;   // went through something that is not followed; the text is from before
  bool opaque = false;    // went through a cipher of the template's own making
};

// TemplateValue is what an expression may be. Nothing is ever taken away from it by the flow of the
// program: a branch not taken counts like one taken.
struct TemplateValue {
  enum class Kind : std::uint8_t { kUnknown, kScalar, kList };
  static constexpr std::size_t kMostAlternatives = 16;
  static constexpr std::size_t kMostElements = 256;

  Kind kind = Kind::kUnknown;
  std::vector<Constant> items;    // kScalar: one of these; kList: its elements in order, or keys
  std::vector<Constant> members;  // of a dictionary: its values
  std::string_view alias;         // name of a function or macro it may be
  std::uint64_t rounds = 0;       // of a loop over it, where a constant range() made it
  bool content = false;           // text that a conversation brings

  [[nodiscard]] bool IsScalar() const { return kind == Kind::kScalar; }
  [[nodiscard]] bool IsList() const { return kind == Kind::kList; }
};

// WorkBudget bounds the bytes of constants put together, so that reading a template stays linear in
// its size whatever it multiplies.
class WorkBudget {
 public:
  explicit WorkBudget(std::uint64_t bytes) : whole_(bytes), left_(bytes) {}
  // Spend is false once the budget is used up; the caller then forgets the constant.
  [[nodiscard]] bool Spend(std::uint64_t bytes);
  [[nodiscard]] bool Exhausted() const { return exhausted_; }
  [[nodiscard]] std::uint64_t Spent() const { return whole_ - left_; }

 private:
  std::uint64_t whole_;
  std::uint64_t left_;
  bool exhausted_ = false;
};

[[nodiscard]] TemplateValue TextValue(std::string text);
[[nodiscard]] TemplateValue NumberValue(std::int64_t number);

// NumberOf reads a number as Jinja writes it: 1_000, 0x10, 1e9. Larger ones than 63 bits hold
// become the largest.
[[nodiscard]] std::optional<std::int64_t> NumberOf(std::string_view text);

// CopyOf copies a value at the budget's cost.
[[nodiscard]] TemplateValue CopyOf(const TemplateValue& value, WorkBudget& budget);
// Absorb adds what `more` may be to `value`.
void Absorb(TemplateValue& value, const TemplateValue& more);
// AnyOf is one element or member of a value, whichever.
[[nodiscard]] TemplateValue AnyOf(const TemplateValue& value);
// LoopVariable is what a loop over a value sets its variable to: each element, and all of them in a
// row, since a loop may put them together.
[[nodiscard]] TemplateValue LoopVariable(const TemplateValue& value, WorkBudget& budget);

// Concatenate is a ~ b, with a hole for what is not known.
[[nodiscard]] TemplateValue Concatenate(const TemplateValue& a, const TemplateValue& b,
                                        WorkBudget& budget);
// Calculate is a + b, a - b, a * b and so on, as `symbol` says.
[[nodiscard]] TemplateValue Calculate(std::string_view symbol, const TemplateValue& a,
                                      const TemplateValue& b, WorkBudget& budget);
// MapText applies a function to each text a scalar may be, or to each element of a list.
[[nodiscard]] TemplateValue MapText(const TemplateValue& value, WorkBudget& budget,
                                    const std::function<std::string(const std::string&)>& change);

}  // namespace ggufgate
