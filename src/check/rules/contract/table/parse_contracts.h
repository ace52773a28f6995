#pragma once

// Files of contracts: those of another release of llama.cpp (`check --contracts`).

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "check/rules/contract/table/block_check.h"
#include "format/contracts/contract_table.h"

namespace ggufgate {

inline constexpr std::string_view kContractsFileHead = "ggufgate contracts 1";
inline constexpr std::string_view kContractsFileEnd = "end ";  // and the number of architectures
inline constexpr std::size_t kLongestContractsFile = std::size_t{4} << 20;  // bytes
inline constexpr std::size_t kLongestReleaseName = 64;

// ParsedContracts has either a table or the first problem.
struct ParsedContracts {
  std::shared_ptr<const ContractTable> table;
  std::optional<ContractProblem> problem;
};

// ParseContracts checks every line of a file:
//
//   ggufgate contracts 1
//   release llama.cpp v0.4.0
//   architecture afmoe spm
//   key context_length u32 128 eE
//   …
//   end 145
//
// The last line has the number of architectures: a file that was cut short would accept models that
// crash. Architectures are sorted by bytes, and unique. Their blocks are those of
// src/format/contracts. The text is hostile, and so are the texts of a problem. `sha256` is the
// digest of the text, in hex. Time is linear in the text.
[[nodiscard]] ParsedContracts ParseContracts(std::string text, std::string sha256);

}  // namespace ggufgate
