#pragma once

// What a reading of a template records: macros and their calls, growth, containers in containers,
// costs. Not for users of the library.

#include <array>
#include <vector>

#include "jinja/hollow/hollow.h"
#include "jinja/values/folding.h"

namespace ggufgate {

// TemplateMacro is one macro, or what `{% call %}` hands in as `caller`; of all that are defined by
// one name, together.
struct TemplateMacro {
  std::vector<std::string_view> parameters;  // of the definition read last
  std::vector<TemplateValue> handed;         // by position, whatever the definition
  TemplateValue output;
  bool doubles = false;      // writes something that it is handed twice
  std::uint64_t called = 1;  // how often, as far as the last reading told
  std::uint32_t writes = 0;  // how often it writes what names hold, all together
  struct Read {
    std::uint32_t name;  // as in TemplateValue::parts
    std::uint32_t times;
  };
  std::vector<Read> reads;         // names that are not its own, and what its output holds of them
  std::uint64_t caller_calls = 0;  // how often it calls its caller
  std::uint64_t depth = 0;         // of its code
  std::uint64_t changed = 0;       // parameters that its code sets, a bit for each
  bool several = false;            // macros of that name have other parameters
  bool counted = false;            // as a name that engines copy
};

// HandedPart describes one argument of a call: the part of an argument of the caller that it is.
struct HandedPart {
  std::uint8_t of = kFollowedParameters;  // parameter of the caller; this value: none
  bool smaller = false;                   // not all of it
  HollowKinds may_be = 0;                 // hollow values that it may have instead
  HollowKinds not_called = 0;             // the call does not run for these hollow arguments
};

// MacroCall is one call of a macro by its name within a macro.
struct MacroCall {
  std::size_t caller;  // slots of the names; kNoSlot: outside of macros
  std::size_t callee;
  bool certain = false;  // whatever the conversation, the call is made
  bool in_block = false;
  std::array<HandedPart, kFollowedParameters> handed = {};
  std::uint64_t rounds = 1;
  std::uint64_t data_rounds = 1;  // as many, if each loop over data has four
  std::size_t at = 0;
  std::size_t size = 0;
};

// TemplateGrowth is what an assignment in a loop or macro puts into a name: how often what another
// name holds.
struct TemplateGrowth {
  std::size_t into;  // names, as in TemplateValue::parts
  std::size_t from;
  std::uint32_t times = 0;
  std::uint8_t grows = 0;
  bool number : 1 = false;  // of a number, which takes little room
  bool nests : 1 = false;   // puts the object into a container
  bool whole : 1 = false;   // may be the same value, not something made of it
  bool field : 1 = false;   // a namespace holds a field, which makes no other field larger
  bool method : 1 = false;  // a method adds to the object, which other names may hold as well
  // The value of `from` may be one of the round before. (Variables last to the end of a loop in
  // llama.cpp; Jinja2 forgets them with each round.)
  bool carried : 1 = false;
  std::uint64_t rounds = 1;
  std::uint64_t bytes = 0;
  std::size_t at = 0;  // of the assignment
};

// TemplateHolding tells that an object may be, or hold, another one. It can be put in by a method,
// as a field, or when the holder was made. An object that was taken from another one is held by it.
// "Stores inside" puts it into an object that the holder holds.
struct TemplateHolding {
  std::size_t holder;  // names, as in TemplateValue::parts
  std::size_t held;
  enum class How : std::uint8_t { kIs, kHolds, kStores, kStoresInside, kTakenFrom };
  How how = How::kIs;
  bool of_macro = false;  // code of a macro tells it
  std::uint32_t size = 1;
  std::size_t at = 0;
};

// TemplateOwnList is a method that adds to a container, and a loop around it. The two containers
// may be the same object.
struct TemplateOwnList {
  // Names, as in TemplateValue::parts: of the object itself, or of what holds it.
  struct Names {
    std::vector<std::size_t> of;
    bool whole = false;
  };
  Names over;  // that the loop iterates over
  Names into;  // that the method adds to
  // That is a field of a namespace which no other code knows yet, unless code from `made_at` to
  // `end` hands it on.
  bool is_new = false;
  std::size_t space = 0;  // names, as in TemplateValue::parts
  std::size_t field = 0;
  std::size_t made_at = 0;
  std::size_t end = 0;
  std::uint32_t loop = 0;    // branch of the outermost loop since then, if any
  std::uint32_t branch = 0;  // of the method
  std::string_view name;
  std::size_t at;
  std::size_t size;
};

// TemplateLoopedCall is a call of a macro, and one of the loops around it. `over` has no names
// where no loop is around the call.
struct TemplateLoopedCall {
  std::size_t caller;  // slots, as in MacroCall; that of `caller` for the body of a call block
  std::size_t callee;
  TemplateOwnList::Names over = {};
  bool looped = false;
  bool unnamed = false;  // the loop iterates over what no name holds
};

// TemplateAdding is a method in a macro or call block that adds to a container.
struct TemplateAdding {
  std::size_t macro;  // slot
  TemplateOwnList pair;
};

// TemplateChoice is the inline `if` of the current span. It lists the hollow arguments for which
// the code before the `if`, and behind its `else`, does not run.
struct TemplateChoice {
  std::size_t before = 0;  // place in the template
  HollowCases missed_before = {};
  std::size_t behind = static_cast<std::size_t>(-1);
  HollowCases missed_behind = {};
};

// TemplateWeight is the cost of the code of one macro, or of all code outside of macros.
struct TemplateWeight {
  std::uint64_t steps = 0;
  std::uint64_t output = 0;  // bytes that it writes, if all branches run
  std::size_t at = 0;        // where it becomes too much
  // There is one for each name: these are kept small.
  std::uint32_t depth = 0;  // of operators, brackets and blocks in each other
  std::uint32_t caller_calls = 0;
  std::uint32_t data = 0;  // of the rounds of loops, if those over data have several rounds
  std::uint32_t tags = 0;  // of searches for tags in its output
};

// Kept is a sum of a TemplateWeight. All that is beyond 32 bits is too much in the same way.
constexpr std::uint32_t Kept(std::uint64_t sum) {
  return sum > UINT32_MAX ? UINT32_MAX : static_cast<std::uint32_t>(sum);
}

}  // namespace ggufgate
