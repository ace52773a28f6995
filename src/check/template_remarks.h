#pragma once

// What reading a chat template brings to light, for the rules to report.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

struct TemplateRemark {
  enum class Kind : std::uint8_t {
    // reaches for Python
    kInternalName,   // an attribute, item or variable named as one of Python's internals
    kAssembledName,  // such a name put together from pieces or escapes
    kAttrFilter,     // the filter attr
    kHelper,         // lipsum, or cycler and joiner as objects
    kFormatString,   // a pattern of str.format that reads such an attribute
    // costs too much
    kNesting,
    kSelfCall,    // a macro that calls itself whatever happens
    kCircle,      // macros that call each other whatever happens
    kSelfCallIf,  // a macro that calls itself under a condition
    kRange,
    kRepeat,
    kConstants,  // constants multiply beyond the budget
    // cannot be read
    kUnclosed,
    kBracket,
    // for a person to read
    kPhrase,         // compares a message with words
    kOtherTemplate,  // include, import, extends
  };

  Kind kind = Kind::kInternalName;
  std::size_t at = 0;  // in the template
  std::size_t size = 1;
  std::string name;
  std::uint64_t number = 0;
};

// Bounds that a template is held to; RULES: chat template.
inline constexpr std::uint64_t kTemplateNesting = 64;
inline constexpr std::uint64_t kTemplateNestingRead = 1'000;  // what is deeper is not looked at
inline constexpr std::uint64_t kTemplateRounds = 1'000'000;

// WorkFor is how many bytes of constants a template of this size may put together.
[[nodiscard]] std::uint64_t WorkFor(std::size_t template_bytes);

// ReadTemplate reads a template as code and text and lists what it found, by place. It renders
// nothing: it follows constants, and counts every branch as taken.
//
// `work`, where it is given, becomes the bytes of constants moved and the tokens read: never more
// than WorkFor() and a token for each byte, twice.
[[nodiscard]] std::vector<TemplateRemark> ReadTemplate(std::string_view text,
                                                       std::uint64_t* work = nullptr);

}  // namespace ggufgate
