#include "mutate/repair/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace ggufgate::mutate {
namespace {

TEST(IsPrintableAscii, KnowsEveryByteInEveryPlace) {
  EXPECT_TRUE(IsPrintableAscii(""));
  for (std::size_t length = 1; length <= 20; ++length) {
    for (std::size_t place = 0; place < length; ++place) {
      for (int byte = 0; byte < 256; ++byte) {
        for (const char other : {' ', '~'}) {
          std::string text(length, other);
          text[place] = static_cast<char>(byte);
          EXPECT_EQ(IsPrintableAscii(text), byte >= ' ' && byte <= '~')
              << byte << " at " << place << " of " << length;
        }
      }
    }
  }
}

}  // namespace
}  // namespace ggufgate::mutate
