#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "gate/tensor_floats.h"

namespace ggufgate {

// RowsFor understands "A:B", either of which may be left out.
[[nodiscard]] absl::StatusOr<RowRange> RowsFor(std::string_view words, std::uint64_t row_count);

}  // namespace ggufgate
