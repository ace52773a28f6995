#pragma once

// What is known of a value in a template without rendering it: the constants it may be, and whether
// it may be text that the template put together and that is not known.

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/syntax/strings.h"
#include "jinja/values/given.h"
#include "jinja/values/sizes.h"

namespace ggufgate {

// Constant is one text or number that the template itself spells out or puts together. Its text
// stands in the template or in a TextStore and is never copied.
struct Constant {
  std::string_view text;  // of a number: as it was written, or nothing
  std::optional<std::int64_t> number = {};
  bool reported = false;  // told of already, where it was put together
};

// TemplateValue is what an expression may be, now or at any other time. Nothing is ever taken away
// from it by the flow of the program: a branch not taken counts like one taken.
//
// What it may be is told apart by what it may do as a name. `items` are known. `data` comes from
// the conversation and is nobody's choice. `number` names nothing. `computed` is the rest: text
// that the template makes and that is not known, so that it may be any name.
struct TemplateValue : TemplateSizes {
  static constexpr std::size_t kMostAlternatives = 16;
  static constexpr std::uint8_t kDeepest = 4;  // containers that are counted
  static constexpr std::size_t kMostParts = 32;
  // Whose text it may be, of those that speak in a conversation.
  enum class Content : std::uint8_t { kNone, kOther, kUser };

  std::uint8_t shallowest = 0;  // containers around each of `items`: at least, at most
  std::uint8_t deepest = 0;
  bool data = false;
  bool number = false;     // a number or truth that is not known
  bool more = false;       // further constants, each a harmless name
  bool made = false;       // is, or was taken out of, an object that the template made
  bool container = false;  // a list or dictionary for certain
  bool outside = false;    // is, or is made of, data of the conversation
  // May be or hold a namespace, or a macro, the caller or the loop: one more than the most
  // containers around it, 0 for none.
  std::uint8_t namespaces = 0;
  std::uint8_t callables = 0;
  bool alias_is_field = false;
  bool repeated = false;  // a text that was repeated is part of it
  bool written = false;   // is what a macro writes
  bool caller = false;    // it may be the caller of a macro, not called
  Content content = Content::kNone;
  GivenPart given = {};            // Given() completes it
  std::vector<Constant> items;     // the texts and numbers it may be or, as a container, hold
  std::string_view computed = {};  // what made text that is not known; empty where nothing did
  std::string_view alias = {};     // name of the variable, function or macro it may be
  // How often it holds what a name holds, by name.
  static constexpr std::uint8_t kAnyDepth = UINT8_MAX;
  struct Part {
    std::size_t name;
    std::uint32_t times;
    bool whole = true;        // it may be, or hold, the very object; otherwise what was made of it
    std::uint8_t inside = 0;  // in so many containers within each other, or kAnyDepth
    std::uint8_t grows = 0;   // replacements that made it longer
    bool carried = true;      // the name may have been set in an earlier round
    bool traced = false;      // another name was made of it, and was read here
    bool local = false;       // a field of a namespace that the macro made
    bool element = false;     // made of one element alone
  };
  std::vector<Part> parts = {};
  std::uint64_t rounds = 0;  // of a loop over it, where a constant range() made it

  // MayBeAnyNumber is true of a value of which neither the number nor a limit of it is known.
  [[nodiscard]] bool MayBeAnyNumber() const {
    return most == 0 && supposed == 0 && (data || number) && !IsExact();
  }
  // Given is the relation to an argument, with all other values that it may have.
  [[nodiscard]] GivenPart Given() const;
  [[nodiscard]] bool IsNothing() const;  // not set yet: nothing is known of it
  // IsExact is true where the value is one of `items` for certain.
  [[nodiscard]] bool IsExact() const;
  [[nodiscard]] bool IsNumber() const;   // a number for certain, known or not
  [[nodiscard]] bool HoldsText() const;  // spelled out or put together by the template
  // Number is the only number it may be.
  [[nodiscard]] std::optional<std::int64_t> Number() const;
  [[nodiscard]] std::optional<std::int64_t> Whole() const;  // as Number(), but no fraction
};

// WorkBudget bounds the steps of reading and the bytes of texts made, so that reading a template
// stays linear in its size whatever it multiplies.
class WorkBudget {
 public:
  explicit WorkBudget(std::uint64_t whole) : whole_(whole), left_(whole) {}
  // Spend is false once the budget is used up; what was asked for then counts as not known.
  [[nodiscard]] bool Spend(std::uint64_t cost);
  [[nodiscard]] std::uint64_t Spent() const { return whole_ - left_; }

 private:
  std::uint64_t whole_;
  std::uint64_t left_;
};

// TextStore keeps the texts that a template puts together.
class TextStore {
 public:
  // No name of Python's or Jinja's is nearly as long.
  static constexpr std::size_t kLongest = 256;
  static constexpr std::uint64_t kRoomAtLeast = std::uint64_t{1} << 18;

  TextStore(std::uint64_t budget, std::uint64_t template_bytes)
      : budget_(budget), room_(template_bytes + kRoomAtLeast) {}
  // Keep is nullopt for a text that is too long or has a hole, and once the budget is used up.
  [[nodiscard]] std::optional<std::string_view> Keep(std::string&& text);
  // Literal keeps what a literal at a place of the template says, once however often it is read.
  [[nodiscard]] std::optional<std::string_view> Literal(std::size_t at, std::string_view literal);
  // Row keeps what literals side by side say, of which the first is at this place.
  [[nodiscard]] std::optional<std::string_view> Row(std::size_t at, std::string&& row);
  [[nodiscard]] WorkBudget& budget() { return budget_; }
  [[nodiscard]] const WorkBudget& budget() const { return budget_; }

 private:
  struct Decoded {
    std::size_t at;
    std::string_view text;
  };
  std::deque<std::string> texts_;
  std::vector<Decoded> literals_;  // by place
  WorkBudget budget_;
  WorkBudget room_;  // bytes of memory
};

[[nodiscard]] TemplateValue TextValue(std::string_view text);
[[nodiscard]] TemplateValue NumberValue(std::int64_t number, std::string_view text = {});
[[nodiscard]] TemplateValue UnknownNumber();
[[nodiscard]] TemplateValue DataValue();
[[nodiscard]] TemplateValue ComputedValue(std::string_view by);

// NumberOf reads a number as Jinja writes it: 1_000, 0x10, 1e9. Larger ones than 63 bits hold
// become the largest.
[[nodiscard]] std::optional<std::int64_t> NumberOf(std::string_view text);

// MayReachInside is true for a text that is a path with an internal name in it, or too long to
// look.
[[nodiscard]] bool MayReachInside(const Constant& constant);

// Absorb adds what `more` may be to `value`; true where that changes it.
bool Absorb(TemplateValue& value, const TemplateValue& more);
// Held is a container of what each of `value` may be; Absorb() of such collects its elements.
[[nodiscard]] TemplateValue Held(TemplateValue value);
// ElementOf is one element of a container, or one character of a text.
[[nodiscard]] TemplateValue ElementOf(const TemplateValue& value);
// MemberOf is what an attribute or item by name may be: as ElementOf(), but of a text only methods.
[[nodiscard]] TemplateValue MemberOf(TemplateValue value);

// Concatenate is a ~ b; Calculate is a + b, a - b, a * b and so on, as `symbol` says.
[[nodiscard]] TemplateValue Concatenate(std::string_view symbol, const TemplateValue& a,
                                        const TemplateValue& b, TextStore& store);
[[nodiscard]] TemplateValue Calculate(std::string_view symbol, const TemplateValue& a,
                                      const TemplateValue& b, TextStore& store);
// FarthestOf is how far a op b may be from zero, where a and b are at most so far.
[[nodiscard]] std::int64_t FarthestOf(std::string_view symbol, std::int64_t a, std::int64_t b);
// MapText applies a function to each text a value may be; what it does not know is nothing.
using TextChange = std::function<std::optional<std::string>(std::string_view)>;
[[nodiscard]] TemplateValue MapText(std::string_view by, const TemplateValue& value,
                                    TextStore& store, const TextChange& change);

// MixDepths makes the depth unknown at which containers of `value` hold a name.
void MixDepths(TemplateValue& value);
// PutInside marks all that `value` holds as elements of a container.
void PutInside(TemplateValue& value);
// ForgetSizes leaves of `value` no bytes, elements and numbers.
void ForgetSizes(TemplateValue& value);
// ForgetWhole leaves of `value` what was made of it: no longer the objects that names hold.
void ForgetWhole(TemplateValue& value);
// RoundsOver is how often a loop over the value goes round, as far as constants tell.
[[nodiscard]] std::uint64_t RoundsOver(const TemplateValue& value);
// LargestOf is the largest number that a value may be, as far as constants tell; 0 without any.
[[nodiscard]] std::int64_t LargestOf(const TemplateValue& value);
// WrittenBytes is the size of a value as text: a container has quotes and escapes.
[[nodiscard]] std::uint64_t WrittenBytes(const TemplateValue& value);
// Negated is the number with the other sign; the largest for the smallest, which has none.
[[nodiscard]] std::int64_t Negated(std::int64_t number);
// Reach is how far a number that it may be is from zero, likewise.
[[nodiscard]] std::int64_t Reach(const TemplateValue& value);
// Least size of a container that holds the conversation several times.
inline constexpr std::uint64_t kHeldData = 256;
// MessageBytes is the size of a text; one of the conversation is as long as a short message.
[[nodiscard]] std::uint64_t MessageBytes(const TemplateValue& value);
// AddElements adds two counts of elements.
[[nodiscard]] std::uint32_t AddElements(std::uint64_t a, std::uint64_t b);

// AddParts makes `value` hold what `more` does besides; RepeatParts makes it hold it twice.
void AddParts(TemplateValue& value, const TemplateValue& more);
void RepeatParts(TemplateValue& value);

// AtLeastAByte is the size of a text; one byte for a text of the conversation.
[[nodiscard]] std::uint64_t AtLeastAByte(const TemplateValue& value);

// Sum of two sizes, and product of a size and a count; the largest where they overflow.
[[nodiscard]] std::uint64_t SumOf(std::uint64_t a, std::uint64_t b);
[[nodiscard]] std::uint64_t ProductOf(std::uint64_t a, std::uint64_t b);

}  // namespace ggufgate
