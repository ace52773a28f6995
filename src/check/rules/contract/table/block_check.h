#pragma once

// Checks the lines of contracts: the rules rely on lines that were checked. Not for users of the
// library.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "format/contracts/contract.h"

namespace ggufgate {

// Limits of a block, so that its reading takes little time and memory. The largest learned block
// has 137 lines of up to 911 bytes, with 370 names.
inline constexpr std::size_t kLongestContractLine = 4096;
inline constexpr std::size_t kMostContractLines = 400;
inline constexpr std::size_t kMostContractNames = 1000;

// ContractProblem is a line that does not match its description.
struct ContractProblem {
  std::size_t line = 0;  // from 1 on
  std::string what = {};
};

// ProblemIn returns the first problem of a block; nullopt if the rules can use it. Its lines
// have only printable characters of ASCII.
[[nodiscard]] std::optional<ContractProblem> ProblemIn(const Contract& contract);

}  // namespace ggufgate
