// Lies about names in drafts that other lies have left without a usable name.

#include <gtest/gtest.h>

#include <string>

#include "mutate/mutation.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

TEST(TextLiesNames, KeysMayBeTooShortToHaveAnInside) {
  for (const std::string& key : {std::string(), std::string("k"), std::string("kk")}) {
    for (const Mutation& mutation : AllMutations()) {
      const bool lie = mutation.kind == MutationKind::kLie;
      if (!lie || mutation.family != MutationFamily::kText) continue;
      Workshop workshop(key.size());
      for (int round = 0; round < 200; ++round) {
        MutationContext& context = workshop.Fresh();
        context.draft.entries.Add({.key = key, .type = 0, .value = AsBytes("v")});
        context.draft.entries.Add({.key = key, .type = 0, .value = AsBytes("w")});
        EXPECT_NO_THROW(static_cast<void>(mutation.apply(context))) << mutation.slug << ' ' << key;
      }
    }
  }
}

}  // namespace
}  // namespace ggufgate::mutate
