#pragma once

#include <cstdint>

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// Repair makes the draft one that every rule of severity error lets pass: what it cannot vouch for,
// it drops. Dropping is always safe: no rule asks for a key or a tensor to be there.
//
// It knows the format by itself and never asks `check`: that the two agree is what the mutual
// examination shows.
//
// Alignments below 32 are for who writes the draft as it is then: what changes the size of a record
// moves the data, and those have to begin on a multiple of 32. Otherwise they go.
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

// SizeOfRecord is what a record takes in a file of version 2 or 3.
[[nodiscard]] std::uint64_t SizeOfRecord(const Entry& entry);
[[nodiscard]] std::uint64_t SizeOfRecord(const Tensor& tensor);
// DirectoryEnd is where the records of a repaired draft end.
[[nodiscard]] std::uint64_t DirectoryEnd(const Draft& draft);

}  // namespace ggufgate::mutate
