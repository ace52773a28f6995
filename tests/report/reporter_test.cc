#include "report/reporter.h"

#include <gtest/gtest.h>

#include <sstream>

namespace ggufgate {
namespace {

TEST(FindFormat, KnowsEveryFormatByItsWord) {
#define GGUFGATE_FORMAT(name, word, what)               \
  EXPECT_EQ(FindFormat(word), Format::k##name) << word; \
  EXPECT_GT(std::string_view(what).size(), 10U) << word;
#include "report/formats.def"
#undef GGUFGATE_FORMAT
}

TEST(FindFormat, KnowsNoOther) {
  EXPECT_FALSE(FindFormat(""));
  EXPECT_FALSE(FindFormat("TEXT"));
  EXPECT_FALSE(FindFormat("yaml"));
}

TEST(MakeReporter, MakesOneForEveryFormat) {
  FileReport report;
  report.path = "some/path";
  report.problem = absl::NotFoundError("some reason");
#define GGUFGATE_FORMAT(name, word, what)                                   \
  {                                                                         \
    std::ostringstream out;                                                 \
    const auto reporter = MakeReporter(Format::k##name, Policy{}, {}, out); \
    reporter->Add(report);                                                  \
    reporter->Finish();                                                     \
    EXPECT_NE(out.str().find("some/path"), std::string::npos) << word;      \
    EXPECT_NE(out.str().find("some reason"), std::string::npos) << word;    \
    EXPECT_TRUE(out.str().ends_with('\n')) << word;                         \
  }
#include "report/formats.def"
#undef GGUFGATE_FORMAT
}

}  // namespace
}  // namespace ggufgate
