#include "format/contracts/contract_table.h"

#include <algorithm>
#include <utility>

#include "format/contracts/embedded_contracts.h"

namespace ggufgate {
namespace {

ContractTable TableOf(const EmbeddedRelease& release) {
  const std::string_view text = EmbeddedText();
  std::vector<Contract> contracts;
  contracts.reserve(release.count);
  for (const EmbeddedBlock& block : EmbeddedBlocks().subspan(release.first, release.count)) {
    std::string_view vocabulary = LineAt(text, block.head);
    const std::string_view architecture = TakeField(vocabulary);
    contracts.push_back({.architecture = architecture,
                         .vocabulary = vocabulary,
                         .text = text,
                         .lines = EmbeddedLines().subspan(block.first, block.count)});
  }
  return {nullptr, LineAt(text, release.name), std::move(contracts), ""};
}

}  // namespace

std::span<const ContractTable> ContractTable::Learned() {
  static const std::vector<ContractTable> tables = [] {
    std::vector<ContractTable> made;
    made.reserve(EmbeddedReleases().size());
    for (const EmbeddedRelease& release : EmbeddedReleases()) made.push_back(TableOf(release));
    return made;
  }();
  return tables;
}

const ContractTable* ContractTable::FindLearned(std::string_view release) {
  const std::span<const ContractTable> tables = Learned();
  const auto found = std::ranges::find(tables, release, &ContractTable::release);
  return found != tables.end() ? &*found : nullptr;
}

ContractTable::ContractTable(std::shared_ptr<const ContractText> text, std::string_view release,
                             std::vector<Contract> contracts, std::string sha256)
    : text_(std::move(text)),
      release_(release),
      contracts_(std::move(contracts)),
      sha256_(std::move(sha256)) {}

const Contract* ContractTable::Find(std::string_view architecture) const {
  const auto found =
      std::ranges::lower_bound(contracts_, architecture, {}, &Contract::architecture);
  return found != contracts_.end() && found->architecture == architecture ? &*found : nullptr;
}

}  // namespace ggufgate
