#pragma once

#include <string_view>

#include "bytes/bytes.h"
#include "format/tensors/tensor_type.h"
#include "parse/model.h"

namespace ggufgate::mutate {

// FillLearned gives a tensor data with which a model can be run, a function of its name, type and
// size alone: small weights, norms about 1, decays below 0, sound blocks with small scales, zeros
// for integers.
void FillLearned(std::string_view name, TensorType type, MutableBytes data);
inline void FillLearned(Model::Tensor& tensor) {
  FillLearned(tensor.name, TensorType{tensor.type_id}, tensor.data);
}

}  // namespace ggufgate::mutate
