#pragma once

// Tables of experts: the first layers of some architectures look up the experts of a token by its
// id. Not for users of the library.

#include <cstdint>

#include "parse/document.h"

namespace ggufgate {

struct Policy;

// ExpertTables describes these tables in a file, and their allowed values.
struct ExpertTables {
  std::uint32_t experts = 0;  // limit of the indices; 0: the file has no tables
  std::uint64_t layers = 0;   // each of the first `layers` layers has a table

  [[nodiscard]] bool Has(const TensorInfo& tensor) const { return experts > 0 && IsTable(tensor); }

 private:
  [[nodiscard]] bool IsTable(const TensorInfo& tensor) const;
};

// ExpertTablesOf finds tables only in models of architectures that use them in llama.cpp, as
// measured in any loader of the policy. Rule architecture-condition reports tables of a type other
// than I32.
[[nodiscard]] ExpertTables ExpertTablesOf(const Document& document, const Policy& policy);

}  // namespace ggufgate
