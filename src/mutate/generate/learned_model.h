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

// LearnedPlan selects a tiny model of an architecture.
struct LearnedPlan {
  const Contract* contract;
  ContractForm form;  // a form of the contract
  TokenizerKind vocabulary = TokenizerKind::kSentencePiece;
  TensorType type = TensorType::kF32;  // for weight matrices, if its block size divides their rows
};

// SimplestForm returns the form with the fewest tensors that has experts and all optional tensors,
// if these are required; nullopt if the architecture has no such form.
[[nodiscard]] std::optional<ContractForm> SimplestForm(const Contract& contract, bool experts,
                                                       bool whole);

// MakeLearned makes the model, with values, tensors and a vocabulary. The llama.cpp release of the
// contract loads and decodes it. The same plan makes the same bytes everywhere.
[[nodiscard]] Model MakeLearned(const LearnedPlan& plan);

// CanTake returns whether a tensor of a plan may have the type of the plan.
[[nodiscard]] bool CanTake(const LearnedPlan& plan, std::string_view name,
                           std::span<const std::uint64_t> dims);

// MatricesOf returns the number of matrices of a type in a model.
[[nodiscard]] std::size_t MatricesOf(const Model& model, TensorType type);

}  // namespace ggufgate::mutate
