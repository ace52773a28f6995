#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace ggufgate {

inline constexpr std::uint64_t kLongestPolicyFile = std::uint64_t{1} << 20;  // bytes

// ReadPolicyFile returns the text of a policy file: a regular file of at most kLongestPolicyFile
// bytes. It returns an error if the file changed meanwhile. ParsePolicy() parses the text.
[[nodiscard]] absl::StatusOr<std::string> ReadPolicyFile(const std::string& path);

// ReadContractsFile does the same for a file of contracts. ParseContracts() parses the text.
[[nodiscard]] absl::StatusOr<std::string> ReadContractsFile(const std::string& path);

}  // namespace ggufgate
