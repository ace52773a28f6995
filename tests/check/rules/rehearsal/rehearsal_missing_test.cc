// A policy that requires a rehearsal.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

TEST(RehearsalMissing, RejectsWhatNothingRehearses) {
  Policy policy;
  policy.rehearsal = RehearsalNeed::kRequired;
  const Judged judged = Judge(Model::Minimal(), policy);
  EXPECT_THAT(judged.Rules(), ElementsAre("rehearsal-missing"));
  EXPECT_EQ(WordingOf(judged.Only(RuleId::kRehearsalMissing)), RehearsalMissingWording::kOnly);
}

TEST(RehearsalMissing, IsSilentIfARehearsalFollowsOrIsOptional) {
  Policy policy;
  EXPECT_THAT(Judge(Model::Minimal(), policy).Rules(), IsEmpty());
  policy.rehearsal = RehearsalNeed::kRequired;
  policy.rehearsal_follows = true;
  EXPECT_THAT(Judge(Model::Minimal(), policy).Rules(), IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing
