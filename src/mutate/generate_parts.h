#pragma once

// What generate*.cc share.

#include <cstdint>

#include "bytes/byte_order.h"
#include "mutate/bench.h"

namespace ggufgate::mutate {

template <Scalar T>
using WordOf = typename ggufgate::internal::UnsignedOfSize<sizeof(T)>::Type;

// generate_models.cc
void GenerateModel(Bench& bench);
void GenerateAdapter(Bench& bench);
void GenerateControlVector(Bench& bench);
void GenerateProjector(Bench& bench);
void GenerateShard(Bench& bench);

// AddKnownValue adds a key of keys.def with a value of the shape it must have. `count` is how many
// elements an array has that the format does not fix.
void AddKnownValue(Bench& bench, std::size_t id, std::string_view architecture,
                   std::uint64_t count);

}  // namespace ggufgate::mutate
