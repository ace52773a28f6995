#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "format/contracts/contract.h"
#include "mutate/build/mutation_context.h"
#include "mutate/models/learned_vocabularies.h"
#include "mutate/models/quantities.h"

namespace ggufgate::mutate {

// PrepareContracts builds the tables of contracts. Their first use allocates, and mutating must
// not.
void PrepareContracts();

// RunningModel is a tiny model of a contract under construction. The llama.cpp release of the
// contract loads and decodes it. Its keys and tensors are in the draft of the context. Tensors get
// their shapes and data last, so that these follow from changed keys.
class RunningModel {
 public:
  static constexpr std::size_t kMostKeys = 128;
  // The approximate size of the smallest models, in bytes. With less room, do not try.
  static constexpr std::size_t kLeastRoom = 300'000;

  // ContractOf returns the contract of a draft that is a model: it has the keys that llama.cpp
  // reads first, and some tensors. Otherwise nullptr.
  [[nodiscard]] static const Contract* ContractOf(const Draft& draft);

  RunningModel(MutationContext& context, const Contract& contract,
               const LearnedVocabularies& vocabularies);

  // Begin puts a model of any form and vocabulary into the draft; false without room.
  [[nodiscard]] bool Begin();
  // Finish gives tensors data, and the shapes that follow from the keys; false without room.
  [[nodiscard]] bool Finish();

  // SetVocabulary replaces the keys of the vocabulary.
  [[nodiscard]] bool SetVocabulary(const LearnedVocabularies::Vocabulary& vocabulary);

  [[nodiscard]] const Contract& contract() const { return contract_; }
  [[nodiscard]] const LearnedVocabularies& vocabularies() const { return vocabularies_; }
  // SetLayers changes the number of layers.
  [[nodiscard]] bool SetLayers(std::uint64_t layers);

  // Find returns the entry of a key. The name is without the architecture.
  [[nodiscard]] Entry* Find(std::string_view name) const;
  // Number returns the value of a u32 key; otherwise nullopt.
  [[nodiscard]] std::optional<std::uint64_t> Number(std::string_view name) const;
  // HasCondition returns whether the contract has a condition of this slug.
  [[nodiscard]] bool HasCondition(std::string_view slug) const;
  // HasArrays returns whether there is an array with an element per layer.
  [[nodiscard]] bool HasArrays() const;
  // AllLayersAlike returns whether all layers have the same tensors.
  [[nodiscard]] bool AllLayersAlike() const;
  [[nodiscard]] std::uint64_t Tokens() const;

 private:
  [[nodiscard]] bool AddKey(const ContractKey& key);
  [[nodiscard]] bool AddTensors();
  [[nodiscard]] bool AddTensor(const ContractTensor& tensor, std::string_view name);
  [[nodiscard]] bool ShapeOne(Tensor& tensor, const Quantities& before,
                              const Quantities& after) const;

  [[nodiscard]] bool ShapeByGuess(Tensor& tensor, const Quantities& before,
                                  const Quantities& after) const;

  MutationContext& context_;
  const Contract& contract_;
  const LearnedVocabularies& vocabularies_;
  ContractForm form_ = ContractForm::kDense;
  std::array<Entry, kMostKeys> learned_;  // the keys of the contract
  std::size_t learned_count_ = 0;
  std::uint64_t learned_tokens_ = 0;
};

}  // namespace ggufgate::mutate
