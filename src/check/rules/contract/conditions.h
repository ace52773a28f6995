#pragma once

// Conditions under which llama.cpp does not survive a model, and which of them a file breaks. Not
// for users of the library.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/finding.h"
#include "check/rules/contract/loader_parameters.h"

namespace ggufgate {

struct Context;
struct Contract;
class HyperParameters;

// Condition is one block of conditions.def.
struct Condition {
  std::string_view slug;  // the contracts of architectures name it
  RuleId rule;
  std::string_view keys;                    // without the architecture, separated by blanks
  bool (*broken)(const LoaderParameters&);  // only asked where the loader can read all keys
  std::string_view formula;                 // the text of `broken`
  std::string_view needs;                   // what must hold, for people
};

[[nodiscard]] std::span<const Condition> AllConditions();
[[nodiscard]] const Condition* FindCondition(std::string_view slug);

// Breach is a condition that a file breaks, and what the loader then does, as measured.
struct Breach {
  const Condition* condition = nullptr;
  std::string_view ending = {};  // "aborts", "crashes", "hangs", …
  std::string_view stage = {};   // "load", "context", "decode", …
  // Whether the loader refuses the file before this stage.
  enum class Before : std::uint8_t { kNothing, kMayBeRefused, kRefused };
  Before before = Before::kNothing;
};

// RuleOf is the rule that a breach is told by: the condition's own, but where the loader survives
// all stages other than the shift of a context, which few users do.
[[nodiscard]] RuleId RuleOf(const Condition& condition, std::string_view stage);

// IsBroken asks one condition of the hyper-parameters of a file.
[[nodiscard]] bool IsBroken(const Condition& condition, const LoaderParameters& parameters);

// IsJudgedByContract is true of each file that llama.cpp may load as a model: it has the keys that
// the loader asks for first, and is not a shard after the first. `general.type` makes no
// difference.
[[nodiscard]] bool IsJudgedByContract(const Document& document, const HyperParameters& parameters);
[[nodiscard]] bool IsJudgedByContract(const Context& context);

// HasMostTensors tells whether a file has what one form of the tiny model of its architecture
// requires: all tensors that belong to no layer, or half of all. A file with fewer is refused
// before anything is made of its hyper-parameters. Of a first shard it is taken for granted: the
// others have the rest.
[[nodiscard]] bool HasMostTensors(const Context& context, const Contract& contract);

// ContractOfModel is the contract of a whole model with most of its tensors; nullptr for others.
[[nodiscard]] const Contract* ContractOfModel(const Context& context);

// AbsentKeysOf are keys that the file lacks, with the architecture in front. The loader refuses a
// file without them while it reads the hyper-parameters.
[[nodiscard]] const std::vector<std::string>& AbsentKeysOf(const Context& context);

// HasUnknownTensor tells whether the file has a tensor that the loader does not look up.
[[nodiscard]] bool HasUnknownTensor(const Context& context);

// HasAbsentTensor: the loader asks for one that the file lacks; HasMisshapenTensor: it wants
// another shape; KnowsAllShapes: the shape of each tensor follows from the keys.
[[nodiscard]] bool HasAbsentTensor(const Context& context);
[[nodiscard]] bool HasMisshapenTensor(const Context& context);
[[nodiscard]] bool KnowsAllShapes(const Context& context);

// IsRefusedAtLoad tells whether the loader refuses the file for a key or a tensor that is absent,
// for a tensor that it does not know, or for a shape: then it makes no context, and what would end
// it there is no danger.
[[nodiscard]] bool IsRefusedAtLoad(const Context& context);

// MayBeRefused tells whether the loader may refuse the file although nothing tells so: the shape of
// a tensor is not known to follow from the keys, or its layers are of several kinds. (llama, deci
// and falcon are refused where not all of a head is rotated: load_hparams.)
[[nodiscard]] bool MayBeRefused(const Context& context);

// BreachesOf are the conditions of the file's architecture that it breaks, in the order of the
// contract.
[[nodiscard]] const std::vector<Breach>& BreachesOf(const Context& context);

// EndingText says for people what the loader does: "aborts when it decodes".
[[nodiscard]] std::string EndingText(std::string_view ending, std::string_view stage);

}  // namespace ggufgate
