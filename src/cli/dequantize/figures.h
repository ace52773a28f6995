#pragma once

#include <vector>

#include "dequantize/statistics.h"
#include "gate/tensor_floats.h"

namespace ggufgate {

// Figures gathers statistics, a part in each thread, joined in order: the same for any number.
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
