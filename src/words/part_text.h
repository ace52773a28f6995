#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parse/document.h"
#include "parse/parts.h"
#include "parse/regions.h"

namespace ggufgate {

// PartText describes a part in words. All text of the file in it is escaped.
struct PartText {
  std::string name;  // the name of the field: "element 3: length"
  // The meaning of its bytes: "12: Q4_K, blocks of 256 values in 144 bytes".
  std::string meaning;
};

[[nodiscard]] PartText TextOf(const Document& document, const Region& region, const Part& part);

// NameOf returns the name of a region: "header", "metadata general.name", "tensor data
// output.weight".
[[nodiscard]] std::string NameOf(const Document& document, const Region& region);

// SubjectOf returns the key or tensor name of a region, unescaped. It is empty for other regions.
[[nodiscard]] std::string_view SubjectOf(const Document& document, const Region& region);

}  // namespace ggufgate
