#include "format/contracts/contract_table.h"

#include <algorithm>
#include <utility>

namespace ggufgate {

const ContractTable& ContractTable::CompiledIn() {
  static const ContractTable table;
  return table;
}

std::span<const ContractTable> ContractTable::Learned() { return {&CompiledIn(), 1}; }

const ContractTable* ContractTable::FindLearned(std::string_view release) {
  const auto found = std::ranges::find(Learned(), release, &ContractTable::release);
  return found != Learned().end() ? &*found : nullptr;
}

ContractTable::ContractTable(std::shared_ptr<const std::string> text, std::string_view release,
                             std::vector<Contract> contracts, std::string sha256)
    : text_(std::move(text)),
      release_(release),
      contracts_(std::move(contracts)),
      sha256_(std::move(sha256)) {}

std::span<const Contract> ContractTable::All() const {
  return IsCompiledIn() ? AllContracts() : std::span<const Contract>(contracts_);
}

const Contract* ContractTable::Find(std::string_view architecture) const {
  if (IsCompiledIn()) return FindContract(architecture);
  const auto found =
      std::ranges::lower_bound(contracts_, architecture, {}, &Contract::architecture);
  return found != contracts_.end() && found->architecture == architecture ? &*found : nullptr;
}

}  // namespace ggufgate
