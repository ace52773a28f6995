// Nested arrays: the specification allows them, and the file chooses the depth.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

using Section = Place::Section;

constexpr std::uint64_t kValueAt = 37;  // of the key "k", as the first of a file

Limits DepthOf(std::uint64_t depth) {
  Limits limits;
  limits.array_depth = depth;
  return limits;
}

Model Nested(std::uint64_t depth, ByteOrder order = ByteOrder::kLittle) {
  Model model;
  model.byte_order = order;
  model.SetRaw("k", ValueType::kArray, NestedPayload(depth, order));
  return model;
}

// DepthFault returns the fault of the array at level `depth`; each array is the first element of
// the one before.
Fault DepthFault(std::uint64_t depth, std::uint64_t allowed) {
  Fault fault{.kind = FaultKind::kArrayDepth,
              .where = {.begin = kValueAt + 12 * (depth - 1), .size = 12},
              .field = "array",
              .place = {.section = Section::kMetadata, .name = "k"},
              .observed = depth,
              .allowed = allowed,
              .by_limit = true};
  if (depth > 1) fault.place.element = 0;
  return fault;
}

TEST(MetadataNested, EveryDepthUpTo16IsWalkedAtItsLimitAndRefusedBelow) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    for (std::uint64_t depth = 1; depth <= kDeepestArray; ++depth) {
      const Parsed parsed = ParseSound(Nested(depth, order), DepthOf(depth));
      const MetadataEntry& entry = parsed.document.metadata.front();
      EXPECT_EQ(entry.depth, depth);
      EXPECT_EQ(entry.count, 1U);
      EXPECT_EQ(entry.element_type, depth == 1 ? ValueType::kU8 : ValueType::kArray);
      EXPECT_EQ(entry.range.End(), parsed.file.size());
      EXPECT_EQ(entry.ValueRange().size, 12 * depth + 1);

      EXPECT_EQ(FaultOf(Nested(depth, order), DepthOf(depth - 1)),
                LineOf(DepthFault(depth, depth - 1)));
    }
  }
}

TEST(MetadataNested, TheDefaultDepthIs4) {
  EXPECT_EQ(FaultOf(Nested(4)), "no fault");
  EXPECT_EQ(FaultOf(Nested(5)), LineOf(DepthFault(5, 4)));
}

TEST(MetadataNested, NoLimitReachesPast16) {
  for (const std::uint64_t limit : {std::uint64_t{16}, std::uint64_t{17}, UINT64_MAX}) {
    EXPECT_EQ(FaultOf(Nested(16), DepthOf(limit)), "no fault");
    EXPECT_EQ(FaultOf(Nested(17), DepthOf(limit)), LineOf(DepthFault(17, 16)));
  }
}

TEST(MetadataNested, AHundredThousandLevelsEndAtTheLimit) {
  EXPECT_EQ(FaultOf(Nested(100'000)), LineOf(DepthFault(5, 4)));
  EXPECT_EQ(FaultOf(Nested(100'000), DepthOf(UINT64_MAX)), LineOf(DepthFault(17, 16)));
}

// Arrays writes array heads; the caller writes the elements.
class Arrays {
 public:
  Arrays& Head(ValueType element_type, std::uint64_t count) {
    payload_.Put(IdOf(element_type)).Put(count);
    return *this;
  }
  Arrays& Elements(std::uint64_t bytes) {
    payload_.PutZeros(bytes);
    return *this;
  }
  Arrays& Text(std::string_view text) {
    payload_.PutString(text);
    return *this;
  }
  Arrays& Number(std::uint64_t number) {
    payload_.Put(number);
    return *this;
  }
  Model Take() {
    Model model;
    model.SetRaw("k", ValueType::kArray, payload_.Take());
    model.Set("next", std::uint8_t{1});
    return model;
  }

 private:
  Encoder payload_{ByteOrder::kLittle};
};

TEST(MetadataNested, AHundredThousandEmptySiblingsAreWalked) {
  Arrays arrays;
  arrays.Head(ValueType::kArray, 100'000);
  for (int i = 0; i < 100'000; ++i) arrays.Head(ValueType::kU32, 0);
  const Parsed parsed = ParseSound(arrays.Take());
  EXPECT_EQ(parsed.document.metadata.front().count, 100'000U);
  EXPECT_EQ(parsed.document.metadata.front().depth, 2U);
  EXPECT_EQ(parsed.document.metadata.back().key, "next");
}

TEST(MetadataNested, AnEmptyArrayOfArraysHasOneLevel) {
  const Parsed parsed = ParseSound(Arrays().Head(ValueType::kArray, 0).Take());
  EXPECT_EQ(parsed.document.metadata.front().depth, 1U);
  EXPECT_TRUE(parsed.document.metadata.front().IsArrayOf(ValueType::kArray));
  EXPECT_EQ(FaultOf(Arrays().Head(ValueType::kArray, 0).Take(), DepthOf(1)), "no fault");
}

TEST(MetadataNested, TheDepthIsThatOfTheDeepestSibling) {
  const Model model = Arrays()
                          .Head(ValueType::kArray, 3)
                          .Head(ValueType::kU8, 2)
                          .Elements(2)
                          .Head(ValueType::kArray, 2)
                          .Head(ValueType::kArray, 0)
                          .Head(ValueType::kString, 1)
                          .Text("deep")
                          .Head(ValueType::kF64, 1)
                          .Elements(8)
                          .Take();
  const Parsed parsed = ParseSound(model);
  EXPECT_EQ(parsed.document.metadata.front().depth, 3U);
  EXPECT_EQ(parsed.document.metadata.back().key, "next");
  EXPECT_EQ(FaultOf(model, DepthOf(3)), "no fault");
  EXPECT_NE(FaultOf(model, DepthOf(2)), "no fault");
}

TEST(MetadataNested, AFaultNamesTheElementOfTheOutermostArray) {
  // Two valid elements of 12 + 4 and 12 + 12 + 0 bytes, then one with an unknown type.
  Model model = Arrays()
                    .Head(ValueType::kArray, 3)
                    .Head(ValueType::kU8, 4)
                    .Elements(4)
                    .Head(ValueType::kArray, 1)
                    .Head(ValueType::kU8, 0)
                    .Head(ValueType::kU8, 0)
                    .Take();
  EXPECT_EQ(FaultOf(model), "no fault");
  const std::uint64_t third = 12 + 16 + 24;
  model.metadata.front().payload.at(third) = 13;
  EXPECT_EQ(FaultOf(model),
            LineOf({.kind = FaultKind::kArrayElementType,
                    .where = {.begin = kValueAt + third, .size = 4},
                    .field = "array element type",
                    .place = {.section = Section::kMetadata, .name = "k", .element = 2},
                    .observed = 13,
                    .allowed = 12}));
}

TEST(MetadataNested, AFaultTwoLevelsDownNamesTheOutermostElementToo) {
  Model model = Arrays()
                    .Head(ValueType::kArray, 4)
                    .Head(ValueType::kU8, 0)
                    .Head(ValueType::kArray, 2)
                    .Head(ValueType::kU8, 0)
                    .Head(ValueType::kU8, 0)
                    .Head(ValueType::kU8, 0)
                    .Head(ValueType::kU8, 0)
                    .Take();
  EXPECT_EQ(FaultOf(model), "no fault");
  model.metadata.front().payload.at(12 * 4) = 13;  // [1][1]
  const Parsed parsed = ParseWhole(model);
  ASSERT_TRUE(parsed.document.fault);
  EXPECT_EQ(parsed.document.fault->kind, FaultKind::kArrayElementType);
  EXPECT_EQ(parsed.document.fault->place.element, 1U);
}

TEST(MetadataNested, AStringOfAnInnerArrayIsNamedByTheOutermostElement) {
  const Model model = Arrays()
                          .Head(ValueType::kArray, 2)
                          .Head(ValueType::kU8, 0)
                          .Head(ValueType::kString, 3)
                          .Text("a")
                          .Text("b")
                          .Number(1'000)
                          .Take();
  const Parsed parsed = ParseWhole(model);
  ASSERT_TRUE(parsed.document.fault);
  EXPECT_EQ(parsed.document.fault->kind, FaultKind::kStringLength);
  EXPECT_EQ(parsed.document.fault->place.element, 1U);
  EXPECT_EQ(parsed.document.fault->observed, 1'000U);
}

TEST(MetadataNested, AFaultInTheNextEntryNamesNoElement) {
  Model model = Arrays().Head(ValueType::kArray, 1).Head(ValueType::kU8, 0).Take();
  model.metadata.back().type = 13;
  const Parsed parsed = ParseWhole(model);
  ASSERT_TRUE(parsed.document.fault);
  EXPECT_EQ(parsed.document.fault->place.name, "next");
  EXPECT_EQ(parsed.document.fault->place.element, Place::kNoElement);
}

TEST(MetadataNested, AnInnerCountIsHeldAgainstTheBytesLeft) {
  Model model = Arrays().Head(ValueType::kArray, 1).Head(ValueType::kU16, 0).Take();
  model.metadata.pop_back();
  model.metadata.front().payload.resize(24 + 9);  // space for four u16 and a byte
  model.metadata.front().payload.at(16) = 5;
  EXPECT_EQ(FaultOf(model),
            LineOf({.kind = FaultKind::kArrayCount,
                    .where = {.begin = kValueAt + 12 + 4, .size = 8},
                    .field = "array count",
                    .place = {.section = Section::kMetadata, .name = "k", .element = 0},
                    .observed = 5,
                    .allowed = 4}));
  model.metadata.front().payload.at(16) = 4;
  EXPECT_EQ(FaultOf(model), "no fault");
}

TEST(MetadataNested, StringsOfInnerArraysCountForTheLimitOfAll) {
  Limits limits;
  limits.array_strings = 3;
  const Model model = Arrays()
                          .Head(ValueType::kArray, 2)
                          .Head(ValueType::kString, 2)
                          .Text("a")
                          .Text("b")
                          .Head(ValueType::kString, 1)
                          .Text("c")
                          .Take();
  EXPECT_EQ(FaultOf(model, limits), "no fault");
  limits.array_strings = 2;
  EXPECT_NE(FaultOf(model, limits).find("is 3, at most 2 by limit"), std::string::npos);
}

}  // namespace
}  // namespace ggufgate::testing
