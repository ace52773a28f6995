#include "check/values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

// Read parses a model of one key and passes its entry to `use`.
template <typename Use>
auto Read(const Model& model, Use use) {
  const std::vector<std::uint8_t> file = Write(model);
  const ParseResult parsed = Parse(file, file.size(), {});
  return use(parsed.document, parsed.document.metadata.at(0));
}

template <typename T>
Model One(T value, ByteOrder order = ByteOrder::kLittle) {
  Model model;
  model.byte_order = order;
  model.Set("k", value);
  return model;
}

template <typename T>
void ExpectLimits() {
  constexpr T kLeast = std::numeric_limits<T>::min();
  constexpr T kMost = std::numeric_limits<T>::max();
  const Integer most{.magnitude = static_cast<std::uint64_t>(kMost)};
  const Integer least =
      kLeast == 0 ? Integer{}
                  : Integer{.magnitude = static_cast<std::uint64_t>(kMost) + 1, .negative = true};
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    EXPECT_EQ(Read(One(kMost, order), IntegerOf), most);
    EXPECT_EQ(Read(One(kLeast, order), IntegerOf), least);
    Model array;
    array.byte_order = order;
    array.Set("k", std::vector<T>{kLeast, kMost});
    const auto at = [](std::uint64_t index) {
      return [index](const Document& d, const MetadataEntry& e) { return IntegerAt(d, e, index); };
    };
    EXPECT_EQ(Read(array, at(0)), least);
    EXPECT_EQ(Read(array, at(1)), most);
    EXPECT_EQ(Read(array, at(2)), std::nullopt);
    EXPECT_EQ(Read(array, at(UINT64_MAX)), std::nullopt);
    EXPECT_EQ(Read(array, IntegerOf), std::nullopt);
    EXPECT_EQ(Read(One(kMost, order), at(0)), std::nullopt);
  }
}

TEST(IntegerOf, HoldsTheLimitsOfEveryType) {
  ExpectLimits<std::uint8_t>();
  ExpectLimits<std::int8_t>();
  ExpectLimits<std::uint16_t>();
  ExpectLimits<std::int16_t>();
  ExpectLimits<std::uint32_t>();
  ExpectLimits<std::int32_t>();
  ExpectLimits<std::uint64_t>();
  ExpectLimits<std::int64_t>();
}

TEST(IntegerOf, IsNothingForOtherTypes) {
  EXPECT_EQ(Read(One(true), IntegerOf), std::nullopt);
  EXPECT_EQ(Read(One(1.0F), IntegerOf), std::nullopt);
  EXPECT_EQ(Read(One(1.0), IntegerOf), std::nullopt);
  EXPECT_EQ(Read(One("1"), IntegerOf), std::nullopt);
  EXPECT_EQ((Integer{.magnitude = 1, .negative = true}.Unsigned()), std::nullopt);
  EXPECT_EQ((Integer{.magnitude = 1}.Unsigned()), 1U);
}

TEST(FloatAndBoolOf, TakeTheirTypeOnly) {
  EXPECT_EQ(Read(One(1.5F), FloatOf), 1.5F);
  EXPECT_EQ(Read(One(1.5), FloatOf), std::nullopt);
  EXPECT_EQ(Read(One(true), BoolOf), true);
  EXPECT_EQ(Read(One(false), BoolOf), false);
  EXPECT_EQ(Read(One(std::uint8_t{1}), BoolOf), std::nullopt);
}

TEST(FactOf, SaysNegativeNumbersAsText) {
  EXPECT_EQ(FactOf({.magnitude = 5}), Number(5));
  EXPECT_EQ(FactOf({.magnitude = 5, .negative = true}), Text("-5"));
}

TEST(TypeText, NamesArraysByTheirElements) {
  const auto text = [](const Document&, const MetadataEntry& entry) { return TypeText(entry); };
  EXPECT_EQ(Read(One(std::uint32_t{1}), text), "u32");
  EXPECT_EQ(Read(One(std::vector<float>{1}), text), "array of f32");
}

// ShapesOf lists the shapes of a value by their numbers.
std::vector<KeyShape> ShapesOf(const Model& model) {
  return Read(model, [](const Document&, const MetadataEntry& entry) {
    std::vector<KeyShape> shapes;
    for (int i = 0; i <= static_cast<int>(KeyShape::kBytes); ++i) {
      if (HasShape(entry, static_cast<KeyShape>(i))) shapes.push_back(static_cast<KeyShape>(i));
    }
    return shapes;
  });
}

TEST(HasShape, GoesByTheType) {
  using enum KeyShape;
  using Shapes = std::vector<KeyShape>;
  const Shapes integer = {kInteger, kLayerIntegers, kLayerBools, kOneOrMoreIntegers};
  const Shapes integers = {kLayerIntegers, kLayerBools, kOneOrMoreIntegers, kIntegers};
  const auto with = [](Shapes shapes, KeyShape more) {
    shapes.push_back(more);
    std::ranges::sort(shapes);
    return shapes;
  };
  EXPECT_EQ(ShapesOf(One("a")), Shapes{kString});
  EXPECT_EQ(ShapesOf(One(true)), (Shapes{kBool, kLayerBools}));
  EXPECT_EQ(ShapesOf(One(1.0F)), (Shapes{kF32, kLayerFloats}));
  EXPECT_EQ(ShapesOf(One(1.0)), Shapes{});
  EXPECT_EQ(ShapesOf(One(std::int64_t{1})), integer);
  EXPECT_EQ(ShapesOf(One(std::uint16_t{1})), with(integer, kU16));
  EXPECT_EQ(ShapesOf(One(std::uint32_t{1})), with(integer, kU32));
  EXPECT_EQ(ShapesOf(One(std::int32_t{1})), with(integer, kI32));
  EXPECT_EQ(ShapesOf(One(std::vector<std::uint64_t>{1})), integers);
  EXPECT_EQ(ShapesOf(One(std::vector<std::int32_t>{1})), with(integers, kI32s));
  EXPECT_EQ(ShapesOf(One(std::vector<std::uint8_t>{1})), with(integers, kBytes));
  EXPECT_EQ(ShapesOf(One(std::vector<std::int8_t>{1})), with(integers, kBytes));
  EXPECT_EQ(ShapesOf(One(std::vector<float>{1})), (Shapes{kLayerFloats, kF32s}));
  EXPECT_EQ(ShapesOf(One(std::vector<double>{1})), Shapes{});
  EXPECT_EQ(ShapesOf(One(std::vector<std::string>{"a"})), Shapes{kStrings});
  EXPECT_EQ(ShapesOf(WithArray(ValueType::kBool, 1, {1})), Shapes{kLayerBools});
}

TEST(ArchitectureOf, IsEmptyWhenItIsNoString) {
  const auto of = [](const Model& model) {
    const std::vector<std::uint8_t> file = Write(model);
    const ParseResult parsed = Parse(file, file.size(), {});
    return std::string(ArchitectureOf(parsed.document));
  };
  EXPECT_EQ(of(Model::Minimal()), "test");
  EXPECT_EQ(of(Model()), "");
  EXPECT_EQ(of(Model().Set(kArchitectureKey, std::uint32_t{1})), "");
}

}  // namespace
}  // namespace ggufgate::testing
