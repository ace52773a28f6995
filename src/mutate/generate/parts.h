#pragma once

// Functions that the files generate*.cc share.

#include <cstdint>

#include "bytes/byte_order.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

template <Scalar T>
using WordOf = typename ggufgate::internal::UnsignedOfSize<sizeof(T)>::Type;

// mutate/generate/models.cc
void GenerateModel(MutationContext& context);
void GenerateAdapter(MutationContext& context);
void GenerateControlVector(MutationContext& context);
void GenerateProjector(MutationContext& context);
void GenerateShard(MutationContext& context);

// AddKnownValue adds a key of keys.def with a value of its shape. `count` is the number of
// elements, for arrays whose length the format does not fix.
void AddKnownValue(MutationContext& context, std::size_t id, std::string_view architecture,
                   std::uint64_t count);

}  // namespace ggufgate::mutate
