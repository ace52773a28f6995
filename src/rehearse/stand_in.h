#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "gate/reading/descriptor.h"
#include "gate/reading/input.h"

namespace ggufgate {

// ModelFront is the part of a model before its weights.
struct ModelFront {
  std::uint64_t bytes = 0;   // metadata, tensor directory and padding
  std::uint64_t shards = 0;  // split.count; 0 if the key is missing
};

// FrontOf parses the metadata in a confined child. It compares the child's answer with the file's
// size and the limit of metadata, and does not trust it otherwise. It must be called while the
// process has one thread.
[[nodiscard]] absl::StatusOr<ModelFront> FrontOf(const Input& model);

// MakeStandIn makes a sealed file in memory that is as long as the model. It contains the exact
// front of the model, and a hole instead of the weights.
[[nodiscard]] absl::StatusOr<Descriptor> MakeStandIn(const Input& model, const ModelFront& front);

// MakeZeros makes a sealed file of `size` zeros in memory.
[[nodiscard]] absl::StatusOr<Descriptor> MakeZeros(std::uint64_t size);

}  // namespace ggufgate
