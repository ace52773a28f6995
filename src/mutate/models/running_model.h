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

// RunningModel is a tiny model of a contract in the making, which the release of the contract loads
// and decodes. Its keys and tensors are in the draft of the context; the tensors get their shapes
// and data last, so that they follow from keys that were changed before.
class RunningModel {
 public:
  static constexpr std::size_t kMostKeys = 128;
  // The smallest models take about this much, in bytes: no use to try with less room.
  static constexpr std::size_t kLeastRoom = 300'000;

  // ContractOf is the contract of a draft that is a model: it has the keys that llama.cpp asks for
  // first, and some tensors. nullptr for others.
  [[nodiscard]] static const Contract* ContractOf(const Draft& draft);

  RunningModel(MutationContext& context, const Contract& contract,
               const LearnedVocabularies& vocabularies);

  // Begin puts a model of any form and vocabulary into the draft; false where it has no room.
  [[nodiscard]] bool Begin();
  // Finish gives tensors the shapes that follow from the keys, and data; false without room.
  [[nodiscard]] bool Finish();

  // SetVocabulary puts the keys of a vocabulary in place of those there are.
  [[nodiscard]] bool SetVocabulary(const LearnedVocabularies::Vocabulary& vocabulary);

  [[nodiscard]] const Contract& contract() const { return contract_; }
  [[nodiscard]] const LearnedVocabularies& vocabularies() const { return vocabularies_; }
  // SetLayers makes it a model of so many layers.
  [[nodiscard]] bool SetLayers(std::uint64_t layers);

  // Find gives the entry of a key, named without the architecture.
  [[nodiscard]] Entry* Find(std::string_view name) const;
  // Number is the value of a key that holds a u32; nullopt for all others.
  [[nodiscard]] std::optional<std::uint64_t> Number(std::string_view name) const;
  // HasCondition tells whether the contract has a condition of this slug.
  [[nodiscard]] bool HasCondition(std::string_view slug) const;
  // HasArrays tells whether there is an array with an element for each layer.
  [[nodiscard]] bool HasArrays() const;
  // AllLayersAlike tells whether each tensor of a layer is in all of them.
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
  std::array<Entry, kMostKeys> learned_;  // the keys as the contract has them
  std::size_t learned_count_ = 0;
  std::uint64_t learned_tokens_ = 0;
};

}  // namespace ggufgate::mutate
