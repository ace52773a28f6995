#pragma once

// Tensors without which llama.cpp refuses a model. Not for users of the library.

#include <string>
#include <vector>

#include "check/rules/contract/parameters/loader_parameters.h"
#include "format/contracts/contract.h"

namespace ggufgate {

struct Context;

// FormsLike returns the forms of an architecture that, like the file, have experts or do not. It
// returns all forms if no form is like the file.
[[nodiscard]] std::vector<ContractForm> FormsLike(const LoaderContract& contract,
                                                  const LoaderParameters& parameters);

// AbsentTensorsOf returns the names of the tensors that the file lacks, for the form that lacks the
// fewest. It is empty if a form is complete, or if the file is no model that a contract describes.
[[nodiscard]] const std::vector<std::string>& AbsentTensorsOf(const Context& context);

}  // namespace ggufgate
