#include "format/contracts/contract_words.h"

#include <algorithm>

namespace ggufgate {

std::size_t WordIndex(std::string_view word) {
  return static_cast<std::size_t>(std::ranges::find(kContractWords, word) - kContractWords.begin());
}

void ContractWords::Add(std::string_view word) {
  static_assert(kContractWords.size() < 32, "one bit each");
  const std::size_t index = WordIndex(word);
  if (index == kContractWords.size()) {
    *this = All();
  } else {
    bits_ |= 2U << index;
  }
}

IndexedContract::IndexedContract(const Contract& contract) : contract_(&contract) {
  std::string_view before;
  for (std::size_t i = 0; i < contract.lines.size(); ++i) {
    std::string_view line = LineAt(contract.text, contract.lines[i]);
    const std::string_view word = TakeField(line);
    const std::size_t index = WordIndex(word);
    if (index == kContractWords.size()) continue;
    const std::size_t size = word == before ? lines_.at(index).size() + 1 : 1;
    lines_.at(index) = contract.lines.subspan(i + 1 - size, size);
    before = word;
  }
}

ContractLines IndexedContract::Lines(std::string_view word) const {
  const std::size_t index = WordIndex(word);
  if (index == kContractWords.size()) return {*contract_, word};
  return {contract_->text, lines_.at(index)};
}

ContractWords IndexedContract::DifferingFrom(const IndexedContract* other) const {
  if (other == nullptr || other->contract_->text.data() != contract_->text.data() ||
      other->contract_->vocabulary != contract_->vocabulary) {
    return ContractWords::All();
  }
  ContractWords differing;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!std::ranges::equal(lines_.at(i), other->lines_.at(i))) differing.Add(kContractWords.at(i));
  }
  return differing;
}

}  // namespace ggufgate
