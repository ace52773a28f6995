#include "mutate/build/name_look.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "format/reader_fields.h"

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

TEST(NameLook, SeesEachPrototypeInEveryPlace) {
  for (const std::string_view prototype : {"__proto__", "constructor", "prototype"}) {
    for (std::size_t before = 0; before <= 20; ++before) {
      for (std::size_t behind = 0; behind <= 20; ++behind) {
        const std::string name =
            std::string(before, '.').append(prototype).append(std::string(behind, '.'));
        ASSERT_TRUE(FindPrototypeSegment(name)) << name;
        EXPECT_TRUE(LookAt(name).may_be_prototype) << name;
      }
    }
  }
}

TEST(NameLook, SeesNoPrototypeInMostNames) {
  for (const char* name : {"", "t", "r", "tokenizer.ggml.tokens", "general.architecture", "t.r",
                           "attention.head_count", "blk.0.ffn_down.weight", "ttttttttttttttttttt",
                           "rrrrrrrr", "rtsrpsrt"}) {
    EXPECT_FALSE(LookAt(name).may_be_prototype) << name;
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
