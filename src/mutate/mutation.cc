#include "mutate/mutation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "mutate/build/mutation_context.h"
#include "mutate/examples/examples.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

// Not deduced: Clang expands no fold over more than 256 arguments.
constexpr auto kLines = std::to_array<Mutation>({
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

// LieOf<i> is the lie of the example with this index.
template <std::size_t kIndex>
constexpr Mutation LieOf() {
  constexpr const Example& kExample = kExamples[kIndex];
  return {kExample.slug,
          MutationFamily::kExample,
          MutationKind::kLie,
          DataNeeded::kNone,
          kExample.rule,
          kExample.what,
          [](MutationContext& context) { return TellExample(context, kExamples[kIndex]); }};
}

// All examples, also those of warnings and notes.
constexpr auto kExampleLies = []<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
  return std::array<Mutation, sizeof...(kIndex)>{LieOf<kIndex>()...};
}(std::make_index_sequence<kExamples.size()>());

constexpr auto kMutations = [] {
  constexpr auto kErrors = std::ranges::count_if(kExamples, &Example::IsError);
  std::array<Mutation, kLines.size() + static_cast<std::size_t>(kErrors)> all{};
  std::ranges::copy(kLines, all.begin());
  std::size_t next = kLines.size();
  for (std::size_t i = 0; i < kExamples.size(); ++i) {
    if (kExamples[i].IsError()) all.at(next++) = kExampleLies.at(i);
  }
  return all;
}();

constexpr std::array<std::string_view, 11> kFamilies = {"header",
                                                        "metadata",
                                                        "tensor directory",
                                                        "alignment and layout",
                                                        "tensor data",
                                                        "cross-field",
                                                        "text",
                                                        "complexity",
                                                        "structure",
                                                        "models that run",
                                                        "examples"};

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
