#pragma once

// The known facts about a value in a template, without rendering it: its possible constants, and
// whether it may be unknown text that the template has made.

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

// Constant is one text or number that the template spells out or makes. Its text is in the template
// or in a TextStore and is never copied.
struct Constant {
  std::string_view text;  // of a number: as written, or empty
  std::optional<std::int64_t> number = {};
  bool reported = false;  // already reported where it was made
};

// TemplateValue lists the possible values of an expression at any time. The analysis never removes
// one of them: a branch that is not taken counts like one that is.
//
// The kinds differ in their possible use as names. `items` are known. `data` comes from the
// conversation, so the author of the template does not choose it. `number` cannot be a name.
// `computed` is unknown text that the template makes, so it may be any name.
struct TemplateValue : TemplateSizes {
  static constexpr std::size_t kMostAlternatives = 16;
  // Maximum number of nested containers that are counted.
  static constexpr std::uint8_t kDeepest = 4;
  static constexpr std::size_t kMostParts = 32;
  // The author of its text, among the participants of a conversation.
  enum class Content : std::uint8_t { kNone, kOther, kUser };

  std::uint8_t shallowest = 0;  // containers around each of `items`: minimum and maximum
  std::uint8_t deepest = 0;
  bool data = false;
  bool number = false;  // an unknown number or truth
  bool more = false;    // further constants, each a harmless name
  // Is, or was read from, an object that the template made.
  bool made = false;
  bool container = false;  // certainly a list or dictionary
  bool outside = false;    // is, or is made of, data of the conversation
  // May be or hold a namespace, or a macro, the caller or the loop: the maximum number of
  // containers around it plus one, or 0.
  std::uint8_t namespaces = 0;
  std::uint8_t callables = 0;
  bool alias_is_field = false;
  bool repeated = false;  // contains a repeated text
  bool written = false;   // is the output of a macro
  bool caller = false;    // may be the caller of a macro, not called
  Content content = Content::kNone;
  GivenPart given = {};  // completed by Given()
  // The texts and numbers that it may be or, as a container, hold.
  std::vector<Constant> items;
  // The operation that made unknown text; empty if none did.
  std::string_view computed = {};
  // Name of the variable, function or macro that it may be.
  std::string_view alias = {};
  // How often it holds the value of a name, by name.
  static constexpr std::uint8_t kAnyDepth = UINT8_MAX;
  struct Part {
    std::size_t name;
    std::uint32_t times;
    // It may be, or hold, the object itself; otherwise only a value made of it.
    bool whole = true;
    std::uint8_t inside = 0;  // in this many nested containers, or kAnyDepth
    std::uint8_t grows = 0;   // replacements that have lengthened it
    bool carried = true;      // the name may have been set in an earlier round
    bool traced = false;      // another name was made of it and was read here
    bool local = false;       // a field of a namespace that the macro made
    bool element = false;     // made of only one element
  };
  std::vector<Part> parts = {};
  std::uint64_t rounds = 0;  // of a loop over it, if a constant range() made it

  // MayBeAnyNumber tells whether neither the number nor a limit of it is known.
  [[nodiscard]] bool MayBeAnyNumber() const {
    return most == 0 && supposed == 0 && (data || number) && !IsExact();
  }
  // Given returns the relation to an argument, with all other values that it may have.
  [[nodiscard]] GivenPart Given() const;
  [[nodiscard]] bool IsNothing() const;  // not set yet: no fact is known
  // IsExact tells whether the value is certainly one of `items`.
  [[nodiscard]] bool IsExact() const;
  [[nodiscard]] bool IsNumber() const;   // certainly a number, known or not
  [[nodiscard]] bool HoldsText() const;  // that the template spells out or makes
  // Number returns the only number that it may be.
  [[nodiscard]] std::optional<std::int64_t> Number() const;
  [[nodiscard]] std::optional<std::int64_t> Whole() const;  // like Number(), but never a fraction
};

// WorkBudget limits the steps of an analysis and the bytes of generated text. So the time for a
// template is linear in its size, even if the template multiplies.
class WorkBudget {
 public:
  explicit WorkBudget(std::uint64_t whole) : whole_(whole), left_(whole) {}
  // Spend returns false once the budget is used up. Then the requested result counts as unknown.
  [[nodiscard]] bool Spend(std::uint64_t cost);
  [[nodiscard]] std::uint64_t Spent() const { return whole_ - left_; }

 private:
  std::uint64_t whole_;
  std::uint64_t left_;
};

// TextStore keeps the texts that a template makes.
class TextStore {
 public:
  // Far longer than any name of Python or Jinja.
  static constexpr std::size_t kLongest = 256;
  static constexpr std::uint64_t kRoomAtLeast = std::uint64_t{1} << 18;

  TextStore(std::uint64_t budget, std::uint64_t template_bytes)
      : budget_(budget), room_(template_bytes + kRoomAtLeast) {}
  // Keep returns nullopt if a text is too long or has a hole, or if the budget is used up.
  [[nodiscard]] std::optional<std::string_view> Keep(std::string&& text);
  // Literal keeps the text of a literal at an offset of the template. It keeps it once, regardless
  // of the number of readings.
  [[nodiscard]] std::optional<std::string_view> Literal(std::size_t at, std::string_view literal);
  // Row keeps the joined text of adjacent literals; the first one is at this offset.
  [[nodiscard]] std::optional<std::string_view> Row(std::size_t at, std::string&& row);
  [[nodiscard]] WorkBudget& budget() { return budget_; }
  [[nodiscard]] const WorkBudget& budget() const { return budget_; }

 private:
  struct Decoded {
    std::size_t at;
    std::string_view text;
  };
  std::deque<std::string> texts_;
  std::vector<Decoded> literals_;  // sorted by offset
  WorkBudget budget_;
  WorkBudget room_;  // bytes of memory
};

[[nodiscard]] TemplateValue TextValue(std::string_view text);
[[nodiscard]] TemplateValue NumberValue(std::int64_t number, std::string_view text = {});
[[nodiscard]] TemplateValue UnknownNumber();
[[nodiscard]] TemplateValue DataValue();
[[nodiscard]] TemplateValue ComputedValue(std::string_view by);

// NumberOf parses a number in the syntax of Jinja: 1_000, 0x10, 1e9. Numbers above 63 bits become
// the largest number.
[[nodiscard]] std::optional<std::int64_t> NumberOf(std::string_view text);

// MayReachInside tells whether a text is a path with an internal name in it. It returns true if the
// text is too long to check.
[[nodiscard]] bool MayReachInside(const Constant& constant);

// Absorb adds the possible values of `more` to `value`. It returns true if `value` changes.
bool Absorb(TemplateValue& value, const TemplateValue& more);
// Held returns a container of each possible value. Absorb() of such containers joins their
// elements.
[[nodiscard]] TemplateValue Held(TemplateValue value);
// ElementOf returns one element of a container, or one character of a text.
[[nodiscard]] TemplateValue ElementOf(const TemplateValue& value);
// MemberOf returns the attribute or item of a name: like ElementOf(), except that a text has only
// methods.
[[nodiscard]] TemplateValue MemberOf(TemplateValue value);

// Concatenate returns a ~ b. Calculate returns a + b, a - b, a * b and so on, depending on
// `symbol`.
[[nodiscard]] TemplateValue Concatenate(std::string_view symbol, const TemplateValue& a,
                                        const TemplateValue& b, TextStore& store);
[[nodiscard]] TemplateValue Calculate(std::string_view symbol, const TemplateValue& a,
                                      const TemplateValue& b, TextStore& store);
// FarthestOf returns the largest absolute value of a op b, for the largest absolute values of a and
// b.
[[nodiscard]] std::int64_t FarthestOf(std::string_view symbol, std::int64_t a, std::int64_t b);
// MapText applies a function to each text that a value may be. The function returns nullopt for an
// unknown result.
using TextChange = std::function<std::optional<std::string>(std::string_view)>;
[[nodiscard]] TemplateValue MapText(std::string_view by, const TemplateValue& value,
                                    TextStore& store, const TextChange& change);

// MixDepths makes the depths of names in the containers of `value` unknown.
void MixDepths(TemplateValue& value);
// PutInside marks everything that `value` holds as elements of a container.
void PutInside(TemplateValue& value);
// ForgetSizes removes all bytes, elements and numbers from `value`.
void ForgetSizes(TemplateValue& value);
// ForgetWhole marks everything that `value` holds as made of the objects of names, not as these
// objects.
void ForgetWhole(TemplateValue& value);
// RoundsOver returns the number of rounds of a loop over the value, as far as constants give it.
[[nodiscard]] std::uint64_t RoundsOver(const TemplateValue& value);
// LargestOf returns the largest number that a value may be, as far as constants give it, else 0.
[[nodiscard]] std::int64_t LargestOf(const TemplateValue& value);
// WrittenBytes returns the size of a value as text: a container has quotes and escapes.
[[nodiscard]] std::uint64_t WrittenBytes(const TemplateValue& value);
// Negated returns the negative of a number. For the smallest number, which has no negative, it
// returns the largest.
[[nodiscard]] std::int64_t Negated(std::int64_t number);
// Reach returns the largest absolute value of a number that it may be, as far as constants give it.
[[nodiscard]] std::int64_t Reach(const TemplateValue& value);
// Minimum size of a container that holds the conversation several times.
inline constexpr std::uint64_t kHeldData = 256;
// MessageBytes returns the size of a text. A text of the conversation counts as a short message.
[[nodiscard]] std::uint64_t MessageBytes(const TemplateValue& value);
// AddElements adds two counts of elements.
[[nodiscard]] std::uint32_t AddElements(std::uint64_t a, std::uint64_t b);

// AddParts adds the parts of `more` to those of `value`. RepeatParts doubles the parts of `value`.
void AddParts(TemplateValue& value, const TemplateValue& more);
void RepeatParts(TemplateValue& value);

// AtLeastAByte returns the size of a text, or one byte for a text of the conversation.
[[nodiscard]] std::uint64_t AtLeastAByte(const TemplateValue& value);

// SumOf adds two sizes. ProductOf multiplies a size by a count. Both return the largest number if
// they overflow.
[[nodiscard]] std::uint64_t SumOf(std::uint64_t a, std::uint64_t b);
[[nodiscard]] std::uint64_t ProductOf(std::uint64_t a, std::uint64_t b);

}  // namespace ggufgate
