#pragma once

#include <vector>

#include "dequantize/statistics.h"
#include "gate/tensor_floats.h"

namespace ggufgate {

// Figures computes statistics. Each thread handles a part; the parts are joined in order, so the
// result does not depend on the number of threads.
class Figures {
 public:
  explicit Figures(unsigned jobs) : parts_(jobs) {}

  void AtOnce(const TensorFloats::Chunk& chunk) {
    parts_.at(chunk.worker) = Statistics();
    parts_.at(chunk.worker).Add(chunk.floats);
  }
  void InTurn(const TensorFloats::Chunk& chunk) { all_.Merge(parts_.at(chunk.worker)); }

  [[nodiscard]] const Statistics& all() const { return all_; }

 private:
  std::vector<Statistics> parts_;
  Statistics all_;
};

}  // namespace ggufgate
