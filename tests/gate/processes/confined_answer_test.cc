#include "gate/processes/confined_answer.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <csignal>

#include "gate/confine/confine.h"
#include "gate/processes/report_wire.h"

namespace ggufgate {
namespace {

std::vector<std::uint8_t> Many(std::size_t size) { return std::vector<std::uint8_t>(size, 7); }

TEST(ConfinedAnswer, ComesWhole) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20}) {
    const auto answer = AnswerOfConfined([&] { return Many(size); });
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(*answer, Many(size));
  }
}

TEST(ConfinedAnswer, IsAnErrorWhereTheChildDoesNotEndByItself) {
  if (!ConfinementIsBuiltIn()) GTEST_SKIP() << "this build does not confine";
  EXPECT_FALSE(AnswerOfConfined([]() -> std::vector<std::uint8_t> {
                 ::raise(SIGKILL);
                 return {};
               }).ok());
  EXPECT_FALSE(AnswerOfConfined([]() -> std::vector<std::uint8_t> { throw 1; }).ok());
  EXPECT_FALSE(AnswerOfConfined([]() -> std::vector<std::uint8_t> {
                 [[maybe_unused]] const int file = ::open("/etc/passwd", O_RDONLY);
                 return {};
               }).ok());
  EXPECT_FALSE(AnswerOfConfined([] { return Many(kMostReportBytes + 1); }).ok());
}

}  // namespace
}  // namespace ggufgate
