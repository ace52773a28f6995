#include "format/shard_name.h"

#include <gtest/gtest.h>

namespace ggufgate {
namespace {

TEST(ShardNames, ComeApartAndTogether) {
  const auto name = ParseShardName("model-q4-00002-of-00005.gguf");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->stem, "model-q4");
  EXPECT_EQ(name->number, 2U);
  EXPECT_EQ(name->count, 5U);
  EXPECT_EQ(FileNameOf(*name), "model-q4-00002-of-00005.gguf");
  EXPECT_EQ(FileNameOf({.stem = "", .number = 65'535, .count = 65'535}), "-65535-of-65535.gguf");
  EXPECT_TRUE(ParseShardName("-00001-of-00001.gguf"));
  EXPECT_EQ(ParseShardName("a-00001-of-00002-00003-of-00004.gguf")->stem, "a-00001-of-00002");
}

TEST(ShardNames, AreNoOthers) {
  for (const char* name :
       {"", "model.gguf", "00001-of-00002.gguf", "m-0001-of-00002.gguf", "m-00001-of-0002.gguf",
        "m-00001of-00002.gguf", "m-00001-of-00002", "m-00001-of-00002.GGUF",
        "m_00001-of-00002.gguf", "m-0000a-of-00002.gguf", "m-00001-of-0000b.gguf",
        "m-00000-of-00002.gguf", "m-00003-of-00002.gguf", "m-00001-of-99999.gguf",
        "m-00001-of-00002.gguf.part"}) {
    EXPECT_FALSE(ParseShardName(name)) << name;
  }
  EXPECT_TRUE(ParseShardName("m-00001-of-65535.gguf"));
  EXPECT_FALSE(ParseShardName("m-00001-of-65536.gguf"));
}

TEST(ShardNames, ThatNoShardHas) {
  for (const char* name :
       {"m-00003-of-00002.gguf", "m-00000-of-00002.gguf", "m-00000-of-00000.gguf",
        "-00001-of-00000.gguf", "m-00001-of-65536.gguf"}) {
    EXPECT_FALSE(ParseShardName(name)) << name;
    EXPECT_TRUE(ParseImpossibleShardName(name)) << name;
  }
  for (const char* name :
       {"m-00002-of-00002.gguf", "m-3-of-2.gguf", "m-00003-of-00002", "m.gguf"}) {
    EXPECT_FALSE(ParseImpossibleShardName(name)) << name;
  }
  const auto name = ParseImpossibleShardName("m-00003-of-00002.gguf");
  EXPECT_EQ(name->stem, "m");
  EXPECT_EQ(name->number, 3U);
  EXPECT_EQ(name->count, 2U);
}

}  // namespace
}  // namespace ggufgate
