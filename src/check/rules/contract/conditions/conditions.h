#pragma once

// Conditions that a model must meet: without them, llama.cpp crashes, aborts or hangs. Also: those
// that a file breaks. Not for users of the library.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/finding.h"
#include "check/rules/contract/conditions/condition.h"
#include "check/rules/contract/parameters/loader_parameters.h"

namespace ggufgate {

struct Context;
class HyperParameters;
class LoaderContract;

// AllConditions returns those of all families, in the order of families.def.
[[nodiscard]] std::span<const Condition> AllConditions();
[[nodiscard]] const Condition* FindCondition(std::string_view slug);

// Breach is a condition that a file breaks, with the measured behaviour of the loader.
struct Breach {
  const Condition* condition = nullptr;
  std::string_view ending = {};  // "aborts", "crashes", "hangs", …
  std::string_view stage = {};   // "load", "context", "decode", …
  // Whether the loader refuses the file before this stage.
  enum class Before : std::uint8_t { kNothing, kMayBeRefused, kRefused };
  Before before = Before::kNothing;
};

// RuleOf returns the rule that reports a breach. It is the condition's rule, unless the loader
// fails only when it shifts a context, which few users do.
[[nodiscard]] RuleId RuleOf(const Condition& condition, std::string_view stage);

// IsBroken evaluates one condition for the hyper-parameters of a file.
[[nodiscard]] bool IsBroken(const Condition& condition, const LoaderParameters& parameters);

// IsJudgedByContract is true for each file that llama.cpp may load as a model: it has the keys that
// the loader requires first, and is not a shard after the first. `general.type` makes no
// difference.
[[nodiscard]] bool IsJudgedByContract(const Document& document, const HyperParameters& parameters);
[[nodiscard]] bool IsJudgedByContract(const Context& context);

// HasMostTensors returns whether a file has the tensors of one form of its architecture's tiny
// model: all that belong to no layer, or half of all. A file with fewer is refused before the
// loader uses its hyper-parameters. For a first shard it is true: the other shards have the rest.
[[nodiscard]] bool HasMostTensors(const Context& context, const LoaderContract& contract);

// ContractOfModel returns the contract of a whole model with most of its tensors; otherwise
// nullptr.
[[nodiscard]] const LoaderContract* ContractOfModel(const Context& context);

// AbsentKeysOf returns keys that the file lacks, with the architecture in front. Without them, the
// loader refuses the file while it reads the hyper-parameters.
[[nodiscard]] const std::vector<std::string>& AbsentKeysOf(const Context& context);

// LacksNextLayer returns whether the file lacks a tensor that the loader requires in a layer that
// predicts further tokens.
[[nodiscard]] bool LacksNextLayer(const Context& context);

// HasUnknownTensor returns whether the file has a tensor that the loader does not look up.
[[nodiscard]] bool HasUnknownTensor(const Context& context);

// HasAbsentTensor: the file lacks a tensor that the loader requires. HasMisshapenTensor: a tensor
// has another shape than the loader requires. KnowsAllShapes: the shape of each tensor follows from
// the keys.
[[nodiscard]] bool HasAbsentTensor(const Context& context);
[[nodiscard]] bool HasMisshapenTensor(const Context& context);
[[nodiscard]] bool KnowsAllShapes(const Context& context);

// IsRefusedAtLoad returns whether the loader refuses the file for an absent key or tensor, an
// unknown tensor, or a shape. Then it creates no context, so conditions of later stages are not
// dangerous.
[[nodiscard]] bool IsRefusedAtLoad(const Context& context);

// MayBeRefused returns whether the loader may refuse the file for unknown reasons: the shape of a
// tensor does not follow from the keys, or the layers are of several kinds. (In load_hparams,
// llama, deci and falcon require that the whole head is rotated.)
[[nodiscard]] bool MayBeRefused(const Context& context);

// BreachesOf returns the conditions of its architecture that the file breaks, in the order of the
// contract.
[[nodiscard]] const std::vector<Breach>& BreachesOf(const Context& context);

// IsEnding and IsStage return whether a contract may have a word as ending or stage of a condition.
[[nodiscard]] bool IsEnding(std::string_view word);
[[nodiscard]] bool IsStage(std::string_view word);

// EndingText describes the behaviour of the loader for people: "aborts when it decodes".
[[nodiscard]] std::string EndingText(std::string_view ending, std::string_view stage);

}  // namespace ggufgate
