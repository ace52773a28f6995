#pragma once

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// What mode semi does beside edits and lies: several things may be wrong, and nobody says which.

// TurnEncoding brings the draft to another byte order, to the 4-byte words of version 1, or both.
void TurnEncoding(MutationContext& context);

// ClaimCounts makes the header of a draft that is written as it stands claim other counts.
void ClaimCounts(MutationContext& context);

// AdoptNew gives records that edits added a piece each, so that Emit writes them.
void AdoptNew(Draft& draft);

// Disorder changes a draft that Write has written: a number of a record or of the header, the end
// of the file, bytes between two records, the byte order of the header alone, all line ends. False
// when what was drawn does not apply. Changes that were made before do not matter.
bool Disorder(MutationContext& context);

}  // namespace ggufgate::mutate
