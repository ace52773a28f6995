#pragma once

// The functions that mutations.def names, each in the file of its family: mutate/edits/metadata.cc,
// mutate/lies/metadata.cc, and so on.

#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

#define GGUFGATE_EDIT(name, slug, family, what) bool Edit##name(MutationContext& context);
#define GGUFGATE_BENIGN(name, slug, family, what) bool Benign##name(MutationContext& context);
#define GGUFGATE_LIE(name, slug, family, data, rules, what) \
  bool Lie##name(MutationContext& context);
#define GGUFGATE_MODEL(name, slug, what) bool Model##name(MutationContext& context);
#include "mutate/mutations/mutations.def"
#undef GGUFGATE_MODEL
#undef GGUFGATE_EDIT
#undef GGUFGATE_BENIGN
#undef GGUFGATE_LIE

struct Example;

// TellExample adds the bad record of an example (mutate/lies/examples.cc). A function of
// mutation.cc calls it for each example.
bool TellExample(MutationContext& context, const Example& example);

}  // namespace ggufgate::mutate
