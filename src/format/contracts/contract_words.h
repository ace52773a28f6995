#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "format/contracts/contract.h"

namespace ggufgate {

// kContractWords has the first words of all lines of contracts (docs/contracts.md).
inline constexpr auto kContractWords = std::to_array<std::string_view>(
    {"key", "tensor", "required", "condition", "scaled", "unadapted", "load", "role", "sought",
     "unfit", "rows", "first", "shape", "used", "next"});

// WordIndex returns the place of a word in kContractWords, or their number.
[[nodiscard]] std::size_t WordIndex(std::string_view word);

// ContractWords is a set of them. It may also have the fact that there is a contract.
class ContractWords {
 public:
  [[nodiscard]] static ContractWords All() { return ContractWords(~std::uint32_t{0}); }
  ContractWords() = default;

  // Add adds one of kContractWords, or all of a set. Another word adds all.
  void Add(std::string_view word);
  void Add(ContractWords words) { bits_ |= words.bits_; }
  void AddPresence() { bits_ |= 1U; }

  [[nodiscard]] bool empty() const { return bits_ == 0; }
  [[nodiscard]] bool Overlaps(ContractWords words) const { return (bits_ & words.bits_) != 0; }

 private:
  explicit ContractWords(std::uint32_t bits) : bits_(bits) {}

  std::uint32_t bits_ = 0;  // bit 0 is the presence, bit i + 1 is word i
};

// IndexedContract finds the lines of a word without reading the others.
class IndexedContract {
 public:
  // Views the contract.
  explicit IndexedContract(const Contract& contract);

  [[nodiscard]] const Contract& contract() const { return *contract_; }

  // Lines returns the lines of a word. One that is not in kContractWords is searched.
  [[nodiscard]] ContractLines Lines(std::string_view word) const;

  // DifferingFrom returns the words whose lines differ in another loader's contract of the same
  // architecture; all words if that is nullptr. Contracts of different texts count as different.
  [[nodiscard]] ContractWords DifferingFrom(const IndexedContract* other) const;

 private:
  const Contract* contract_;
  std::array<std::span<const std::uint32_t>, kContractWords.size()> lines_{};  // by word
};

}  // namespace ggufgate
