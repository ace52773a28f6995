#pragma once

// The functions that mutations.def names, each in the file of its family: metadata_edits.cc,
// metadata_lies.cc, and so on.

#include "mutate/bench.h"

namespace ggufgate::mutate {

#define GGUFGATE_EDIT(name, slug, family, what) bool Edit##name(Bench& bench);
#define GGUFGATE_ODDITY(name, slug, family, what) bool Oddity##name(Bench& bench);
#define GGUFGATE_LIE(name, slug, family, data, rules, what) bool Lie##name(Bench& bench);
#include "mutate/mutations.def"
#undef GGUFGATE_EDIT
#undef GGUFGATE_ODDITY
#undef GGUFGATE_LIE

}  // namespace ggufgate::mutate
