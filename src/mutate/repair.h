#pragma once

#include "mutate/bench.h"

namespace ggufgate::mutate {

// Repair makes the draft one that every rule of severity error lets pass: what it cannot vouch for,
// it drops. Dropping is always safe: no rule asks for a key or a tensor to be there.
//
// It knows the format by itself and never asks `check`: that the two agree is what the mutual
// examination shows.
void Repair(Bench& bench);

// The steps, in this order.
void RepairMetadata(Bench& bench);  // repair_metadata.cc: records, one by one
void RepairMeaning(Bench& bench);   // repair_meaning.cc: keys whose meaning loaders rely on
void RepairTensors(Bench& bench);   // repair_tensors.cc: directory and data
void FitInto(Bench& bench);         // repair.cc: what does not fit the room goes

}  // namespace ggufgate::mutate
