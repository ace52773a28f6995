#pragma once

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// Changes of mode semi, in addition to edits and lies. Several fields may be wrong afterwards. The
// functions do not record which.

// TurnEncoding converts the draft to the other byte order, to the 4-byte counts of version 1, or
// both.
void TurnEncoding(MutationContext& context);

// ClaimCounts changes a count in the header of a draft, for WriteAsItStands.
void ClaimCounts(MutationContext& context);

// AdoptNew adds a piece for each record that edits added, so that WriteAsItStands writes it.
void AdoptNew(Draft& draft);

// Disorder changes the bytes of a written draft in one way: a number of a record or of the header,
// the end of the file, bytes between two records, the byte order of the header only, or all line
// ends. It returns false if the chosen way does not apply. It accepts bytes that were changed
// before.
bool Disorder(MutationContext& context);

}  // namespace ggufgate::mutate
