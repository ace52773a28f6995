#pragma once

// Finds dangerous, expensive and hidden parts of a chat template without rendering it. Other
// modules include only this header of src/jinja.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

struct TemplateRemark {
  enum class Kind : std::uint8_t {
    // access to Python
    kInternalName,     // an attribute, item or variable with an internal name of Python
    kAssembledName,    // such a name, made of pieces or escapes
    kAttrFilter,       // the filter attr
    kHelper,           // lipsum, or cycler and joiner used as objects
    kFormatString,     // a pattern of str.format that reads such an attribute
    kComputedName,     // a name that the template computes, with an unknown result
    kComputedPattern,  // a format pattern that the template computes, with an unknown result
    // An identifier with non-ASCII characters, which Python may normalize to another one.
    kForeignName,
    // A method that stores, or the caller, as a value that is called elsewhere.
    kTaken,
    kCalled,     // a value that may be a method of any object
    kRebound,    // a name of the engine that is redefined
    kAmbiguous,  // a keyword as a name, or a number directly before a name
    kTarget,     // sets something other than a variable or a field of one
    // high costs
    kNesting,
    kSelfCall,    // a macro that always calls itself
    kCircle,      // macros that always call each other
    kSelfCallIf,  // a macro that calls itself under a condition
    kRange,
    kRepeat,
    kMade,      // one expression makes too large a value
    kDoubling,  // the output of a loop or macro doubles in every round
    kOwnList,   // a loop adds to the container that it iterates over
    kTokens,    // code with too many tokens
    kChain,     // too deep nesting of operators, branches and calls of macros
    kFolding,   // nested operators that take too long to compile
    kSteps,     // too many steps in all loops and macros together
    kOwnHeld,   // a container put into itself
    kFar,       // range() up to a number that engines cannot count to
    kDivisor,   // a divisor that is zero or unknown
    // A macro that calls itself, and passes on nothing of the conversation.
    kSelfCallBlind,
    kComputedWidth,  // a format whose width is an argument
    kOutput,         // the output of the template is too long
    kPopped,         // may shorten a list while a loop iterates over it
    // syntax errors
    kUnclosed,
    kBracket,
    // for review by a person
    kPhrase,  // compares a user's message with words
    // Compares another message with words: of the system, or of a tool.
    kPhraseOfOther,
    kOtherTemplate,  // include, import, extends
  };
  static constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::kOtherTemplate) + 1;

  Kind kind = Kind::kInternalName;
  std::size_t at = 0;  // offset in the template
  std::size_t size = 1;
  std::string name;
  std::uint64_t number = 0;
};

// HiddenText is a part of a template that its readers do not see.
struct HiddenText {
  enum class Kind : std::uint8_t { kInvisible, kDirection, kAddress };

  Kind kind = Kind::kInvisible;
  std::size_t at = 0;  // in the text
  std::size_t size = 0;
  std::string name;         // "U+200B", or the host of an address
  std::uint64_t count = 1;  // characters in a row
  bool plain = false;       // an address that every prompt contains, for any conversation
};

// Limits of templates; see the chat template rules in RULES.
inline constexpr std::uint64_t kTemplateNesting = 64;
inline constexpr std::uint64_t kTemplateNestingRead = 1'000;  // deeper nesting is not analysed
inline constexpr std::uint64_t kTemplateChain = 1'000;
// The sum, over all operators, calls and filters, of the square of their height in the tree. Jinja2
// 3.1.6 tries to evaluate each of them at compile time, and each failure passes through all levels
// below it: 100 filters in a row take 0.6 seconds, and 200 take 4. Published templates stay below
// 9,000.
inline constexpr std::uint64_t kTemplateFolding = 500'000;
inline constexpr std::uint64_t kTemplateRounds = 10'000;
inline constexpr std::uint64_t kTemplateWidth = 100'000;  // or number of repetitions
// Bytes that one expression may make.
inline constexpr std::uint64_t kTemplateMade = std::uint64_t{16} << 20;
// Evaluations of names. A round of a loop counts as four, 256 bytes of generated text as one.
// llama.cpp needs up to four seconds to run this number of steps, because it renders a template
// thirty times at start.
inline constexpr std::uint64_t kTemplateSteps = 65'536;
inline constexpr std::uint64_t kTemplateOutput = std::uint64_t{512}
                                                 << 10;  // bytes, if all branches run
// Doubles are exact up to it.
inline constexpr std::uint64_t kTemplateNumber = std::uint64_t{1} << 53;
inline constexpr std::uint64_t kTemplateReadings = 12;  // after that, names count as unknown

// BoundOf returns the limit that remarks of this kind are about, or nullopt.
[[nodiscard]] std::optional<std::uint64_t> BoundOf(TemplateRemark::Kind kind);

// WorkFor returns the number of steps, and of bytes of generated text, for a template of this size.
// The analysis does not follow anything above that limit. This alone is not a finding, but a name
// that was made that way is.
[[nodiscard]] std::uint64_t WorkFor(std::size_t template_bytes);

// ReadTemplate analyses the code and text of a template and lists its findings, sorted by offset.
// It does not render: it follows constants, and treats every branch as taken.
//
// If `work` is given, it receives the number of steps and tokens read. This is at most WorkFor()
// plus one token per byte and reading.
[[nodiscard]] std::vector<TemplateRemark> ReadTemplate(std::string_view text,
                                                       std::uint64_t* work = nullptr);

// FindHidden lists characters that are invisible or change the direction of text, then addresses;
// see jinja/hidden_text.h. It works on the raw text, even if the template cannot be parsed.
[[nodiscard]] std::vector<HiddenText> FindHidden(std::string_view text);

}  // namespace ggufgate
