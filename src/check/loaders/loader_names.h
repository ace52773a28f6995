#pragma once

// Names of loaders, as in `check --loader llama.cpp@v0.4.0` and in policies.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/contracts/contract_table.h"

namespace ggufgate {

struct Policy;

// NamedLoader holds the contracts of a name.
struct NamedLoader {
  std::vector<std::shared_ptr<const ContractTable>> contracts;  // empty: the name is unknown
  // A sentence that names a build that was not measured, and the releases that replace it. Empty if
  // the build was measured.
  std::string note = {};
};

// LoaderNamed finds NAME@VERSION, or the newest version of NAME: a release of llama.cpp that is
// compiled in, or a program of loader_products.def.
[[nodiscard]] NamedLoader LoaderNamed(std::string_view name);

// LoaderNames lists all names with versions, the newest release of llama.cpp first.
[[nodiscard]] std::vector<std::string> LoaderNames();

// NameOfRelease returns the name that LoaderNamed() finds for a release: "llama.cpp@v0.4.0".
[[nodiscard]] std::string NameOfRelease(std::string_view release);

// SharedTable wraps a table that is compiled in, for Policy::loaders.
[[nodiscard]] std::shared_ptr<const ContractTable> SharedTable(const ContractTable& table);

// AddLoader adds a loader to a policy, unless the policy has it.
void AddLoader(std::shared_ptr<const ContractTable> contracts, Policy& policy);

}  // namespace ggufgate
