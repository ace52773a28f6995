#pragma once

// Models of deepseek2 and mistral4 are of several kinds that no key names: which keys and tensors
// the loader requires follows from numbers. Not for users of the library.

#include <string_view>

#include "check/rules/contract/loader_parameters.h"

namespace ggufgate {

struct Context;

class CompressedKinds {
 public:
  CompressedKinds(const Context& context, const LoaderParameters& parameters);

  // Instead is the key or the tensor that the loader requires where the contract names this one:
  // mostly the same; empty where it requires none.
  [[nodiscard]] std::string_view Instead(std::string_view name) const;

 private:
  bool lite_;     // queries are not compressed
  bool unsplit_;  // keys and values are not kept compressed, and come of one tensor
};

}  // namespace ggufgate
