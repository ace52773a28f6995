// Causes that the bytes of a GGUF file prove: holes, truncations, types and layouts of forks. For
// each cause there is a similar file with a single wrong number, which must not get the cause.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

using Kind = Cause::Kind;

constexpr std::uint64_t kMebibyte = 1 << 20;

// A model with a vocabulary of some kilobytes.
Model WithVocabulary() {
  Model model = Model::Minimal();
  std::vector<std::string> tokens;
  for (int i = 0; i < 2000; ++i) tokens.push_back("token" + std::to_string(i));
  model.Set("tokenizer.ggml.tokens", tokens);
  model.Set("tokenizer.ggml.bos_token_id", std::uint32_t{1});
  model.Set("tokenizer.ggml.eos_token_id", std::uint32_t{2});
  return model;
}

std::vector<std::uint8_t> WithHole(std::vector<std::uint8_t> file, std::uint64_t begin,
                                   std::uint64_t size) {
  std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(begin), size, std::uint8_t{0});
  return file;
}

TEST(Hole, InTheVocabulary) {
  const Model model = WithVocabulary();
  const std::vector<std::uint8_t> file = Write(model);
  int found = 0;
  for (std::uint64_t step = 0; step < 40; ++step) {
    const std::uint64_t begin = ValueAt(model, 1) + 2000 + step;
    const Judged judged = Judge(WithHole(file, begin, 4096 + 8 * step));
    SCOPED_TRACE(step);
    EXPECT_FALSE(judged.Accepted());
    const Cause cause = FirstCause(judged);
    if (!cause) continue;  // some strings after the hole look valid: the fault is far from it
    ++found;
    ASSERT_EQ(cause.kind, Kind::kHole);
    EXPECT_LE(cause.b, begin);  // zeros of the file itself may be next to it
    EXPECT_GE(cause.b, begin - 8);
    EXPECT_GE(cause.b + cause.a, begin + 4096 + 8 * step);
    EXPECT_LE(cause.b + cause.a, begin + 4096 + 8 * step + 8);
  }
  EXPECT_GT(found, 30);
}

TEST(Hole, UpToTheEndOfTheFile) {
  const Model model = WithVocabulary();
  const std::vector<std::uint8_t> file = Write(model);
  const std::uint64_t begin = ValueAt(model, 1) + 20'000;
  const Judged judged = Judge(WithHole(file, begin, file.size() - begin));
  EXPECT_FALSE(judged.Accepted());
  EXPECT_EQ(FirstCause(judged).kind, Kind::kHole);
}

TEST(Hole, OfTheKeysBehindTheVocabulary) {
  const Model model = WithVocabulary();
  const std::vector<std::uint8_t> file = Write(model);
  // Only the last tokens are empty, then the keys: the vocabulary looks complete.
  const Judged judged = Judge(WithHole(file, EntryAt(model, 2) - 1500, 1500 + 40));
  EXPECT_FALSE(judged.Accepted());
  EXPECT_EQ(FirstCause(judged).kind, Kind::kHole);
}

TEST(Hole, InTheTensorDirectory) {
  Model model;
  for (int i = 0; i < 60; ++i) model.Add("blk." + std::to_string(i), TensorType::kI8, {32});
  const Judged judged = Judge(WithHole(Write(model), NameAt(model, 10) + 2, 1000));
  EXPECT_FALSE(judged.Accepted());
  EXPECT_EQ(FirstCause(judged).kind, Kind::kHole);
  EXPECT_EQ(FirstCause(judged).b, NameAt(model, 10) + 2);
}

TEST(Hole, AShortRunOfZerosIsNone) {
  const Model model = WithVocabulary();
  const std::vector<std::uint8_t> file = Write(model);
  const std::uint64_t begin = ValueAt(model, 1) + 2000;
  const Judged judged = Judge(WithHole(file, begin, 300));
  EXPECT_FALSE(judged.Accepted());
  EXPECT_NE(FirstCause(judged).kind, Kind::kHole);
}

TEST(Hole, ZerosOfAnArrayAreItsOwn) {
  Model model;
  model.Set(kKey, std::vector<std::int32_t>(2000, 0)).Set("k.b", std::uint32_t{0});
  model.metadata[1].claimed_key_length = std::uint64_t{1} << 40;  // its first bytes are zero
  const Judged judged = Judge(model);
  EXPECT_THAT(judged.Rules(), ElementsAre("string-length"));
  EXPECT_FALSE(FirstCause(judged));
}

TEST(Hole, ZerosOfTheDataAreTheirOwn) {
  Model model = WithTensors({4096});  // all zeros, and so is its offset
  model.tensors[0].offset = 0;
  model.tensors[0].dims = {5000};
  EXPECT_EQ(FirstCause(Judge(model)).kind, Kind::kMaybeCut);
  model.tensors[0].dims = {4096};
  // The parser reads records that do not exist from the padding and the data.
  model.claimed_tensor_count = 20;
  model.trailing.assign(1024, 0);  // room for them
  const Judged judged = Judge(model);
  EXPECT_FALSE(judged.Accepted());
  EXPECT_NE(FirstCause(judged).kind, Kind::kHole);
  model.claimed_tensor_count.reset();
  model.Set(kKey, std::uint8_t{1});
  model.claimed_metadata_count = 2;
  EXPECT_FALSE(Judge(model).Accepted());
  EXPECT_NE(FirstCause(Judge(model)).kind, Kind::kHole);
}

TEST(CutShort, SeveralTensorsMissing) {
  const Model model = WithTensors({320, 320, 320});
  const std::vector<std::uint8_t> whole = Write(model);
  for (std::uint64_t size = DataAt(model); size < DataAt(model) + 640; size += 31) {
    const std::vector<std::uint8_t> file(whole.begin(),
                                         whole.begin() + static_cast<std::ptrdiff_t>(size));
    const Cause cause = FirstCause(Judge(file));
    EXPECT_EQ(cause.kind, Kind::kCutShort) << size;
    EXPECT_EQ(cause.a, size);
    EXPECT_EQ(cause.b, DataAt(model) + 960);
  }
}

TEST(CutShort, AtARoundSize) {
  const Model model = WithTensors({kMebibyte, kMebibyte, kMebibyte});
  std::vector<std::uint8_t> file = Write(model);
  file.resize(2 * kMebibyte);
  const Cause cause = FirstCause(Judge(file));
  EXPECT_EQ(cause.kind, Kind::kCutShortRound);
  EXPECT_EQ(cause.a, 2 * kMebibyte);
  EXPECT_EQ(cause.b, DataAt(model) + 3 * kMebibyte);
  file.resize(2 * kMebibyte - 1);
  EXPECT_EQ(FirstCause(Judge(file)).kind, Kind::kCutShort);
}

TEST(CutShort, InTheLastTensor) {
  const Model model = WithTensors({320, 320});
  std::vector<std::uint8_t> file = Write(model);
  file.resize(DataAt(model) + 601);  // not a multiple of 8, so not the end of padding
  EXPECT_EQ(FirstCause(Judge(file)).kind, Kind::kCutShort);
  file.resize(DataAt(model) + 320 + 161);
  EXPECT_EQ(FirstCause(Judge(file)).kind, Kind::kCutShort);
  file.resize(DataAt(model) + 320 + 159);  // most of it is missing
  EXPECT_EQ(FirstCause(Judge(file)).kind, Kind::kMaybeCut);
  file.resize(DataAt(model) + 320 + 160);
  EXPECT_EQ(FirstCause(Judge(file)).kind, Kind::kMaybeCut);
  EXPECT_EQ(FirstCause(Judge(file)).a, DataAt(model) + 480);
}

TEST(CutShort, NotWhereANumberLies) {
  // Each has one wrong number in a complete file.
  Model offset = WithTensors({32, 32});
  offset.tensors[1].offset = 1U << 20;
  EXPECT_FALSE(FirstCause(Judge(offset)));

  Model wrapping = WithTensors({32, 32});
  wrapping.tensors[1].offset = UINT64_MAX - 31;
  EXPECT_FALSE(FirstCause(Judge(wrapping)));

  Model first_size = WithTensors({32, 32});
  first_size.tensors[0].dims = {1U << 20};
  EXPECT_FALSE(FirstCause(Judge(first_size)));

  Model last_size = WithTensors({32, 32});
  last_size.tensors[1].dims = {1U << 20};
  EXPECT_EQ(FirstCause(Judge(last_size)).kind, Kind::kMaybeCut);
  last_size.tensors[1].dims = {std::uint64_t{1} << 50};  // no model is that large
  EXPECT_FALSE(FirstCause(Judge(last_size)));
}

TEST(CutShort, TensorsInAnotherOrderToo) {
  Model model = WithTensors({320, 320, 320});
  std::swap(model.tensors[0], model.tensors[2]);
  std::vector<std::uint8_t> file = Write(model);
  file.resize(DataAt(model) + 100);
  EXPECT_EQ(FirstCause(Judge(file, PolicyFor(Profile::kSpec))).kind, Kind::kCutShort);
}

TEST(EndsEarly, InsideTheMetadataOrTheDirectory) {
  Model model;
  model.Set(kKey, std::uint64_t{1});
  std::vector<std::uint8_t> file = Write(model);
  file.pop_back();
  EXPECT_EQ(FirstCause(Judge(file)).kind, Kind::kEndsEarly);
  EXPECT_EQ(FirstCause(Judge(file)).a, file.size());

  model = WithTensors({320, 320});
  file = Write(model);
  file.resize(OffsetAt(model, 1) + 3);
  EXPECT_EQ(FirstCause(Judge(file)).kind, Kind::kEndsEarly);
}

TEST(MaybeCut, AClaimThatIsPlausible) {
  const Model model = WithVocabulary();
  const std::vector<std::uint8_t> file = Write(model);
  const auto cut = [&](std::uint64_t size) {
    return Judge({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)});
  };
  const Judged in_array = cut(ValueAt(model, 1) + 1000);
  EXPECT_THAT(in_array.Rules(), ElementsAre("array-count"));
  EXPECT_EQ(FirstCause(in_array).kind, Kind::kMaybeCut);
  EXPECT_EQ(FirstCause(in_array).a, ValueAt(model, 1) + 1000);
  const Judged in_key = cut(KeyAt(model, 1) + 3);
  EXPECT_THAT(in_key.Rules(), ElementsAre("string-length"));
  EXPECT_EQ(FirstCause(in_key).kind, Kind::kMaybeCut);
  const Judged in_header = cut(24 + 24);
  EXPECT_THAT(in_header.Rules(), ElementsAre("metadata-count"));
  EXPECT_EQ(FirstCause(in_header).kind, Kind::kMaybeCut);
}

TEST(MaybeCut, NotWhereTheClaimIsAbsurdOrALimitIs) {
  Model model = Model::Minimal();
  model.claimed_tensor_count = std::uint64_t{1} << 24;
  EXPECT_EQ(FirstCause(Judge(model)).kind, Kind::kMaybeCut);
  model.claimed_tensor_count = (std::uint64_t{1} << 24) + 1;
  EXPECT_FALSE(FirstCause(Judge(model)));
  Policy policy;
  policy.limits.tensors = 0;
  EXPECT_FALSE(FirstCause(Judge(Model::Minimal(), policy)));
}

// A model in which the first tensor has the fork's layout of its type. Another tensor follows.
Model InForkLayout(TensorType type, std::uint64_t row, std::uint64_t fork_bytes) {
  Model model;
  model.Add("fork", type, {row});
  model.tensors[0].data.resize(fork_bytes);
  model.Add("after", TensorType::kF32, {8});  // uses the current data sizes for the layout
  return model;
}

TEST(ForkLayout, OfEachKnownType) {
  struct Case {
    TensorType type;
    std::uint64_t blocks;  // of the fork
    std::uint64_t bytes_per_block;
    std::uint64_t elements_per_block;
    const char* fork;
  };
  for (const auto& [type, blocks, bytes, elements, fork] :
       {Case{TensorType::kQ8_K, 16, 296, 256, "ik_llama.cpp"},
        Case{TensorType::kNVFP4, 64, 6, 32, "PrismML llama.cpp"},
        Case{TensorType::kQ2_0, 32, 34, 128, "PrismML llama.cpp"}}) {
    SCOPED_TRACE(fork);
    const Judged judged = Judge(InForkLayout(type, blocks * elements, blocks * bytes));
    const Finding finding = judged.Only(RuleId::kTensorOrder);
    EXPECT_EQ(finding.cause.kind, Kind::kForkLayout);
    EXPECT_EQ(finding.cause.a, bytes);
    EXPECT_EQ(finding.cause.b, elements);
    EXPECT_EQ(finding.cause.other, fork);
    // With other numbers of blocks, it is not that layout.
    for (const std::uint64_t other : {blocks - 8, blocks + 8}) {
      const Judged near = Judge(InForkLayout(type, blocks * elements, other * bytes));
      for (const Finding& found : near.checked.findings.list) {
        EXPECT_NE(found.cause.kind, Kind::kForkLayout);
      }
    }
  }
}

TEST(ForkLayout, OfEveryTensorOfAFile) {
  Model model = InForkLayout(TensorType::kQ2_0, 4096, 32 * 34);
  model.Add("fork.2", TensorType::kQ2_0, {4096, 3});
  model.tensors[2].data.resize(std::size_t{3} * 32 * 34);
  model.Add("after.2", TensorType::kF32, {8});
  const Judged judged = Judge(model);
  const std::vector<Finding> findings = FindingsOf(judged, RuleId::kTensorOrder);
  ASSERT_EQ(findings.size(), 1U) << "one cause explains them all";
  EXPECT_EQ(findings[0].cause.kind, Kind::kForkLayout);
  EXPECT_EQ(TotalOf(judged, RuleId::kTensorOrder), 2U);  // those behind a tensor of the fork

  model.tensors.back().offset += 32;  // and one fault more
  EXPECT_EQ(FindingsOf(Judge(model), RuleId::kTensorOrder).size(), 2U);
}

// TL2 of bitnet.cpp: 5 bytes for 24 elements, and 32 for each tensor.
TEST(ForkLayout, OfTernaryTensors) {
  Model model = InForkLayout(TensorType::kMXFP4, 24 * 128, 5 * 128 + 32);
  const Finding finding = Judge(model).Only(RuleId::kTensorOrder);
  EXPECT_EQ(finding.cause.kind, Kind::kForkLayout);
  EXPECT_EQ(finding.cause.other, "bitnet.cpp (TL2)");
  model = InForkLayout(TensorType::kMXFP4, 24 * 128, 5 * 128 + 64);
  EXPECT_EQ(Judge(model).Only(RuleId::kTensorOrder).cause.kind, Kind::kNone);
}

TEST(ForkLayout, NotWherePaddingMakesItFit) {
  // One block: 12 bytes, 32 with padding; in the reference 36 bytes, 64 with padding.
  const Judged judged = Judge(InForkLayout(TensorType::kNVFP4, 64, 12));
  EXPECT_FALSE(judged.Only(RuleId::kTensorOrder).cause);
}

TEST(ForkLayout, NotForTypesWithOneLayout) {
  Model model = InForkLayout(TensorType::kQ4_0, 4096, 32 * 34);
  const Judged judged = Judge(model);
  EXPECT_FALSE(judged.Only(RuleId::kTensorOrder).cause);
}

TEST(ForkLayout, WherePaddingHidesItNothingIsWrong) {
  EXPECT_TRUE(Judge(InForkLayout(TensorType::kQ2_0, 256, 68)).Accepted());
}

}  // namespace
}  // namespace ggufgate::testing
