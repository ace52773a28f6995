#include "gate/remote/fetcher.h"

#include <gmock/gmock.h>

namespace ggufgate {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Beside the programs of tests there is none.
TEST(Fetcher, SaysWhatToInstallWhereThereIsNoProgramThatFetches) {
  const auto started = Fetcher::Start(FetchConfig());
  ASSERT_FALSE(started.ok());
  EXPECT_THAT(std::string(started.status().message()),
              AllOf(HasSubstr("install the Debian packages ggufgate and ggufgate-fetch"),
                    HasSubstr("| ggufgate check -")));
}

}  // namespace
}  // namespace ggufgate
