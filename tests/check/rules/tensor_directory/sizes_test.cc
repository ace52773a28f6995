// Rules about dimensions, types and sizes. Most of these models claim more data than possible, so
// rule tensor-data-bounds also fires. Each test checks one other rule.

#include <gtest/gtest.h>

#include <memory>

#include "format/contracts/contract_table.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

constexpr std::uint64_t kTwo31 = std::uint64_t{1} << 31;
constexpr std::uint64_t kTwo32 = std::uint64_t{1} << 32;
constexpr std::uint64_t kTwo61 = std::uint64_t{1} << 61;
constexpr std::uint64_t kTwo62 = std::uint64_t{1} << 62;
constexpr std::uint64_t kTwo63 = std::uint64_t{1} << 63;

// Claiming returns a model with one tensor of 32 bytes that claims other dimensions.
Model Claiming(TensorType type, std::vector<std::uint64_t> dims) {
  Model model;
  Model::Tensor& tensor = model.Add("weight", TensorType::kI8, {32});
  tensor.type_id = static_cast<std::uint32_t>(type);
  tensor.dims = std::move(dims);
  return model;
}

TEST(TensorDimensionNegative, From2To63On) {
  for (const std::size_t place : {0U, 1U, 3U}) {
    std::vector<std::uint64_t> dims(4, 1);
    dims.at(place) = kTwo63;
    const Model model = Claiming(TensorType::kI8, dims);
    const Finding finding = SoleFinding(model, RuleId::kTensorDimensionNegative);
    EXPECT_THAT(finding, Tells({DimensionsAt(model, 0) + 8 * place, 8}, Number(kTwo63),
                               Number(kTwo63 - 1), Number(place)));
    EXPECT_EQ(Describe(finding.subject), "tensor 0 \"weight\"");
    EXPECT_EQ(Severities(model, RuleId::kTensorDimensionNegative), "error error error");
  }
  EXPECT_THAT(RulesFired(Claiming(TensorType::kI8, {UINT64_MAX})),
              ElementsAre("tensor-dimension-negative"));
  // Also together with a zero.
  Model model = Claiming(TensorType::kI8, {0, kTwo63});
  model.tensors[0].data.clear();
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-dimension-negative", "tensor-row-empty"));
}

TEST(TensorDimensionZero, OfTheOuterDimensions) {
  for (const std::size_t place : {1U, 2U, 3U}) {
    std::vector<std::uint64_t> dims(4, 1);
    dims.at(place) = 0;
    Model model = Claiming(TensorType::kF32, dims);
    model.tensors[0].data.clear();
    EXPECT_THAT(
        SoleFinding(model, RuleId::kTensorDimensionZero),
        Tells({DimensionsAt(model, 0) + 8 * place, 8}, Number(0), Number(1), Number(place)));
    EXPECT_EQ(Severities(model, RuleId::kTensorDimensionZero), "error warning warning");
    EXPECT_TRUE(Judge(model, PolicyFor(Profile::kLlamaCpp)).Accepted());
  }
}

// Older releases divide by zero in every profile, before they look at the model.
TEST(TensorDimensionZero, IsAnErrorForReleasesThatDivide) {
  Model model;
  model.Set("general.architecture", "llama").Add("weight", TensorType::kF32, {8, 0});
  Policy policy = PolicyFor(Profile::kLlamaCpp);
  const auto severity = [&](const char* release) {
    const ContractTable* const table = ContractTable::FindLearned(release);
    policy.loaders = {std::make_shared<const ContractTable>(*table)};
    return Judge(model, policy).Only(RuleId::kTensorDimensionZero).severity;
  };
  EXPECT_EQ(severity("llama.cpp b10361"), Severity::kError);
  EXPECT_EQ(severity("llama.cpp v0.4.0"), Severity::kWarning);
  EXPECT_EQ(severity("llama.cpp v0.5.0"), Severity::kWarning);
}

TEST(TensorDimensionZero, EveryOneIsTold) {
  Model model = Claiming(TensorType::kF32, {8, 0, 0});
  EXPECT_EQ(TotalOf(Judge(model), RuleId::kTensorDimensionZero), 2U);
}

TEST(TensorRowEmpty, IsAWarning) {
  Model model = Claiming(TensorType::kF32, {0, 4});
  model.tensors[0].data.clear();
  EXPECT_THAT(SoleFinding(model, RuleId::kTensorRowEmpty),
              Tells({DimensionsAt(model, 0), 8}, Number(0), Number(1)));
  EXPECT_EQ(Severities(model, RuleId::kTensorRowEmpty), "warning warning warning");
  EXPECT_THAT(RulesFired(Claiming(TensorType::kI8, {8, 4})), IsEmpty());
}

TEST(TensorSizes, NoDimensionsAreOneElement) {
  EXPECT_THAT(RulesFired([] {
                Model model;
                model.Add("scalar", TensorType::kF32, {});
                return model;
              }()),
              IsEmpty());
}

TEST(TensorElementsOverflow, StepByStep) {
  struct Case {
    std::vector<std::uint64_t> dims;
    std::string text;
  };
  for (const auto& [dims, text] : {
           Case{{kTwo32, kTwo32}, "[4294967296, 4294967296]"},
           Case{{kTwo31, kTwo32}, "[2147483648, 4294967296]"},
           Case{{kTwo62, 2}, "[4611686018427387904, 2]"},
           Case{{65'536, 65'536, 65'536, 65'536}, "[65536, 65536, 65536, 65536]"},
           // The product is 0, but overflows before.
           Case{{kTwo32, kTwo32, 0}, "[4294967296, 4294967296, 0]"},
       }) {
    const Model model = Claiming(TensorType::kI8, dims);
    const Finding finding = Judge(model).Only(RuleId::kTensorElementsOverflow);
    EXPECT_THAT(finding,
                Tells({DimensionsAt(model, 0), 8 * dims.size()}, Text(text), Number(kTwo63 - 1)));
    EXPECT_EQ(Describe(finding.subject), "tensor 0 \"weight\"");
    EXPECT_EQ(Severities(model, RuleId::kTensorElementsOverflow), "error error error");
  }
  EXPECT_THAT(RulesFired(Claiming(TensorType::kI8, {kTwo32, kTwo32})),
              ElementsAre("tensor-elements-overflow"));
  EXPECT_EQ(
      Severities(Claiming(TensorType::kI8, {kTwo31, kTwo32 - 1}), RuleId::kTensorElementsOverflow),
      "off off off");
}

TEST(TensorBytesOverflow, WhereElementsStillFit) {
  Model model = Claiming(TensorType::kF32, {kTwo61});  // 2^63 bytes
  EXPECT_THAT(SoleFinding(model, RuleId::kTensorBytesOverflow),
              Tells({DimensionsAt(model, 0), 8}, Number(kTwo61), Number(kTwo63 - 1), Text("F32")));
  EXPECT_EQ(Severities(model, RuleId::kTensorBytesOverflow), "error error error");

  model = Claiming(TensorType::kF32, {kTwo61 - 1});
  EXPECT_EQ(Severities(model, RuleId::kTensorBytesOverflow), "off off off");
  EXPECT_THAT(RulesFired(Claiming(TensorType::kF32, {kTwo31, kTwo31 / 2})),
              ElementsAre("tensor-bytes-overflow"));
}

TEST(TensorBytesOverflow, TheRowThatCountsAsAFewBytes) {
  // The reference multiplies the row with the bytes of a block first: this overflows for every
  // block type.
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    if (type.block_elements == 1) continue;
    SCOPED_TRACE(type.name);
    const std::uint64_t wrap = UINT64_MAX / type.block_elements / type.block_bytes + 1;
    const Model model = Claiming(type.type, {type.block_elements * wrap});
    EXPECT_THAT(Judge(model).Rules(Severity::kError), ElementsAre("tensor-bytes-overflow"));
    const std::uint64_t most = (kTwo63 - 1) / type.block_elements / type.block_bytes;
    EXPECT_EQ(
        Severities(Claiming(type.type, {type.block_elements * most}), RuleId::kTensorBytesOverflow),
        "off off off");
  }
}

TEST(TensorPaddingOverflow, RoundingUpLeaves63Bits) {
  Model model = Claiming(TensorType::kI8, {kTwo63 - 31});
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-data-bounds", "tensor-padding-overflow"));
  EXPECT_THAT(Judge(model).Only(RuleId::kTensorPaddingOverflow),
              Tells({DimensionsAt(model, 0), 8}, Number(kTwo63 - 31), Number(32)));
  EXPECT_EQ(Severities(model, RuleId::kTensorPaddingOverflow), "error error error");

  model = Claiming(TensorType::kI8, {kTwo63 - 32});
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-data-bounds", "tensor-total-overflow"));
}

TEST(TensorTotalOverflow, LeavesRoomForTheLoader) {
  constexpr std::uint64_t kMost = kTwo63 - 1 - kTwo32;
  Model model = Claiming(TensorType::kI8, {kTwo62});
  model.Add("second", TensorType::kI8, {32});
  model.Add("third", TensorType::kI8, {32});
  // The sum of all three: 2^62 + (2^62 - 2^32) + 32.
  model.tensors[1].dims = {kTwo62 - kTwo32};
  const Finding finding = Judge(model).Only(RuleId::kTensorTotalOverflow);
  EXPECT_THAT(finding, Tells({DimensionsAt(model, 1), 8}, Number(kMost + 1), Number(kMost)));
  EXPECT_EQ(Describe(finding.subject), "tensor 1 \"second\"");
  EXPECT_EQ(TotalOf(Judge(model), RuleId::kTensorTotalOverflow), 1U);  // not again for the third
  EXPECT_EQ(Severities(model, RuleId::kTensorTotalOverflow), "error error error");

  model.tensors[1].dims = {kTwo62 - kTwo32 - 64};  // the third fills it up to kMost - 31
  EXPECT_EQ(Severities(model, RuleId::kTensorTotalOverflow), "off off off");
}

TEST(TensorTotalOverflow, UpToTheLastByte) {
  Model model;
  model.Set(kAlignmentKey, std::uint32_t{1});
  model.alignment = 1;
  model.Add("first", TensorType::kI8, {32});
  model.Add("second", TensorType::kI8, {32});
  model.tensors[0].dims = {kTwo62};
  model.tensors[1].dims = {kTwo62 - kTwo32 - 1};
  EXPECT_EQ(Severities(model, RuleId::kTensorTotalOverflow), "off off off");
  ++model.tensors[1].dims[0];
  EXPECT_EQ(TotalOf(Judge(model), RuleId::kTensorTotalOverflow), 1U);
}

TEST(TensorType, RemovedForeignAndUnknown) {
  struct Case {
    std::uint32_t id;
    Cause::Kind cause;
    std::string_view from;  // the subject of the cause
  };
  for (const auto& [id, cause, from] :
       {Case{5, Cause::Kind::kRemovedType, "removed"},
        Case{32, Cause::Kind::kRemovedType, "removed"},
        Case{36, Cause::Kind::kForeignType, "bitnet.cpp"},
        Case{144, Cause::Kind::kForeignType, "ik_llama.cpp"},
        Case{143, Cause::Kind::kForeignType, "PrismML"}, Case{60, Cause::Kind::kUnknownType, ""},
        Case{UINT32_MAX, Cause::Kind::kUnknownType, ""}}) {
    Model model = Claiming(TensorType::kI8, {32});
    model.tensors[0].type_id = id;
    const Finding finding = SoleFinding(model, RuleId::kTensorType);
    EXPECT_THAT(finding, Tells({TensorTypeAt(model, 0), 4}, Number(id)));
    EXPECT_EQ(Describe(finding.subject), "tensor 0 \"weight\"");
    EXPECT_EQ(finding.cause.kind, cause);
    EXPECT_EQ(finding.cause.a, id);
    EXPECT_NE(finding.cause.other.find(from), std::string_view::npos);
    EXPECT_EQ(Severities(model, RuleId::kTensorType), "error error error");
  }
}

TEST(TensorType, EveryTypeOfTheReferenceIsFine) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    SCOPED_TRACE(type.name);
    Model model;
    model.Add("weight", type.type, {2U * type.block_elements, 3});
    EXPECT_EQ(model.tensors[0].data.size(), 6U * type.block_bytes);
    EXPECT_THAT(Judge(model).Rules(Severity::kError), IsEmpty());
  }
}

TEST(TensorRowBlocks, NoPartialBlocks) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    if (type.block_elements == 1) continue;
    SCOPED_TRACE(type.name);
    for (const std::uint64_t row : {std::uint64_t{1}, std::uint64_t{type.block_elements} - 1,
                                    std::uint64_t{type.block_elements} + 1}) {
      const Model model = Claiming(type.type, {row});
      EXPECT_THAT(Judge(model).Rules(Severity::kError), ElementsAre("tensor-row-blocks"));
      EXPECT_THAT(Judge(model).Only(RuleId::kTensorRowBlocks),
                  Tells({DimensionsAt(model, 0), 8}, Number(row), Number(type.block_elements),
                        Text(type.name)));
    }
  }
  EXPECT_EQ(Severities(Claiming(TensorType::kQ4_0, {33}), RuleId::kTensorRowBlocks),
            "error error error");
}

TEST(TensorRowBlocks, AScalarIsNoBlock) {
  const Model model = Claiming(TensorType::kQ4_0, {});
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-row-blocks"));
  EXPECT_EQ(Judge(model).Only(RuleId::kTensorRowBlocks).where,
            (ByteRange{DimensionCountAt(model, 0), 4}));
}

TEST(TensorRowBlocks, TheProductDoesNotMakeUpForTheRow) {
  EXPECT_THAT(RulesFired(Claiming(TensorType::kQ8_0, {16, 2})), ElementsAre("tensor-row-blocks"));
}

TEST(LimitExceeded, ElementsOfATensor) {
  Policy policy;
  policy.limits.tensor_elements = 32;
  Model model;
  model.Add("weight", TensorType::kI8, {8, 4});
  EXPECT_THAT(RulesFired(model, policy), IsEmpty());
  model.Add("larger", TensorType::kI8, {11, 3});
  const Finding finding = SoleFinding(model, RuleId::kLimitExceeded, policy);
  EXPECT_THAT(finding, Tells({DimensionsAt(model, 1), 16}, Number(33), Number(32)));
  EXPECT_EQ(Describe(finding.subject), "tensor 1 \"larger\"");
  EXPECT_EQ(WordingOf(finding), LimitExceededWording::kElements);
  EXPECT_THAT(RulesFired(model), IsEmpty());  // off by default
}

TEST(TensorSizes, EveryTensorIsLookedAt) {
  Model model = WithTensors({32, 32, 32});
  for (Model::Tensor& tensor : model.tensors) tensor.dims = {kTwo63};
  EXPECT_THAT(FindingsOf(Judge(model), RuleId::kTensorDimensionNegative), SizeIs(3));
}

TEST(TensorTypeDisputed, OneTypeHasTwoSizes) {
  Model model;
  model.Set("general.quantization_version", std::uint32_t{2});
  model.Add("w", TensorType::kQ8_1, {32});
  EXPECT_THAT(SoleFinding(model, RuleId::kTensorTypeDisputed),
              Tells({TensorTypeAt(model, 0), 4}, Number(36), Number(40), Text("Q8_1")));
  EXPECT_EQ(Severities(model, RuleId::kTensorTypeDisputed), "warning note note");
  model.tensors.clear();
  model.Add("w", TensorType::kQ8_0, {32});
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing
