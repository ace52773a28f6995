#include "mutate/mutation.h"

#include <algorithm>
#include <array>

#include "mutate/build/mutation_context.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

// Not deduced: Clang expands no fold over more than 256 arguments.
constexpr auto kMutations = std::to_array<Mutation>({
#define GGUFGATE_EDIT(name, slug, family, what)                                                  \
  Mutation{slug,       MutationFamily::family, MutationKind::kEdit, DataNeeded::kNone, "", what, \
           &Edit##name},
#define GGUFGATE_BENIGN(name, slug, family, what)                                      \
  Mutation{slug, MutationFamily::family, MutationKind::kBenign, DataNeeded::kNone, "", \
           what, &Benign##name},
#define GGUFGATE_LIE(name, slug, family, data, rules, what)                                      \
  Mutation{slug,      MutationFamily::family, MutationKind::kLie, DataNeeded::data, rules, what, \
           &Lie##name},
#define GGUFGATE_MODEL(name, slug, what)                                                           \
  Mutation{slug,        MutationFamily::kModel, MutationKind::kModel, DataNeeded::kNone, "", what, \
           &Model##name},
#include "mutate/mutations/mutations.def"
#undef GGUFGATE_MODEL
#undef GGUFGATE_EDIT
#undef GGUFGATE_BENIGN
#undef GGUFGATE_LIE
});

constexpr std::array<std::string_view, 10> kFamilies = {"header",
                                                        "metadata",
                                                        "tensor directory",
                                                        "alignment and layout",
                                                        "tensor data",
                                                        "cross-field",
                                                        "text",
                                                        "complexity",
                                                        "structure",
                                                        "models that run"};

}  // namespace

std::string_view WordFor(MutationFamily family) {
  return kFamilies[static_cast<std::size_t>(family)];
}

std::span<const Mutation> AllMutations() { return kMutations; }

const Mutation* FindMutation(std::string_view slug) {
  const auto* const found = std::ranges::find(kMutations, slug, &Mutation::slug);
  return found == kMutations.end() ? nullptr : &*found;
}

}  // namespace ggufgate::mutate
