#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/contracts/contract.h"

namespace ggufgate {

// ContractTable has the contracts of one release of a loader.
class ContractTable {
 public:
  // CompiledIn returns the table of kContractRelease.
  [[nodiscard]] static const ContractTable& CompiledIn();

  // Learned returns the tables of the releases that are compiled in, the newest first.
  [[nodiscard]] static std::span<const ContractTable> Learned();

  // FindLearned finds one of them by its release ("llama.cpp v0.4.0"); nullptr without one.
  [[nodiscard]] static const ContractTable* FindLearned(std::string_view release);

  // A table from a file: `release` and `contracts` view `text`, and `contracts` are sorted by name,
  // without repetition. `sha256` is the digest of the file, in hex. ParseContracts() makes tables.
  ContractTable(std::shared_ptr<const std::string> text, std::string_view release,
                std::vector<Contract> contracts, std::string sha256);

  [[nodiscard]] std::string_view release() const { return release_; }
  // Empty for the table that is compiled in.
  [[nodiscard]] const std::string& sha256() const { return sha256_; }
  [[nodiscard]] bool IsCompiledIn() const { return text_ == nullptr; }

  // All returns the contracts, sorted by name.
  [[nodiscard]] std::span<const Contract> All() const;

  // Find finds the contract of an architecture; nullptr if the release does not know it.
  [[nodiscard]] const Contract* Find(std::string_view architecture) const;

 private:
  ContractTable() = default;

  std::shared_ptr<const std::string> text_;  // null: compiled in
  std::string_view release_ = kContractRelease;
  std::vector<Contract> contracts_;  // of a file
  std::string sha256_;
};

}  // namespace ggufgate
