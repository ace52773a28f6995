#pragma once

#include <string_view>

#include "bytes/bytes.h"
#include "format/tensors/tensor_type.h"
#include "parse/model.h"

namespace ggufgate::mutate {

// FillLearned fills a tensor with data with which a model runs. They depend only on its name, type
// and size: small weights, norms near 1, decays below 0, valid blocks with small scales, zeros for
// integers.
void FillLearned(std::string_view name, TensorType type, MutableBytes data);
inline void FillLearned(Model::Tensor& tensor) {
  FillLearned(tensor.name, TensorType{tensor.type_id}, tensor.data);
}

}  // namespace ggufgate::mutate
