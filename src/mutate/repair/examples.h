#pragma once

// The records that repair drops because of examples.def.

#include <string_view>

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

struct Example;

// Permits returns false if an example of an error has the key of an entry, or the name of a tensor,
// but does not keep the record. The entry must be of a repaired draft.
[[nodiscard]] bool Permits(const Example& example, const Entry& entry,
                           std::string_view architecture);
[[nodiscard]] bool Permits(const Example& example, const Tensor& tensor);

// MayStay returns whether every example permits a record.
[[nodiscard]] bool MayStay(const MutationContext& context, const Entry& entry,
                           std::string_view architecture);
[[nodiscard]] bool MayStay(const MutationContext& context, const Tensor& tensor);

}  // namespace ggufgate::mutate
