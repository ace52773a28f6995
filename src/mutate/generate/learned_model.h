#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "format/contracts/contract.h"
#include "format/tensors/tensor_type.h"
#include "format/tokenizers/tokenizer.h"
#include "parse/model.h"

namespace ggufgate::mutate {

// LearnedPlan says which tiny model of an architecture to make.
struct LearnedPlan {
  const Contract* contract;
  ContractForm form;  // one that the contract has
  TokenizerKind vocabulary = TokenizerKind::kSentencePiece;
  TensorType type = TensorType::kF32;  // of the weight matrices whose rows it divides
};

// SimplestForm is the form with the fewest tensors that has experts, and that has all optional
// tensors, where these are wanted; nullopt where the architecture has no such form.
[[nodiscard]] std::optional<ContractForm> SimplestForm(const Contract& contract, bool experts,
                                                       bool whole);

// MakeLearned makes the model: with values, tensors and a vocabulary with which the release of the
// contract loads and decodes it. The same plan makes the same bytes everywhere.
[[nodiscard]] Model MakeLearned(const LearnedPlan& plan);

// CanTake tells whether a tensor of a plan may have the type that the plan asks for.
[[nodiscard]] bool CanTake(const LearnedPlan& plan, std::string_view name,
                           std::span<const std::uint64_t> dims);

// MatricesOf is the number of tensors of a model that have a type and are matrices.
[[nodiscard]] std::size_t MatricesOf(const Model& model, TensorType type);

}  // namespace ggufgate::mutate
