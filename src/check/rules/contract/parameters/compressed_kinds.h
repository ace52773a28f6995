#pragma once

// Models of deepseek2 and mistral4 are of several kinds, but no key names the kind. It follows from
// numbers, and decides which keys and tensors the loader requires. Not for users of the library.

#include <string_view>

#include "check/rules/contract/parameters/loader_parameters.h"

namespace ggufgate {

struct Context;

class CompressedKinds {
 public:
  CompressedKinds(const Context& context, const LoaderParameters& parameters);

  // Instead returns the key or tensor that the loader requires where the contract has this one.
  // Mostly it is the same. It is empty if the loader requires none.
  [[nodiscard]] std::string_view Instead(std::string_view name) const;

 private:
  bool lite_;     // queries are not compressed
  bool unsplit_;  // keys and values are not stored compressed, and come from one tensor
};

}  // namespace ggufgate
