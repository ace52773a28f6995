// Errors of the parser as findings: rule, range, values, wording, and always an error. This file
// has those of header, counts, strings and the end of the file; record_faults_test.cc has the
// others.

#include <gtest/gtest.h>

#include <array>
#include <string_view>

#include "check/faults.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

TEST(FileTooShort, BelowAHeader) {
  std::vector<std::uint8_t> file = Write(Model());
  ASSERT_EQ(file.size(), 24U);
  EXPECT_THAT(Judge(file).Rules(), IsEmpty());
  while (!file.empty()) {
    file.pop_back();
    const Judged judged = Judge(file);
    EXPECT_THAT(judged.Rules(), ElementsAre("file-too-short"));
    ExpectFault(judged, FileTooShortWording::kOnly, {0, file.size()}, Number(file.size()),
                Number(24));
    EXPECT_EQ(Describe(judged.Only(RuleId::kFileTooShort).subject), "file");
  }
}

TEST(MagicRule, AnyOtherFourBytes) {
  Model model = Model::Minimal();
  for (const std::string magic :
       {"FUGG", "gguf", "GGUf", "GGU\x01", "\x1B[31", "\xFF\xFF\xFF\xFF"}) {
    model.magic = magic;
    const Judged judged = Judge(model);
    EXPECT_THAT(judged.Rules(), ElementsAre("magic"));
    ExpectFault(judged, MagicWording::kOnly, {0, 4}, Text(magic), Text("GGUF"));
    EXPECT_EQ(Describe(judged.Only(RuleId::kMagic).subject), "header");
  }
  model.magic = "GGUF";
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(VersionRule, OnlyTwoAndThree) {
  Model model = Model::Minimal();
  for (const std::uint32_t version : {0U, 4U, 5U, 0x10000U, 0x20003U, 0x4000000U, UINT32_MAX}) {
    model.version = version;
    ExpectFault(Judge(model), VersionWording::kUnknown, {4, 4}, Number(version), Number(3));
    EXPECT_EQ(Severities(model, RuleId::kVersion), "error error error");
  }
  for (const std::uint32_t version : {2U, 3U}) {
    model.version = version;
    EXPECT_THAT(RulesFired(model), IsEmpty());
  }
}

TEST(VersionRule, NamesVersionOneInBothByteOrders) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    Model model;
    model.byte_order = order;
    model.Set(kArchitectureKey, "test");
    model.version = 1;
    EXPECT_THAT(RulesFired(model), ElementsAre("version"));
    ExpectFault(Judge(model), VersionWording::kFirst, {4, 4}, Number(1), Number(3));
  }
}

TEST(ByteOrderFault, ASwappedTwoIsAnErrorEvenWhereTheRuleIsANote) {
  Model model = BigEndianMinimal();
  model.version = 2;
  EXPECT_EQ(RuleOf(RuleId::kByteOrder).SeverityIn(Profile::kSpec), Severity::kNote);
  EXPECT_EQ(Severities(model, RuleId::kByteOrder), "error error error");
  ExpectFault(Judge(model), ByteOrderWording::kSwappedVersion, {4, 4}, Number(2), Number(3));
  Policy any = PolicyFor(Profile::kSpec);
  any.target = TargetOrder::kAny;
  EXPECT_FALSE(Judge(model, any).Accepted());

  model.version = 3;
  EXPECT_TRUE(Judge(model, any).Accepted());
}

TEST(TensorCount, BoundedByTheBytesLeft) {
  Model model = Model::Minimal();
  const std::uint64_t room = (Write(model).size() - 24) / 24;
  for (const std::uint64_t claim :
       {room + 1, std::uint64_t{1} << 32, std::uint64_t{1} << 63, UINT64_MAX}) {
    model.claimed_tensor_count = claim;
    EXPECT_THAT(RulesFired(model), ElementsAre("tensor-count"));
    ExpectFault(Judge(model), TensorCountWording::kBytesLeft, {8, 8}, Number(claim), Number(room));
  }
  EXPECT_EQ(Describe(Judge(model).Only(RuleId::kTensorCount).subject), "header");
  EXPECT_EQ(Severities(model, RuleId::kTensorCount), "error error error");
  model.claimed_tensor_count = room;
  EXPECT_THAT(RulesFired(model), Not(Contains("tensor-count")));
}

TEST(TensorCount, BoundedByTheLimit) {
  Policy policy;
  policy.limits.tensors = 1;
  EXPECT_THAT(RulesFired(WithTensors({32}), policy), IsEmpty());
  const Judged judged = Judge(WithTensors({32, 32}), policy);
  ExpectFault(judged, TensorCountWording::kLimit, {8, 8}, Number(2), Number(1));
}

TEST(MetadataCount, BoundedByTheBytesLeft) {
  Model model = Model::Minimal();
  const std::uint64_t room = (Write(model).size() - 24) / 13;
  for (const std::uint64_t claim : {room + 1, std::uint64_t{1} << 58, UINT64_MAX}) {
    model.claimed_metadata_count = claim;
    EXPECT_THAT(RulesFired(model), ElementsAre("metadata-count"));
    ExpectFault(Judge(model), MetadataCountWording::kBytesLeft, {16, 8}, Number(claim),
                Number(room));
  }
  EXPECT_EQ(Severities(model, RuleId::kMetadataCount), "error error error");
  model.claimed_metadata_count = room;
  EXPECT_THAT(RulesFired(model), Not(Contains("metadata-count")));
}

TEST(MetadataCount, BoundedByTheLimit) {
  Policy policy;
  policy.limits.metadata_keys = 1;
  Model model = Model::Minimal();
  EXPECT_THAT(RulesFired(model, policy), IsEmpty());
  model.Set(kKey, std::uint8_t{1});
  ExpectFault(Judge(model, policy), MetadataCountWording::kLimit, {16, 8}, Number(2), Number(1));
}

TEST(StringLength, OfAKey) {
  Model model = Model::Minimal();
  const std::uint64_t room = Write(model).size() - KeyAt(model, 0);
  for (const std::uint64_t claim : {room + 1, std::uint64_t{1} << 63, UINT64_MAX - 7, UINT64_MAX}) {
    model.metadata[0].claimed_key_length = claim;
    EXPECT_THAT(RulesFired(model), ElementsAre("string-length"));
    ExpectFault(Judge(model), StringLengthWording::kBytesLeft, {24, 8}, Number(claim),
                Number(room));
  }
  EXPECT_EQ(Describe(Judge(model).Only(RuleId::kStringLength).subject), "metadata 0 \"\"");
  EXPECT_EQ(Severities(model, RuleId::kStringLength), "error error error");
  model.metadata[0].claimed_key_length = room;
  EXPECT_THAT(RulesFired(model), ElementsAre("truncated-metadata"));
  model.metadata[0].claimed_key_length.reset();
  EXPECT_THAT(RulesFired(model), IsEmpty());
}

TEST(StringLength, OfAValueATensorNameAndAnElement) {
  Model model;
  model.SetRaw(kKey, ValueType::kString, Encoder(ByteOrder::kLittle).Put(std::uint64_t{1}).Take());
  ExpectFault(Judge(model), StringLengthWording::kBytesLeft, {ValueAt(model, 0), 8}, Number(1),
              Number(0));
  EXPECT_EQ(Describe(Judge(model).Only(RuleId::kStringLength).subject), "metadata 0 \"k.a\"");

  model = Model::Minimal();
  model.tensors[0].claimed_name_length = 1000;
  ExpectFault(Judge(model), StringLengthWording::kBytesLeft, {TensorAt(model, 0), 8}, Number(1000),
              Number(Write(model).size() - NameAt(model, 0)));
  EXPECT_EQ(Describe(Judge(model).Only(RuleId::kStringLength).subject), "tensor 0 \"\"");

  model = WithArray(ValueType::kString, 2,
                    Encoder(ByteOrder::kLittle)
                        .PutString("ab")
                        .Put(std::uint64_t{2})
                        .PutBytes(AsBytes("a"))
                        .Take());
  const std::uint64_t second = ValueAt(model, 0) + 12 + 10;
  ExpectFault(Judge(model), StringLengthWording::kBytesLeft, {second, 8}, Number(2), Number(1));
  EXPECT_EQ(Describe(Judge(model).Only(RuleId::kStringLength).subject),
            "metadata 0 \"k.a\" element 1");
}

TEST(StringLength, BoundedByTheLimit) {
  Policy policy;
  policy.limits.string_bytes = 20;  // "general.architecture"
  EXPECT_THAT(RulesFired(Model::Minimal(), policy), IsEmpty());
  policy.limits.string_bytes = 19;
  ExpectFault(Judge(Model::Minimal(), policy), StringLengthWording::kLimit, {24, 8}, Number(20),
              Number(19));
}

TEST(TruncatedMetadata, InsideAValue) {
  Model model;
  model.Set(kKey, std::uint32_t{7});
  std::vector<std::uint8_t> file = Write(model);
  EXPECT_THAT(Judge(file).Rules(), IsEmpty());
  file.pop_back();
  const Judged judged = Judge(file);
  EXPECT_THAT(judged.Rules(), ElementsAre("truncated-metadata"));
  ExpectFault(judged, TruncatedMetadataWording::kOnly, {ValueAt(model, 0), 4}, Number(4),
              Number(3));
  EXPECT_EQ(Describe(judged.Only(RuleId::kTruncatedMetadata).subject), "metadata 0 \"k.a\"");
  EXPECT_EQ(Severities(file, RuleId::kTruncatedMetadata), "error error error");
}

TEST(TruncatedTensorInfo, InsideTheOffset) {
  const Model model = Model::Minimal();
  std::vector<std::uint8_t> file = Write(model);
  file.resize(OffsetAt(model, 0) + 7);
  const Judged judged = Judge(file);
  EXPECT_THAT(judged.Rules(), ElementsAre("truncated-tensor-info"));
  ExpectFault(judged, TruncatedTensorInfoWording::kOnly, {OffsetAt(model, 0), 8}, Number(8),
              Number(7));
  EXPECT_EQ(Describe(judged.Only(RuleId::kTruncatedTensorInfo).subject), "tensor 0 \"weight\"");
  EXPECT_EQ(Severities(file, RuleId::kTruncatedTensorInfo), "error error error");
}

TEST(RuleFor, EveryKindOfFault) {
  struct Case {
    FaultKind kind;
    std::string_view slug;
  };
  constexpr std::array kCases = {
      Case{FaultKind::kFileTooShort, "file-too-short"},
      Case{FaultKind::kMagic, "magic"},
      Case{FaultKind::kVersion, "version"},
      Case{FaultKind::kByteOrder, "byte-order"},
      Case{FaultKind::kTensorCount, "tensor-count"},
      Case{FaultKind::kMetadataCount, "metadata-count"},
      Case{FaultKind::kStringLength, "string-length"},
      Case{FaultKind::kTruncatedMetadata, "truncated-metadata"},
      Case{FaultKind::kTruncatedTensorInfo, "truncated-tensor-info"},
      Case{FaultKind::kValueType, "value-type"},
      Case{FaultKind::kArrayElementType, "array-element-type"},
      Case{FaultKind::kArrayCount, "array-count"},
      Case{FaultKind::kArrayDepth, "array-nested"},
      Case{FaultKind::kDimensionCount, "tensor-dimensions"},
      Case{FaultKind::kMetadataBytes, "limit-exceeded"},
      Case{FaultKind::kArrayStrings, "limit-exceeded"},
  };
  static_assert(kCases.size() == static_cast<std::size_t>(FaultKind::kArrayStrings) + 1);
  for (const auto& [kind, slug] : kCases) EXPECT_EQ(RuleOf(RuleFor(kind)).slug, slug);
}

}  // namespace
}  // namespace ggufgate::testing
