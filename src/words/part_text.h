#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parse/document.h"
#include "parse/parts.h"
#include "parse/regions.h"

namespace ggufgate {

// PartText is a part in words. All text of the file in it is escaped.
struct PartText {
  std::string name;     // what the field is: "element 3: length"
  std::string meaning;  // what its bytes say: "12: Q4_K, blocks of 256 values in 144 bytes"
};

[[nodiscard]] PartText TextOf(const Document& document, const Region& region, const Part& part);

// NameOf is what a region is called: "header", "metadata general.name", "tensor data
// output.weight".
[[nodiscard]] std::string NameOf(const Document& document, const Region& region);

// SubjectOf is the key or tensor that a region belongs to, as it is in the file; empty for others.
[[nodiscard]] std::string_view SubjectOf(const Document& document, const Region& region);

}  // namespace ggufgate
