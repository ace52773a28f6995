#include "gate/verdict.h"

#include <gtest/gtest.h>

namespace ggufgate {
namespace {

TEST(Verdict, WordsAreThoseOfTheReportSchema) {
  EXPECT_EQ(WordFor(Verdict::kAccept), "accept");
  EXPECT_EQ(WordFor(Verdict::kReject), "reject");
  EXPECT_EQ(WordFor(Verdict::kUndecided), "undecided");
}

TEST(Verdict, ABlankOneIsNotAccept) {
  // A verdict from a number that is none says nothing, least of all "accept".
  EXPECT_EQ(WordFor(static_cast<Verdict>(3)), "");
}

}  // namespace
}  // namespace ggufgate
