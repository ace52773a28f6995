#pragma once

// Records of a reading of a template: macros and their calls, growth, containers in containers,
// costs. Internal to this module.

#include <array>
#include <vector>

#include "jinja/hollow/hollow.h"
#include "jinja/values/folding.h"

namespace ggufgate {

// TemplateMacro describes a macro, or the `caller` that `{% call %}` passes. Several definitions of
// one name share one record.
struct TemplateMacro {
  std::vector<std::string_view> parameters;  // of the last definition
  std::vector<TemplateValue> handed;         // by position, for all definitions
  TemplateValue output;
  bool doubles = false;      // writes an argument twice
  std::uint64_t called = 1;  // number of calls, according to the last reading
  std::uint32_t writes = 0;  // how often it writes the values of names, in total
  struct Read {
    std::uint32_t name;  // as in TemplateValue::parts
    std::uint32_t times;
  };
  // Names that are not its parameters or variables, and the parts of them in its output.
  std::vector<Read> reads;
  std::uint64_t caller_calls = 0;  // number of calls of its caller
  std::uint64_t depth = 0;         // of its code
  std::uint64_t changed = 0;       // bit set of the parameters that its code sets
  bool several = false;            // definitions of that name have other parameters
  bool counted = false;            // counted as a name that engines copy
};

// HandedPart tells which part of its caller's argument an argument of a call is.
struct HandedPart {
  std::uint8_t of = kFollowedParameters;  // parameter of the caller; this value means none
  bool smaller = false;                   // not the whole argument
  HollowKinds may_be = 0;                 // hollow values that it may have instead
  HollowKinds not_called = 0;             // the call does not run for these hollow arguments
};

// MacroCall is a call of a macro by its name, within a macro.
struct MacroCall {
  std::size_t caller;  // slots of the names; kNoSlot: outside of macros
  std::size_t callee;
  bool certain = false;  // the call runs for every conversation
  bool in_block = false;
  std::array<HandedPart, kFollowedParameters> handed = {};
  std::uint64_t rounds = 1;
  std::uint64_t data_rounds = 1;  // the same, if each loop over data has four rounds
  std::size_t at = 0;
  std::size_t size = 0;
};

// TemplateGrowth records that an assignment in a loop or macro adds the value of one name to
// another, and how often.
struct TemplateGrowth {
  std::size_t into;  // names, as in TemplateValue::parts
  std::size_t from;
  std::uint32_t times = 0;
  std::uint8_t grows = 0;
  bool number : 1 = false;  // from a number, which takes little space
  bool nests : 1 = false;   // puts the object into a container
  bool whole : 1 = false;   // may be the same value, not a value made of it
  // A namespace holds a field, which makes no other field larger.
  bool field : 1 = false;
  bool method : 1 = false;  // a method adds to the object, which may have other names, too
  // The value of `from` may come from an earlier round. (In llama.cpp, variables last to the end of
  // a loop; Jinja2 forgets them after each round.)
  bool carried : 1 = false;
  std::uint64_t rounds = 1;
  std::uint64_t bytes = 0;
  std::size_t at = 0;  // offset of the assignment
};

// TemplateHolding records that an object may be, or hold, another one. A method may have put it in,
// it may be a field, or the holder may have been made with it. An object that was taken from
// another one is held by it. "Stores inside" puts it into an object that the holder holds.
struct TemplateHolding {
  std::size_t holder;  // names, as in TemplateValue::parts
  std::size_t held;
  enum class How : std::uint8_t { kIs, kHolds, kStores, kStoresInside, kTakenFrom };
  How how = How::kIs;
  bool of_macro = false;  // recorded by the code of a macro
  std::uint32_t size = 1;
  std::size_t at = 0;
};

// TemplateOwnList is a method that adds to a container, and a loop around it. The loop may iterate
// over the same container.
struct TemplateOwnList {
  // Names, as in TemplateValue::parts: of the object itself, or of its holders.
  struct Names {
    std::vector<std::size_t> of;
    bool whole = false;
  };
  Names over;  // of the container that the loop iterates over
  Names into;  // of the container that the method adds to
  // The latter is a field of a namespace that no other code knows yet, unless code from `made_at`
  // to `end` passes it on.
  bool is_new = false;
  std::size_t space = 0;  // names, as in TemplateValue::parts
  std::size_t field = 0;
  std::size_t made_at = 0;
  std::size_t end = 0;
  // Branch of the outermost loop that has begun since then, if any.
  std::uint32_t loop = 0;
  std::uint32_t branch = 0;  // of the method
  std::string_view name;
  std::size_t at;
  std::size_t size;
};

// TemplateLoopedCall is a call of a macro, and one of the loops around it. `over` has no names if
// there is no loop around the call.
struct TemplateLoopedCall {
  // Slots, as in MacroCall; for the body of a call block, the slot of `caller`.
  std::size_t caller;
  std::size_t callee;
  TemplateOwnList::Names over = {};
  bool looped = false;
  bool unnamed = false;  // the loop iterates over a value without a name
};

// TemplateAdding is a method in a macro or call block that adds to a container.
struct TemplateAdding {
  std::size_t macro;  // slot
  TemplateOwnList pair;
};

// TemplateChoice is the inline `if` of the current span. It lists the hollow arguments for which
// the code before the `if`, and after its `else`, does not run.
struct TemplateChoice {
  std::size_t before = 0;  // offset in the template
  HollowCases missed_before = {};
  std::size_t behind = static_cast<std::size_t>(-1);
  HollowCases missed_behind = {};
};

// TemplateWeight is the cost of the code of one macro, or of all code outside of macros.
struct TemplateWeight {
  std::uint64_t steps = 0;
  std::uint64_t output = 0;  // bytes that it writes, if all branches run
  std::size_t at = 0;        // offset where it exceeds a limit
  // There is one weight per name, so these are small.
  std::uint32_t depth = 0;  // of nested operators, brackets and blocks
  std::uint32_t caller_calls = 0;
  // Rounds of loops, if those over data have several rounds.
  std::uint32_t data = 0;
  std::uint32_t tags = 0;  // searches for tags in its output
};

// Kept limits a sum of a TemplateWeight to 32 bits. Any larger sum exceeds all limits.
constexpr std::uint32_t Kept(std::uint64_t sum) {
  return sum > UINT32_MAX ? UINT32_MAX : static_cast<std::uint32_t>(sum);
}

}  // namespace ggufgate
