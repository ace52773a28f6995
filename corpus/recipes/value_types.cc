// One valid file for each type of a metadata value: its extremes as scalars, an array of them, an
// empty array.

#include <limits>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

Recipe Value(const std::string& word, std::string shows, std::function<void(Model&)> edit) {
  return {.file = "valid/value-" + word + ".gguf",
          .shows = std::move(shows),
          .verdict = kAccept,
          .recipe = "keys test.least, test.most, test.values, test.none",
          .make = Edit(std::move(edit))};
}

template <Scalar T>
Recipe Number(const std::string& word) {
  return Value(word, "type " + word + ": the least and the greatest, an array, an empty array",
               [](Model& m) {
                 constexpr T kLeast = std::numeric_limits<T>::lowest();
                 constexpr T kMost = std::numeric_limits<T>::max();
                 m.Set("test.least", kLeast).Set("test.most", kMost);
                 m.Set("test.values", std::vector<T>{kLeast, T{0}, T{1}, kMost});
                 m.Set("test.none", std::vector<T>{});
               });
}

FileBytes BoolArray(std::initializer_list<std::uint8_t> values) {
  Encoder array(ByteOrder::kLittle);
  array.Put(static_cast<std::uint32_t>(ValueType::kBool)).Put(std::uint64_t{values.size()});
  for (const std::uint8_t value : values) array.Put(value);
  return array.Take();
}

}  // namespace

Recipes ValueTypeRecipes() {
  return {
      Number<std::uint8_t>("u8"),
      Number<std::int8_t>("i8"),
      Number<std::uint16_t>("u16"),
      Number<std::int16_t>("i16"),
      Number<std::uint32_t>("u32"),
      Number<std::int32_t>("i32"),
      Number<float>("f32"),
      Value("bool", "type bool: false, true, an array of both, an empty array",
            [](Model& m) {
              m.Set("test.least", false).Set("test.most", true);
              m.SetRaw("test.values", ValueType::kArray, BoolArray({0, 1, 1}));
              m.SetRaw("test.none", ValueType::kArray, BoolArray({}));
            }),
      Value("string",
            "type string: empty, the greatest character, in an array, one longer than 127 bytes so "
            "that its length is no ASCII, an empty array",
            [](Model& m) {
              m.Set("test.least", "").Set("test.most", "a\xF4\x8F\xBF\xBF");
              m.Set("test.values", std::vector<std::string>{"", "text", std::string(200, 'x'),
                                                            "\xE2\x96\x81\xF0\x9F\x98\x80"});
              m.Set("test.none", std::vector<std::string>{});
            }),
      Number<std::uint64_t>("u64"),
      Number<std::int64_t>("i64"),
      Number<double>("f64"),
      {.file = "valid/value-not-finite.gguf",
       .shows = "metadata that JSON has no numbers for: NaN, infinities, minus zero",
       .verdict = kAccept,
       .recipe = "f32 and f64 keys and arrays",
       .make = Edit([](Model& m) {
         constexpr float kInfinity = std::numeric_limits<float>::infinity();
         constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
         m.Set("test.infinite", -kInfinity).Set("test.none", kNan);
         m.Set("test.floats", std::vector<float>{kInfinity, -0.0F, 1e-45F});
         m.Set("test.doubles", std::vector<double>{kNan, -0.0, 5e-324});
       })},
  };
}

}  // namespace ggufgate::corpus
