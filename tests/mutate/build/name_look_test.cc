#include "mutate/build/name_look.h"

#include <gtest/gtest.h>

#include <string>

namespace ggufgate::mutate {
namespace {

TEST(NameLook, KnowsEveryByteInEveryPlace) {
  EXPECT_TRUE(LookAt("").printable);
  for (std::size_t length = 1; length <= 20; ++length) {
    for (std::size_t place = 0; place < length; ++place) {
      for (int byte = 0; byte < 256; ++byte) {
        for (const char other : {' ', '~'}) {
          std::string text(length, other);
          text[place] = static_cast<char>(byte);
          EXPECT_EQ(LookAt(text).printable, byte >= ' ' && byte <= '~')
              << byte << " at " << place << " of " << length;
        }
      }
    }
  }
}

TEST(NameLook, SeesToInEveryPlace) {
  for (std::size_t length = 2; length <= 40; ++length) {
    for (std::size_t place = 0; place + 2 <= length; ++place) {
      std::string text(length, '.');
      text.replace(place, 2, "to");
      EXPECT_TRUE(LookAt(text).holds_to) << text;
    }
  }
}

TEST(NameLook, SeesNoToInOtherNames) {
  for (const char* name : {"", "t", "general.architecture", "o.t", "attention.head_count",
                           "blk.0.ffn_down.weight", "oooooooooooooooooooot", "tttttttt"}) {
    EXPECT_FALSE(LookAt(name).holds_to) << name;
  }
}

TEST(NameLook, HashesAsTheSetDoes) {
  std::string name;
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(LookAt(name).hash, HashOf(name)) << name;
    name.push_back(static_cast<char>('a' + i % 26));
  }
}

}  // namespace
}  // namespace ggufgate::mutate
