#pragma once

#include <cstdint>

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// Repair changes the draft so that it passes every rule of severity error. It drops records that
// may break one. Dropping is always safe: no such rule requires a key or a tensor.
//
// It implements the format independently and never calls `check`: each tests the other.
//
// Data must begin at a multiple of 32. So with a smaller alignment no record may change its size
// afterwards. kAll is for callers that write the draft without further changes; kFrom32 drops
// smaller alignments.
enum class Alignments : std::uint8_t { kFrom32, kAll };
void Repair(MutationContext& context, Alignments alignments = Alignments::kFrom32);

// The steps, in this order.
void RepairMetadata(MutationContext& context);  // mutate/repair/metadata.cc: records, one by one
void RepairMeaning(
    MutationContext& context);  // mutate/repair/meaning.cc: keys that loaders interpret
void RepairTensors(MutationContext& context);  // mutate/repair/tensors.cc: directory and data
void FitInto(MutationContext& context);        // repair.cc: drops the parts that do not fit
void FinishData(MutationContext& context);     // tensors.cc: no unfinished download
// mutate/repair/placement.cc: puts data where llama.cpp can map them
void PlaceData(MutationContext& context, Alignments alignments);

// The most bytes that PlaceData() adds.
inline constexpr std::uint64_t kMostPadding = 96;

}  // namespace ggufgate::mutate
