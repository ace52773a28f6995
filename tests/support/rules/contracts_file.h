#pragma once

// Files for `check --contracts`.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "check/rules/contract/table/parse_contracts.h"
#include "format/contracts/contract.h"
#include "format/contracts/contract_table.h"

namespace ggufgate::testing {

inline std::string ContractsHead(std::string_view release) {
  return std::string(kContractsFileHead) + "\nrelease " + std::string(release) + "\n";
}

inline std::string ContractsEnd(std::size_t architectures) {
  return std::string(kContractsFileEnd) + std::to_string(architectures) + "\n";
}

// ContractsFile returns a file of blocks, with their number at the end.
inline std::string ContractsFile(std::string_view release, const std::string& blocks) {
  constexpr std::string_view kWord = "architecture ";
  std::size_t count = blocks.starts_with(kWord) ? 1 : 0;
  const std::string at_line = "\n" + std::string(kWord);
  for (std::size_t at = blocks.find(at_line); at != std::string::npos;
       at = blocks.find(at_line, at + 1)) {
    ++count;
  }
  return ContractsHead(release) + blocks + ContractsEnd(count);
}

inline std::string BlockText(const Contract& contract) {
  std::string text = "architecture " + std::string(contract.architecture) + " " +
                     std::string(contract.vocabulary) + "\n";
  for (const std::uint32_t offset : contract.lines) {
    text.append(LineAt(contract.text, offset)).append("\n");
  }
  return text;
}

// CompiledInText returns the contracts that are compiled in, as a file.
inline std::string CompiledInText(std::string_view release = kContractRelease) {
  std::string blocks;
  for (const Contract& contract : AllContracts()) blocks += BlockText(contract);
  return ContractsFile(release, blocks);
}

// Replaced replaces the first occurrence of a text, which must exist.
inline std::string Replaced(std::string text, std::string_view old, std::string_view now) {
  const std::size_t place = text.find(old);
  EXPECT_NE(place, std::string::npos) << old;
  return place != std::string::npos ? text.replace(place, old.size(), now) : text;
}

// TableOf parses a valid file.
inline std::shared_ptr<const ContractTable> TableOf(std::string text) {
  const ParsedContracts parsed = ParseContracts(std::move(text), std::string(64, 'c'));
  if (parsed.problem) ADD_FAILURE() << parsed.problem->line << ": " << parsed.problem->what;
  return parsed.table;
}

}  // namespace ggufgate::testing
