#pragma once

#include <string_view>

#include "parse/model.h"

namespace ggufgate::mutate {

// FillLearned gives a tensor data with which a model can be run, a function of its name, type and
// size alone: small weights, norms about 1, decays below 0, sound blocks with small scales, zeros
// for integers.
void FillLearned(Model::Tensor& tensor);

}  // namespace ggufgate::mutate
