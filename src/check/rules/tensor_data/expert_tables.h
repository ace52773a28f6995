#pragma once

// Tables of experts: in the first layers of some architectures a token goes through experts that
// are looked up by its number. Not for users of the library.

#include <cstdint>

#include "parse/document.h"

namespace ggufgate {

// ExpertTables says which tensors of a file are such tables, and what may stand in them.
struct ExpertTables {
  std::uint32_t experts = 0;  // numbers must be below it; 0: the file has no tables
  std::uint64_t layers = 0;   // the first so many have a table each

  [[nodiscard]] bool Has(const TensorInfo& tensor) const { return experts > 0 && IsTable(tensor); }

 private:
  [[nodiscard]] bool IsTable(const TensorInfo& tensor) const;
};

// ExpertTablesOf finds none where the file is no model of an architecture that llama.cpp was seen
// to look experts up for. Tables of a type other than I32 are left to rule architecture-condition.
[[nodiscard]] ExpertTables ExpertTablesOf(const Document& document);

}  // namespace ggufgate
