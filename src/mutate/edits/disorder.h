#pragma once

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// What mode semi does besides edits and lies. Several fields may be wrong afterwards; which ones is
// not recorded.

// TurnEncoding brings the draft to another byte order, to the 4-byte words of version 1, or both.
void TurnEncoding(MutationContext& context);

// ClaimCounts makes the header of a draft that is written as it stands claim other counts.
void ClaimCounts(MutationContext& context);

// AdoptNew adds a piece for each record that edits added, so that WriteAsItStands writes it.
void AdoptNew(Draft& draft);

// Disorder changes the bytes of a written draft in one way: a number of a record or of the header,
// the end of the file, bytes between two records, the byte order of the header alone, or all line
// ends. Returns false when the way that was drawn does not apply. Earlier changes to the bytes are
// allowed.
bool Disorder(MutationContext& context);

}  // namespace ggufgate::mutate
