#include "json/bounded.h"

#include <gtest/gtest.h>

#include <string>

namespace ggufgate {
namespace {

constexpr JsonBounds kBounds{.bytes = 100, .depth = 3, .values = 10};

JsonFault FaultOf(const std::string& text) { return ParseBounded(text, kBounds).fault; }

TEST(BoundedJson, GivesTheValue) {
  const BoundedJson parsed = ParseBounded(R"({"a": [1, "x"], "b": -2})", kBounds);
  EXPECT_EQ(parsed.fault, JsonFault::kNone);
  EXPECT_EQ(parsed.value.at("a").at(1), "x");
  EXPECT_EQ(parsed.value.at("b"), -2);
}

TEST(BoundedJson, RefusesWhatIsNoJson) {
  for (const char* text :
       {"", " ", "{", "[1,]", "{} {}", "{\"a\":1,}", "nul", "\"\xff\"", "[1] x"}) {
    const BoundedJson parsed = ParseBounded(text, kBounds);
    EXPECT_EQ(parsed.fault, JsonFault::kNotJson) << text;
    EXPECT_TRUE(parsed.value.is_null()) << text;
  }
  EXPECT_EQ(FaultOf(std::string("{}\0", 3)), JsonFault::kNotJson);
  EXPECT_EQ(FaultOf(std::string("{}\0{", 4)), JsonFault::kNotJson);
}

TEST(BoundedJson, EndsAtItsBounds) {
  EXPECT_EQ(FaultOf("[[[]]]"), JsonFault::kNone);
  EXPECT_EQ(FaultOf("[[[[]]]]"), JsonFault::kDeep);
  EXPECT_EQ(FaultOf(R"({"a":{"b":{"c":{}}}})"), JsonFault::kDeep);
  EXPECT_EQ(FaultOf("[1,2,3,4,5,6,7,8,9]"), JsonFault::kNone);
  EXPECT_EQ(FaultOf("[1,2,3,4,5,6,7,8,9,10]"), JsonFault::kLarge);
  EXPECT_EQ(FaultOf("\"" + std::string(98, 'a') + "\""), JsonFault::kNone);
  EXPECT_EQ(FaultOf("\"" + std::string(99, 'a') + "\""), JsonFault::kLarge);
}

TEST(BoundedJson, DepthCostsNoStack) {
  constexpr JsonBounds kDeep{.bytes = 10'000'000, .depth = 3, .values = 10'000'000};
  EXPECT_EQ(ParseBounded(std::string(10'000'000, '['), kDeep).fault, JsonFault::kDeep);
}

TEST(BoundedJson, RefusesKeysThatReadersTakeForEachOther) {
  EXPECT_EQ(FaultOf(R"({"a":1,"a":2})"), JsonFault::kKeys);
  EXPECT_EQ(FaultOf(R"({"a":1,"A":2})"), JsonFault::kKeys);
  EXPECT_EQ(FaultOf(R"({"layer\u017f":1})"), JsonFault::kKeys) << "Go folds the long s";
  EXPECT_EQ(FaultOf(R"({"a":{"a":1},"b":{"a":1}})"), JsonFault::kNone) << "in different objects";
}

}  // namespace
}  // namespace ggufgate
