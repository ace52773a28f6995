#pragma once

#include <cstdint>

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// Repair changes the draft into one that passes every rule of severity error: records that may
// break one are dropped. Dropping is always safe: no such rule requires a key or a tensor.
//
// It knows the format by itself and never asks `check`: that the two agree is what the mutual
// examination shows.
//
// Data have to begin on a multiple of 32, so that with an alignment below that no record may change
// its size any more. kAll is for callers that write the draft without a further change; kFrom32
// drops smaller alignments.
enum class Alignments : std::uint8_t { kFrom32, kAll };
void Repair(MutationContext& context, Alignments alignments = Alignments::kFrom32);

// The steps, in this order.
void RepairMetadata(MutationContext& context);  // mutate/repair/metadata.cc: records, one by one
void RepairMeaning(
    MutationContext& context);  // mutate/repair/meaning.cc: keys whose meaning loaders rely on
void RepairTensors(MutationContext& context);  // mutate/repair/tensors.cc: directory and data
void FitInto(MutationContext& context);        // repair.cc: what does not fit the room goes
// mutate/repair/placement.cc: data where llama.cpp can map them
void PlaceData(MutationContext& context, Alignments alignments);

// PlaceData() adds no more bytes than this.
inline constexpr std::uint64_t kMostPadding = 96;

}  // namespace ggufgate::mutate
