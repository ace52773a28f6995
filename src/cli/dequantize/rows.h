#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "gate/tensor_floats.h"

namespace ggufgate {

// RowsFor parses "A:B". Either number may be missing.
[[nodiscard]] absl::StatusOr<RowRange> RowsFor(std::string_view words, std::uint64_t row_count);

}  // namespace ggufgate
