#pragma once

// What a chat template reaches for, costs and hides, as far as it can be told without rendering it.
// The one header of this room that others include.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

struct TemplateRemark {
  enum class Kind : std::uint8_t {
    // reaches for Python
    kInternalName,     // an attribute, item or variable named as one of Python's internals
    kAssembledName,    // such a name put together from pieces or escapes
    kAttrFilter,       // the filter attr
    kHelper,           // lipsum, or cycler and joiner as objects
    kFormatString,     // a pattern of str.format that reads such an attribute
    kComputedName,     // a name that the template computes, to what is not known
    kComputedPattern,  // a pattern of a format, likewise
    kForeignName,      // an identifier beyond ASCII, which Python may read as another one
    kTaken,            // a method that stores, or the caller, as a value that is called elsewhere
    kCalled,           // a value that may be a method of any object
    kRebound,          // another meaning for a name of the engine
    kAmbiguous,        // a keyword as a name, or a number that runs into a name
    kTarget,           // sets something else than a variable or a field of one
    // costs too much
    kNesting,
    kSelfCall,    // a macro that calls itself whatever happens
    kCircle,      // macros that call each other whatever happens
    kSelfCallIf,  // a macro that calls itself under a condition
    kRange,
    kRepeat,
    kMade,           // one expression makes too much
    kDoubling,       // what a loop or macro puts together doubles with every round
    kOwnList,        // a loop adds to what it goes over
    kTokens,         // code too long to be read
    kChain,          // operators, branches and calls of macros that engines nest
    kSteps,          // all loops and macros together
    kOwnHeld,        // a container put into itself
    kFar,            // range() up to numbers that engines cannot count to
    kDivisor,        // a divisor that is zero or not known
    kSelfCallBlind,  // a macro that calls itself, and hands on nothing of the conversation
    kComputedWidth,  // a format whose width is an argument
    kOutput,         // the template writes too much
    kPopped,         // may shorten a list that a loop takes apart
    // cannot be read
    kUnclosed,
    kBracket,
    // for a person to read
    kPhrase,         // compares a user's message with words
    kPhraseOfOther,  // compares another's message with words: of the system, a tool
    kOtherTemplate,  // include, import, extends
  };
  static constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::kOtherTemplate) + 1;

  Kind kind = Kind::kInternalName;
  std::size_t at = 0;  // in the template
  std::size_t size = 1;
  std::string name;
  std::uint64_t number = 0;
};

// HiddenText is what a template hides from who reads it.
struct HiddenText {
  enum class Kind : std::uint8_t { kInvisible, kDirection, kAddress };

  Kind kind = Kind::kInvisible;
  std::size_t at = 0;  // in the text
  std::size_t size = 0;
  std::string name;         // "U+200B", or the host
  std::uint64_t count = 1;  // characters in a row
  bool plain = false;       // an address that every prompt has, whoever says what
};

// Bounds that a template is held to; RULES: chat template.
inline constexpr std::uint64_t kTemplateNesting = 64;
inline constexpr std::uint64_t kTemplateNestingRead = 1'000;  // what is deeper is not looked at
inline constexpr std::uint64_t kTemplateChain = 1'000;
inline constexpr std::uint64_t kTemplateRounds = 10'000;
inline constexpr std::uint64_t kTemplateWidth = 100'000;                 // or times of a repetition
inline constexpr std::uint64_t kTemplateMade = std::uint64_t{16} << 20;  // bytes of one expression
// Names evaluated; a round of a loop counts as four, 256 bytes of made text as one. llama.cpp takes
// up to two seconds for as many, as it renders a template thirty times at start.
inline constexpr std::uint64_t kTemplateSteps = 65'536;
inline constexpr std::uint64_t kTemplateOutput = std::uint64_t{512}
                                                 << 10;  // bytes, if all branches run
inline constexpr std::uint64_t kTemplateNumber = std::uint64_t{1} << 53;  // doubles are exact
inline constexpr std::uint64_t kTemplateReadings = 12;  // after as many, names are given up

// BoundOf is the bound that a remark of this kind is about; nullopt for most.
[[nodiscard]] std::optional<std::uint64_t> BoundOf(TemplateRemark::Kind kind);

// WorkFor is how many steps, and bytes of texts, a template of this size may ask for. What goes
// beyond is not followed: that is no verdict, but a name made of it is one.
[[nodiscard]] std::uint64_t WorkFor(std::size_t template_bytes);

// ReadTemplate reads a template as code and text and lists what it found, by place. It renders
// nothing: it follows constants, and counts every branch as taken.
//
// `work`, where it is given, becomes the steps made and the tokens read: never more than WorkFor()
// and a token for each byte and reading.
[[nodiscard]] std::vector<TemplateRemark> ReadTemplate(std::string_view text,
                                                       std::uint64_t* work = nullptr);

// FindHidden lists characters that are not seen or that turn the direction of text, then addresses:
// jinja/hidden.h says which. It looks at the text as it stands, whether it can be read or not.
[[nodiscard]] std::vector<HiddenText> FindHidden(std::string_view text);

}  // namespace ggufgate
