#include "gate/remote/fetcher.h"

#include <gmock/gmock.h>

namespace ggufgate {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The folder of the test programs does not contain it.
TEST(Fetcher, SaysWhatToInstallWhereThereIsNoProgramThatFetches) {
  const auto started = Fetcher::Start(FetchConfig());
  ASSERT_FALSE(started.ok());
  EXPECT_THAT(std::string(started.status().message()),
              AllOf(HasSubstr("install the Debian packages ggufgate and ggufgate-fetch"),
                    HasSubstr("| ggufgate check -")));
}

}  // namespace
}  // namespace ggufgate
