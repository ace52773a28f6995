#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/contracts/contract.h"

namespace ggufgate {

// ContractText is the text of a file of contracts, with the offsets of the lines of all its blocks.
struct ContractText {
  std::string text;
  std::vector<std::uint32_t> lines;
};

// ContractTable has the contracts of one release of a loader. A copy shares the text.
class ContractTable {
 public:
  // Learned returns the tables that are compiled in, the newest release first.
  [[nodiscard]] static std::span<const ContractTable> Learned();

  // FindLearned finds one of them by its full name, such as "llama.cpp v0.4.0"; nullptr if there is
  // none.
  [[nodiscard]] static const ContractTable* FindLearned(std::string_view release);

  // CompiledIn returns the first of them: that of kContractRelease.
  [[nodiscard]] static const ContractTable& CompiledIn() { return Learned().front(); }

  // A table from a file: `release` and `contracts` view `text`, and `contracts` are sorted by name,
  // without repetition. `sha256` is the digest of the file, in hex. ParseContracts() makes tables.
  ContractTable(std::shared_ptr<const ContractText> text, std::string_view release,
                std::vector<Contract> contracts, std::string sha256);

  [[nodiscard]] std::string_view release() const { return release_; }
  // Empty for tables that are compiled in.
  [[nodiscard]] const std::string& sha256() const { return sha256_; }
  [[nodiscard]] bool IsCompiledIn() const { return text_ == nullptr; }

  // All returns the contracts, sorted by name.
  [[nodiscard]] std::span<const Contract> All() const { return contracts_; }

  // Find finds the contract of an architecture; nullptr if the release does not know it.
  [[nodiscard]] const Contract* Find(std::string_view architecture) const;

 private:
  std::shared_ptr<const ContractText> text_;  // null: compiled in
  std::string_view release_;
  std::vector<Contract> contracts_;
  std::string sha256_;
};

}  // namespace ggufgate
