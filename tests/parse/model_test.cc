#include "parse/model.h"

#include <gtest/gtest.h>

#include "parse/extent.h"
#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

TEST(Encoder, PutsNumbersInItsByteOrder) {
  EXPECT_EQ(Encoder(ByteOrder::kLittle).Put(std::uint32_t{0x0102'0304}).Take(), (File{4, 3, 2, 1}));
  EXPECT_EQ(Encoder(ByteOrder::kBig).Put(std::uint32_t{0x0102'0304}).Take(), (File{1, 2, 3, 4}));
}

TEST(Encoder, PutsStringsWithTheirLength) {
  Encoder out(ByteOrder::kBig);
  out.PutString("ab").PutZeros(2).PutBytes(File{9});
  EXPECT_EQ(out.size(), 13U);
  EXPECT_EQ(out.Take(), (File{0, 0, 0, 0, 0, 0, 0, 2, 'a', 'b', 0, 0, 9}));
}

TEST(Model, MinimalHasSomethingOfEverything) {
  const Model model = Model::Minimal();
  ASSERT_EQ(model.metadata.size(), 1U);
  EXPECT_EQ(model.metadata.front().key, "general.architecture");
  ASSERT_EQ(model.tensors.size(), 1U);
  EXPECT_EQ(model.tensors.front().dims, std::vector<std::uint64_t>{8});
  EXPECT_EQ(model.tensors.front().data.size(), 32U);
}

TEST(Model, TheTypeOfAValueFollowsItsCppType) {
  Model model;
  const auto type = [&] { return model.metadata.front().type; };
  EXPECT_EQ((model.Set("k", std::uint8_t{1}), type()), 0U);
  EXPECT_EQ((model.Set("k", std::int8_t{1}), type()), 1U);
  EXPECT_EQ((model.Set("k", std::uint16_t{1}), type()), 2U);
  EXPECT_EQ((model.Set("k", std::int16_t{1}), type()), 3U);
  EXPECT_EQ((model.Set("k", std::uint32_t{1}), type()), 4U);
  EXPECT_EQ((model.Set("k", std::int32_t{1}), type()), 5U);
  EXPECT_EQ((model.Set("k", 1.0F), type()), 6U);
  EXPECT_EQ((model.Set("k", true), type()), 7U);
  EXPECT_EQ((model.Set("k", "text"), type()), 8U);
  EXPECT_EQ((model.Set("k", std::vector<float>{1.0F}), type()), 9U);
  EXPECT_EQ((model.Set("k", std::vector<std::string>{"x"}), type()), 9U);
  EXPECT_EQ((model.Set("k", std::uint64_t{1}), type()), 10U);
  EXPECT_EQ((model.Set("k", std::int64_t{1}), type()), 11U);
  EXPECT_EQ((model.Set("k", 1.0), type()), 12U);
  EXPECT_EQ(model.metadata.size(), 1U) << "each replaced the one before";
}

TEST(Model, SetReplacesTheFirstEntryOfThatKey) {
  Model model;
  model.Set("a", std::uint8_t{1}).Set("b", std::uint8_t{2}).Set("c", std::uint8_t{3});
  model.metadata.back().key = "b";
  model.Set("b", std::uint8_t{9});
  EXPECT_EQ(model.metadata.at(1).payload, File{9});
  EXPECT_EQ(model.metadata.at(2).payload, File{3});
}

TEST(Model, PayloadsAreInTheByteOrderOfTheMoment) {
  Model model;
  model.Set("little", std::uint16_t{1});
  model.byte_order = ByteOrder::kBig;
  model.Set("big", std::uint16_t{1});
  EXPECT_EQ(model.metadata.front().payload, (File{1, 0}));
  EXPECT_EQ(model.metadata.back().payload, (File{0, 1}));
}

TEST(Model, AddGivesEachTensorItsSizeAndPlace) {
  Model model;
  model.Add("a", TensorType::kQ4_K, {256, 3});
  model.Add("b", TensorType::kI8, {5});
  model.Add("c", TensorType::kF32, {});
  EXPECT_EQ(model.tensors.at(0).data.size(), 3 * 144U);
  EXPECT_EQ(model.tensors.at(0).offset, 0U);
  EXPECT_EQ(model.tensors.at(1).data.size(), 5U);
  EXPECT_EQ(model.tensors.at(1).offset, 448U);  // 432 rounded up to 32
  EXPECT_EQ(model.tensors.at(2).data.size(), 4U);
  EXPECT_EQ(model.tensors.at(2).offset, 480U);
}

TEST(Model, LayOutFollowsTheAlignment) {
  Model model;
  model.Add("a", TensorType::kI8, {5});
  model.Add("b", TensorType::kI8, {5});
  model.alignment = 4096;
  model.LayOut();
  EXPECT_EQ(model.tensors.back().offset, 4096U);
  model.alignment = 8;
  model.LayOut();
  EXPECT_EQ(model.tensors.back().offset, 8U);
}

TEST(Model, WhatIsWrittenIsWhatIsRead) {
  for (const NamedModel& named : SoundModels()) {
    SCOPED_TRACE(named.name);
    const Model& model = named.model;
    const Parsed parsed = ParseSound(model);
    const Document& document = parsed.document;
    EXPECT_EQ(document.version, model.version);
    EXPECT_EQ(document.byte_order, model.byte_order);
    EXPECT_EQ(document.alignment, model.alignment);
    ASSERT_EQ(document.metadata.size(), model.metadata.size());
    for (std::size_t i = 0; i < model.metadata.size(); ++i) {
      const MetadataEntry& entry = document.metadata.at(i);
      EXPECT_EQ(entry.key, model.metadata.at(i).key);
      EXPECT_EQ(IdOf(entry.type), model.metadata.at(i).type);
      EXPECT_TRUE(
          std::ranges::equal(document.BytesAt(entry.ValueRange()), model.metadata.at(i).payload));
    }
    ASSERT_EQ(document.tensors.size(), model.tensors.size());
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
      const TensorInfo& tensor = document.tensors.at(i);
      EXPECT_EQ(tensor.name, model.tensors.at(i).name);
      EXPECT_TRUE(std::ranges::equal(tensor.Dimensions(), model.tensors.at(i).dims));
      EXPECT_EQ(tensor.type_id, model.tensors.at(i).type_id);
      EXPECT_EQ(tensor.offset, model.tensors.at(i).offset);
      const auto range = DataRange(document, tensor, ExtentOf(tensor, model.alignment));
      ASSERT_TRUE(range && range->FitsIn(parsed.file.size()));
      EXPECT_TRUE(std::ranges::equal(document.BytesAt(*range), model.tensors.at(i).data));
    }
  }
}

TEST(Model, ModelOfTakesAFileApart) {
  Model model = Model::Minimal();
  model.Set(kAlignmentKey, std::uint32_t{64});
  model.alignment = 64;
  model.LayOut();
  FillData(model);
  model.trailing = {1, 2, 3};
  const Parsed parsed = ParseSound(model);
  const Model taken = ModelOf(parsed.document, parsed.file);
  EXPECT_EQ(taken.alignment, 64U);
  EXPECT_EQ(taken.trailing, model.trailing);
  EXPECT_TRUE(taken.pad_last_tensor);
  EXPECT_EQ(taken.metadata.front().payload, model.metadata.front().payload);
  EXPECT_EQ(taken.tensors.front().data, model.tensors.front().data);
  EXPECT_FALSE(taken.claimed_tensor_count);
  EXPECT_FALSE(taken.metadata.front().claimed_key_length);
}

TEST(Model, ModelOfLeavesOutDataThatAreNotThere) {
  Model model = Model::Minimal();
  model.Add("second", TensorType::kF32, {8});
  File file = Write(model);
  file.resize(file.size() - 1);
  const Parsed parsed = ParseWhole(std::move(file));
  const Model taken = ModelOf(parsed.document, parsed.file);
  ASSERT_EQ(taken.tensors.size(), 2U);
  EXPECT_EQ(taken.tensors.front().data.size(), 32U);
  EXPECT_TRUE(taken.tensors.back().data.empty());
}

}  // namespace
}  // namespace ggufgate::testing
