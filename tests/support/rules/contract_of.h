#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "format/contracts/contract.h"

namespace ggufgate::testing {

// ContractOf is a contract of architecture "a" with the lines of a literal.
class ContractOf {
 public:
  explicit ContractOf(std::string_view text) {
    std::string_view rest = text;
    while (!rest.empty()) {
      lines_.push_back(static_cast<std::uint32_t>(text.size() - rest.size()));
      static_cast<void>(TakeField(rest, '\n'));
    }
    contract_ = {.architecture = "a", .vocabulary = "spm", .text = text, .lines = lines_};
  }
  ContractOf(const ContractOf&) = delete;
  ContractOf& operator=(const ContractOf&) = delete;

  const Contract& operator*() const { return contract_; }

 private:
  std::vector<std::uint32_t> lines_;
  Contract contract_;
};

}  // namespace ggufgate::testing
