#pragma once

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// Generate fills an empty draft from random numbers only: plain tensors, models, vocabularies,
// templates, adapters, projectors, shards, and values of every type. Most are small. Nearly all are
// valid; Repair drops the rest.
void Generate(MutationContext& context);

// The parts of a file, for Generate and for lies that need them.
void GenerateVocabulary(MutationContext& context);  // mutate/generate/vocabulary.cc

}  // namespace ggufgate::mutate
