#include <gtest/gtest.h>

#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

// The smallest file with every kind of part, byte for byte: the key "k" with 7, the tensor "t" of
// one F32.
Model Golden() {
  Model model;
  model.Set("k", std::uint8_t{7});
  model.Add("t", TensorType::kF32, {1});
  model.tensors.front().data = {0xD0, 0xD1, 0xD2, 0xD3};
  return model;
}

constexpr std::size_t kGoldenDirectoryEnd = 24 + 14 + 33;

TEST(Write, PutsDownEveryFieldInItsPlace) {
  File expected = {
      'G', 'G', 'U', 'F', 3, 0, 0, 0,                            // magic, version
      1,   0,   0,   0,   0, 0, 0, 0, 1,   0, 0, 0, 0, 0, 0, 0,  // counts: tensors, keys
      1,   0,   0,   0,   0, 0, 0, 0, 'k', 0, 0, 0, 0, 7,        // key, type u8, value
      1,   0,   0,   0,   0, 0, 0, 0, 't', 1, 0, 0, 0,           // name, one dimension
      1,   0,   0,   0,   0, 0, 0, 0, 0,   0, 0, 0,              // dimension, type F32
      0,   0,   0,   0,   0, 0, 0, 0,                            // offset
  };
  ASSERT_EQ(expected.size(), kGoldenDirectoryEnd);
  expected.resize(96);  // padding to 32
  expected.insert(expected.end(), {0xD0, 0xD1, 0xD2, 0xD3});
  expected.resize(128);
  EXPECT_EQ(Write(Golden()), expected);
}

TEST(Write, TurnsEveryNumberRoundForBigEndian) {
  Model model;
  model.byte_order = ByteOrder::kBig;
  model.Set("k", std::uint16_t{0x0102});
  model.Add("t", TensorType::kF32, {1});
  model.tensors.front().offset = 0x20;
  const File expected = {
      'G', 'G', 'U', 'F', 0, 0, 0, 3,                               // the magic is not reversed
      0,   0,   0,   0,   0, 0, 0, 1,    0,   0, 0, 0, 0, 0, 0, 1,  //
      0,   0,   0,   0,   0, 0, 0, 1,    'k', 0, 0, 0, 2, 1, 2,     // type u16
      0,   0,   0,   0,   0, 0, 0, 1,    't', 0, 0, 0, 1,           //
      0,   0,   0,   0,   0, 0, 0, 1,    0,   0, 0, 0,              //
      0,   0,   0,   0,   0, 0, 0, 0x20,                            //
  };
  File written = Write(model);
  written.resize(expected.size());
  EXPECT_EQ(written, expected);
}

TEST(Write, Version1Has32BitCountsAndLengths) {
  Model model = Golden();
  model.version = 1;
  const File expected = {
      'G', 'G', 'U', 'F', 1,   0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,     //
      1,   0,   0,   0,   'k', 0, 0, 0, 0, 7,                       //
      1,   0,   0,   0,   't', 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,  //
      0,   0,   0,   0,   0,   0, 0, 0,                             // the offset is 64-bit
  };
  File written = Write(model);
  written.resize(expected.size());
  EXPECT_EQ(written, expected);
}

TEST(Write, WithoutTensorsTheFileEndsAfterTheMetadata) {
  Model model;
  model.Set("k", std::uint8_t{7});
  EXPECT_EQ(Write(model).size(), 38U);
  model.trailing = {1, 2, 3};
  EXPECT_EQ(Write(model).size(), 41U);
}

TEST(Write, TheLastTensorIsPaddedOnRequest) {
  Model model = Golden();
  model.pad_last_tensor = false;
  EXPECT_EQ(Write(model).size(), 100U);
  model.padding_byte = 0xEE;
  model.pad_last_tensor = true;
  const File file = Write(model);
  ASSERT_EQ(file.size(), 128U);
  EXPECT_EQ(file.at(kGoldenDirectoryEnd), 0xEE);
  EXPECT_EQ(file.at(95), 0xEE);
  EXPECT_EQ(file.at(96), 0xD0);
  EXPECT_EQ(file.back(), 0xEE);
}

TEST(Write, ClaimsReplaceTheTruthAndNothingElse) {
  // Each lie changes one field; all other bytes stay the same.
  const File honest = Write(Golden());
  const auto changed = [&](auto lie) {
    Model model = Golden();
    lie(model);
    const File file = Write(model);
    EXPECT_EQ(file.size(), honest.size());
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < honest.size(); ++i) {
      if (file.at(i) != honest.at(i)) places.push_back(i);
    }
    return places;
  };
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(changed([](Model& m) { m.magic = "GGUX"; }), Places{3});
  EXPECT_EQ(changed([](Model& m) { m.version = 2; }), Places{4});
  EXPECT_EQ(changed([](Model& m) { m.claimed_tensor_count = 2; }), Places{8});
  EXPECT_EQ(changed([](Model& m) { m.claimed_metadata_count = 2; }), Places{16});
  EXPECT_EQ(changed([](Model& m) { m.metadata.front().claimed_key_length = 2; }), Places{24});
  EXPECT_EQ(changed([](Model& m) { m.metadata.front().type = 1; }), Places{33});
  EXPECT_EQ(changed([](Model& m) { m.tensors.front().claimed_name_length = 2; }), Places{38});
  EXPECT_EQ(changed([](Model& m) { m.tensors.front().claimed_dimension_count = 2; }), Places{47});
  EXPECT_EQ(changed([](Model& m) { m.tensors.front().type_id = 2; }), Places{59});
  EXPECT_EQ(changed([](Model& m) { m.tensors.front().offset = 32; }), Places{63});
}

// ExpectRoundTrip takes the file apart and puts it together again.
void ExpectRoundTrip(const Model& model) {
  const Parsed parsed = ParseSound(model);
  EXPECT_EQ(Write(ModelOf(parsed.document, parsed.file)), parsed.file);
}

TEST(Write, PutsTogetherWhatModelOfTookApart) {
  for (const NamedModel& named : SoundModels()) {
    SCOPED_TRACE(named.name);
    ExpectRoundTrip(named.model);
  }
}

TEST(Write, KeepsTrailingBytes) {
  for (const std::size_t size : {1U, 31U, 32U, 33U, 500U}) {
    Model model = Golden();
    model.trailing = File(size, 'x');
    ExpectRoundTrip(model);
  }
}

TEST(Write, KeepsEveryPartOfThePaddingAfterTheLastTensor) {
  Model model = Golden();
  model.pad_last_tensor = false;
  for (std::size_t size = 0; size <= 40; ++size) {
    model.trailing.assign(size, 0);
    ExpectRoundTrip(model);
  }
}

TEST(Write, KeepsThePaddingOfAFileWithoutTensors) {
  Model model;
  model.Set("k", std::uint8_t{7});
  for (std::size_t size = 0; size <= 40; ++size) {
    model.trailing.assign(size, 0);
    ExpectRoundTrip(model);
  }
}

TEST(Write, KeepsAModelWhoseTensorsAreAllEmpty) {
  Model model = Golden();
  model.tensors.front().dims = {0};
  model.tensors.front().data.clear();
  ExpectRoundTrip(model);
}

}  // namespace
}  // namespace ggufgate::testing
