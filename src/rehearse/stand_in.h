#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "gate/reading/descriptor.h"
#include "gate/reading/input.h"

namespace ggufgate {

// ModelFront is the part of a model before its weights.
struct ModelFront {
  std::uint64_t bytes = 0;   // metadata, tensor directory and padding
  std::uint64_t shards = 0;  // split.count; 0: no such key
};

// FrontOf parses the metadata in a confined child. Its answer is checked against the file's size
// and the limit of metadata; nothing else of it is believed. Must be called while the process has
// one thread.
[[nodiscard]] absl::StatusOr<ModelFront> FrontOf(const Input& model);

// MakeStandIn makes a file in memory that is as long as the model. It holds the front byte for byte
// and a hole instead of the weights, and nobody can change it.
[[nodiscard]] absl::StatusOr<Descriptor> MakeStandIn(const Input& model, const ModelFront& front);

// MakeZeros makes a file in memory of `size` zeros, which nobody can change.
[[nodiscard]] absl::StatusOr<Descriptor> MakeZeros(std::uint64_t size);

}  // namespace ggufgate
