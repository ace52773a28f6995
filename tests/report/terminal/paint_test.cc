#include "report/terminal/paint.h"

#include <gtest/gtest.h>

namespace ggufgate {
namespace {

TEST(Paint, OffChangesNothing) {
  const Paint paint(false);
  EXPECT_EQ(paint.Good("ok") + paint.Bad("reject") + paint.Doubtful("?") + paint.Quiet("1 ms") +
                paint.Strong("why"),
            "okreject?1 mswhy");
}

TEST(Paint, OnColoursAWordAndGoesBackToNormal) {
  const Paint paint(true);
  EXPECT_EQ(paint.Good("ok"), "\x1b[32mok\x1b[0m");
  EXPECT_EQ(paint.Bad("reject"), "\x1b[1;31mreject\x1b[0m");
  EXPECT_EQ(paint.Doubtful("?"), "\x1b[33m?\x1b[0m");
  EXPECT_EQ(paint.Quiet("1 ms"), "\x1b[2m1 ms\x1b[0m");
  EXPECT_EQ(paint.Strong("why"), "\x1b[1mwhy\x1b[0m");
}

}  // namespace
}  // namespace ggufgate
