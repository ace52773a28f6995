// Rules about the values in the tensors.

#include "check/data_scan.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "bytes/memory_source.h"
#include "parse/extent.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "words/message.h"

namespace ggufgate::testing {
namespace {

Policy Scanning(DataScan scan, std::size_t findings_per_rule = 20) {
  Policy policy;
  policy.data = scan;
  policy.findings_per_rule = findings_per_rule;
  return policy;
}
const Policy kFullScan = Scanning(DataScan::kFull);
const Policy kScalesScan = Scanning(DataScan::kScales);

// One tensor of a type, filled with ones if these are harmless for every type.
Model Tensor(TensorType type, std::vector<std::uint64_t> dims, const char* name = "weight") {
  Model model;
  model.Set("general.quantization_version", std::uint32_t{2});
  std::ranges::fill(model.Add(name, type, std::move(dims)).data, std::uint8_t{1});
  return model;
}

template <Scalar T>
void Put(Model& model, std::size_t at, T value) {
  Store(value, model.byte_order, MutableBytes(model.tensors.back().data).subspan(at));
}

Finding OnlyOf(const Model& model, RuleId rule, const Policy& policy = kFullScan) {
  const Judged judged = Judge(model, policy);
  EXPECT_EQ(TotalOf(judged, rule), 1U);
  return judged.Only(rule);
}

TEST(TensorValueNotFinite, SaysWhereAndWhat) {
  Model model = Tensor(TensorType::kF32, {8, 4});
  Put(model, 4 * 13, std::uint32_t{0x7FC0'0001});
  EXPECT_THAT(RulesFired(model), IsEmpty());  // the data were not requested
  EXPECT_THAT(RulesFired(model, kFullScan), ElementsAre("tensor-value-not-finite"));
  const Finding finding = OnlyOf(model, RuleId::kTensorValueNotFinite);
  EXPECT_THAT(finding, Tells({DataAt(model) + 52, 4}, Text("nan (0x7fc00001)")));
  EXPECT_EQ(Describe(finding.subject), "tensor 0 \"weight\" element 13");
  EXPECT_EQ(WordingOf(finding), TensorValueNotFiniteWording::kValue);
  EXPECT_EQ(MessageFor(finding), "value is nan (0x7fc00001); must be finite");
  Put(model, 4 * 13, std::uint32_t{0x7F7F'FFFF});  // the largest one
  EXPECT_THAT(RulesFired(model, kFullScan), IsEmpty());
}

TEST(TensorValueNotFinite, WeighsAsItsProfileSays) {
  Model model = Tensor(TensorType::kF32, {8});
  Put(model, 0, HUGE_VALF);
  const std::vector<Severity> expected = {Severity::kError, Severity::kWarning, Severity::kWarning,
                                          Severity::kError};
  for (std::size_t i = 0; i < kProfileCount; ++i) {
    Policy policy = PolicyFor(static_cast<Profile>(i));
    policy.data = DataScan::kFull;
    EXPECT_EQ(Judge(model, policy).Only(RuleId::kTensorValueNotFinite).severity, expected.at(i));
  }
}

TEST(TensorValueNotFinite, TellsValuesOfEachFloatType) {
  struct Case {
    TensorType type;
    std::vector<std::uint8_t> bytes;
    std::string text;
  };
  const std::vector<Case> cases = {
      {TensorType::kF16, {0x00, 0x7C}, "inf (0x7c00)"},
      {TensorType::kF16, {0x00, 0xFC}, "-inf (0xfc00)"},
      {TensorType::kF16, {0x01, 0x7C}, "nan (0x7c01)"},
      {TensorType::kBF16, {0x80, 0xFF}, "-inf (0xff80)"},
      {TensorType::kF32, {0x00, 0x00, 0x80, 0x7F}, "inf (0x7f800000)"},
      {TensorType::kF64, {0, 0, 0, 0, 0, 0, 0xF8, 0xFF}, "nan (0xfff8000000000000)"},
  };
  for (const Case& c : cases) {
    Model model = Tensor(c.type, {8});
    std::ranges::copy(c.bytes, model.tensors.back().data.begin());
    EXPECT_EQ(OnlyOf(model, RuleId::kTensorValueNotFinite).observed, Text(c.text));
  }
}

TEST(TensorValueNotFinite, ADoubleAboveTheRangeOfAFloatIsFinite) {
  Model model = Tensor(TensorType::kF64, {4});
  Put(model, 8, 1e300);
  EXPECT_THAT(RulesFired(model, kFullScan), IsEmpty());
}

TEST(TensorValueNotFinite, ScalesAndMinimumsNameTheirBlock) {
  Model model = Tensor(TensorType::kQ4_1, {64, 2});
  Put(model, 20 * 3 + 2, std::uint16_t{0x7E00});
  Finding finding = OnlyOf(model, RuleId::kTensorValueNotFinite, kScalesScan);
  EXPECT_EQ(finding.where, (ByteRange{DataAt(model) + 62, 2}));
  EXPECT_EQ(finding.subject.element, 96U);
  EXPECT_EQ(WordingOf(finding), TensorValueNotFiniteWording::kMinimum);
  EXPECT_EQ(MessageFor(finding), "the minimum of block 3 is nan (0x7e00); must be finite");

  model = Tensor(TensorType::kMXFP4, {64});
  Put(model, 17, std::uint8_t{0xFF});
  finding = OnlyOf(model, RuleId::kTensorValueNotFinite, kScalesScan);
  EXPECT_EQ(WordingOf(finding), TensorValueNotFiniteWording::kScale);
  EXPECT_EQ(MessageFor(finding), "the scale of block 1 is nan (0xff); must be finite");

  model = Tensor(TensorType::kIQ1_M, {256});
  Put(model, 52, std::uint16_t{0xC000});
  Put(model, 54, std::uint16_t{0x7000});
  finding = OnlyOf(model, RuleId::kTensorValueNotFinite, kScalesScan);
  EXPECT_EQ(finding.where, (ByteRange{DataAt(model) + 48, 8}));
  EXPECT_EQ(MessageFor(finding), "the scale of block 0 is inf (0x7c00); must be finite");
}

TEST(TensorValueNotFinite, ScalesOnlyReadsSmallFloatTensors) {
  Model model = Tensor(TensorType::kF32, {8, 2});
  Put(model, 0, HUGE_VALF);
  EXPECT_THAT(RulesFired(model, kScalesScan), IsEmpty());
  model = Tensor(TensorType::kF32, {8});
  Put(model, 0, HUGE_VALF);
  EXPECT_THAT(RulesFired(model, kScalesScan), ElementsAre("tensor-value-not-finite"));
}

TEST(TensorValueNotFinite, ReadsNumbersInTheOrderOfTheFile) {
  Model model = BigEndianMinimal();
  Put(model, 4, std::uint32_t{0x7F80'0000});
  Policy policy = kFullScan;
  policy.target = TargetOrder::kBig;
  const Finding finding = Judge(model, policy).Only(RuleId::kTensorValueNotFinite);
  EXPECT_EQ(finding.subject.element, 1U);
  EXPECT_EQ(finding.observed, Text("inf (0x7f800000)"));
}

TEST(TensorValueNotFinite, KeepsTheFirstAndCountsAll) {
  // Larger than the piece of a thread, with faults in every piece.
  Model model = Tensor(TensorType::kF16, {4096, 700});
  std::vector<std::uint64_t> places;
  for (std::size_t at = 6; at < model.tensors.back().data.size(); at += 50'000) {
    Put(model, at, std::uint16_t{0x7C00});
    places.push_back(at);
  }
  ASSERT_GT(model.tensors.back().data.size(), kScanPieceBytes);
  const Judged judged = Judge(model, Scanning(DataScan::kFull, 3));
  EXPECT_EQ(TotalOf(judged, RuleId::kTensorValueNotFinite), places.size());
  const std::vector<Finding> findings = FindingsOf(judged, RuleId::kTensorValueNotFinite);
  ASSERT_THAT(findings, SizeIs(3));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(findings[i].where.begin, DataAt(model) + places.at(i));
  }
}

// Faults that are counted but not listed: a suppression of the whole rule covers them, but one of a
// tensor does not, because their places are unknown.
TEST(TensorValueNotFinite, SuppressionsCoverWhatIsNotKeptOnlyForTheWholeFile) {
  Model model = Tensor(TensorType::kF32, {8});
  for (std::size_t i = 0; i < 5; ++i) Put(model, 4 * i, HUGE_VALF);
  const auto judge = [&](std::string path) {
    Policy policy = Scanning(DataScan::kFull, 3);
    policy.suppressions = {{.rule = RuleId::kTensorValueNotFinite,
                            .reason = "seen",
                            .sha256 = {},
                            .path = std::move(path)}};
    return Judge(model, policy);
  };
  constexpr auto kIndex = static_cast<std::size_t>(RuleId::kTensorValueNotFinite);

  const Judged whole = judge("");
  EXPECT_TRUE(whole.Accepted());
  EXPECT_EQ(whole.checked.findings.totals.at(kIndex), 5U);
  EXPECT_EQ(whole.checked.findings.suppressed.at(kIndex), 5U);
  EXPECT_THAT(FindingsOf(whole, RuleId::kTensorValueNotFinite), SizeIs(3));

  const Judged tensor = judge("weight*");
  EXPECT_FALSE(tensor.Accepted());
  EXPECT_EQ(tensor.checked.findings.totals.at(kIndex), 5U);
  EXPECT_EQ(tensor.checked.findings.suppressed.at(kIndex), 3U);
  const std::vector<Finding> findings = FindingsOf(tensor, RuleId::kTensorValueNotFinite);
  ASSERT_THAT(findings, SizeIs(4));
  const auto unlisted =
      std::ranges::find_if(findings, [](const Finding& finding) { return !finding.suppression; });
  ASSERT_NE(unlisted, findings.end());
  EXPECT_EQ(WordingOf(*unlisted), TensorValueNotFiniteWording::kUnlisted);
  EXPECT_EQ(unlisted->observed, Number(2));
  EXPECT_EQ(unlisted->where, (ByteRange{DataAt(model), 32}));
  EXPECT_EQ(Describe(unlisted->subject), "file");

  const Judged other = judge("other*");
  EXPECT_EQ(other.checked.findings.suppressed.at(kIndex), 0U);
  EXPECT_THAT(FindingsOf(other, RuleId::kTensorValueNotFinite), SizeIs(3));
}

TEST(TensorValueNotFinite, LooksAtSharedBytesOnce) {
  Model model = Tensor(TensorType::kF32, {8});
  Put(model, 0, HUGE_VALF);
  model.Add("second", TensorType::kF32, {8});
  model.tensors[1].offset = 0;
  model.tensors[1].data.clear();
  EXPECT_EQ(OnlyOf(model, RuleId::kTensorValueNotFinite).subject.name, "weight");
}

TEST(TensorValueNotFinite, LeavesOutWhatIsNotInTheFile) {
  Model model = Tensor(TensorType::kF32, {8});
  Put(model, 0, HUGE_VALF);
  std::vector<std::uint8_t> file = Write(model);
  file.pop_back();
  EXPECT_THAT(Judge(file, kFullScan).Rules(), ElementsAre("tensor-data-bounds"));
}

TEST(TensorEncodingReserved, EachOfThem) {
  using Says = TensorEncodingReservedWording;
  struct Case {
    TensorType type;
    std::size_t at;
    std::vector<std::uint8_t> bytes;
    std::uint64_t element;
    Says wording;
    std::string message;
    std::vector<std::uint8_t> near_miss;
  };
  const std::vector<Case> cases = {
      {TensorType::kMXFP4,
       0,
       {253, 0x60},
       16,
       Says::kScaleOverflows,
       "the scale of block 0, 2^126 (0xfd), times this element's code exceeds the range of a float",
       {253, 0x50}},
      {TensorType::kMXFP4,
       17,
       {254, 0x04},
       32,
       Says::kScaleOverflows,
       "the scale of block 1, 2^127 (0xfe), times this element's code exceeds the range of a float",
       {254, 0x0B}},
      {TensorType::kQ8_K,
       0,
       {0xFF, 0xFF, 0x7F, 0x7F, 1, 0xFE},
       1,
       Says::kScaleOverflows,
       "the scale of block 0, 3.4028235e+38 (0x7f7fffff), times this element's code exceeds the "
       "range of a float",
       {0xFF, 0xFF, 0x7F, 0x7F, 1, 0xFF}},
      {TensorType::kNVFP4,
       2,
       {0x81},
       32,
       Says::kScaleSigned,
       "a scale of block 0 is 0x81; bit 7 is reserved and must be 0",
       {0x01}},
      {TensorType::kNVFP4,
       36 + 3,
       {0x7F},
       64 + 48,
       Says::kScaleNan,
       "a scale of block 1 is 0x7f; that means NaN in its format, but decoders read it as 0",
       {0x7E}},
      {TensorType::kTQ2_0,
       33,
       {0xC1},
       128 + 96 + 1,
       Says::kTernaryCode,
       "a code in byte 0xc1 is 3; must be 0, 1 or 2",
       {0x81}},
      {TensorType::kQ8_0,
       34 + 2 + 5,
       {0x80},
       37,
       Says::kSignedMinimum,
       "code is -128; encoders of this type write only -127 to 127",
       {0x81}},
  };
  for (const Case& c : cases) {
    Model model = Tensor(c.type, {256});
    const auto at = model.tensors.back().data.begin() + static_cast<std::ptrdiff_t>(c.at);
    std::ranges::copy(c.bytes, at);
    EXPECT_THAT(RulesFired(model, kFullScan), ElementsAre("tensor-encoding-reserved")) << c.message;
    const Finding finding = OnlyOf(model, RuleId::kTensorEncodingReserved);
    EXPECT_EQ(finding.where.begin, DataAt(model) + c.at);
    EXPECT_EQ(finding.subject.element, c.element);
    EXPECT_EQ(WordingOf(finding), c.wording);
    EXPECT_EQ(MessageFor(finding), c.message);
    EXPECT_EQ(finding.severity, Severity::kWarning);
    EXPECT_THAT(RulesFired(model, kScalesScan), IsEmpty()) << c.message;
    std::ranges::copy(c.near_miss, at);
    EXPECT_THAT(RulesFired(model, kFullScan), IsEmpty()) << c.message;
  }
}

// The faults of a suppressed tensor displace others, which are counted.
TEST(TensorEncodingReserved, WhatIsNotKeptMayBeInATensorThatIsNotSuppressed) {
  Model model = Tensor(TensorType::kQ8_0, {256});
  for (const std::size_t at : {2U, 3U, 4U}) Put(model, at, std::uint8_t{0x80});
  Policy policy = Scanning(DataScan::kFull, 2);
  policy.suppressions = {
      {.rule = RuleId::kTensorEncodingReserved, .reason = "seen", .sha256 = {}, .path = "weight*"}};
  const std::vector<Finding> findings =
      FindingsOf(Judge(model, policy), RuleId::kTensorEncodingReserved);
  ASSERT_THAT(findings, SizeIs(3));
  const auto unlisted =
      std::ranges::find_if(findings, [](const Finding& finding) { return !finding.suppression; });
  ASSERT_NE(unlisted, findings.end());
  EXPECT_EQ(WordingOf(*unlisted), TensorEncodingReservedWording::kUnlisted);
  EXPECT_EQ(unlisted->observed, Number(1));
}

TEST(TensorAllZero, IsANote) {
  Model model = Tensor(TensorType::kQ8_0, {256});
  std::ranges::fill(model.tensors.back().data, std::uint8_t{0});
  const Finding finding = OnlyOf(model, RuleId::kTensorAllZero);
  EXPECT_THAT(finding, Tells({DataAt(model), 272}, Number(272)));
  EXPECT_EQ(Describe(finding.subject), "tensor 0 \"weight\"");
  EXPECT_EQ(finding.severity, Severity::kNote);
  EXPECT_THAT(Judge(model, kScalesScan).Rules(), IsEmpty());
  model.tensors.back().data.back() = 1;
  EXPECT_THAT(Judge(model, kFullScan).Rules(), IsEmpty());
}

// Tail is a tensor of `ones` floats, then 128 and 128 bytes of zeros.
Model Tail(std::uint64_t ones) {
  Model model = Tensor(TensorType::kF32, {ones}, "a");
  model.tensors.front().data.assign(ones * sizeof(float), std::uint8_t{1});
  for (const char* name : {"b", "c"}) {
    model.Add(name, TensorType::kF32, {32}).data.assign(128, std::uint8_t{0});
  }
  model.LayOut();
  return model;
}

// FindingOfTail returns the finding about the end of a file; at least one.
Finding FindingOfTail(const Model& model) {
  const std::vector<Finding> found = FindingsOf(Judge(model, kFullScan), RuleId::kTensorAllZero);
  EXPECT_THAT(found, SizeIs(3));
  EXPECT_EQ(WordingOf(found.at(1)), TensorAllZeroWording::kTensor);
  EXPECT_EQ(found.at(1).severity, Severity::kNote);
  return found.at(0);
}

TEST(TensorAllZero, TheEndOfTheFileIsAWarning) {
  Model model = Tail(400);
  const Finding finding = FindingOfTail(model);
  EXPECT_EQ(WordingOf(finding), TensorAllZeroWording::kTail);
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_THAT(finding, Tells({DataAt(model) + 1600, 256}, Number(256)));

  model.tensors.back().data.back() = 1;  // not zero at the end
  EXPECT_THAT(FindingsOf(Judge(model, kFullScan), RuleId::kTensorAllZero), SizeIs(1));
  for (const std::uint64_t ones : {32U, 400U}) {
    model = Tail(ones);
    std::ranges::fill(model.tensors.front().data, std::uint8_t{0});  // all of them
    for (const Finding& note : FindingsOf(Judge(model, kFullScan), RuleId::kTensorAllZero)) {
      EXPECT_EQ(note.severity, Severity::kNote);
    }
  }
}

TEST(TensorAllZero, AQuarterOfTheFileIsAnError) {
  Model model = Tail(32);
  const std::uint64_t rest = Write(model).size() - 256 - 128;
  model = Tail((768 - rest) / sizeof(float));
  ASSERT_EQ(Write(model).size(), 1024);
  const Finding finding = FindingOfTail(model);
  EXPECT_EQ(WordingOf(finding), TensorAllZeroWording::kUnfinished);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_THAT(finding, Tells({DataAt(model) + 768 - rest, 256}, Number(25)));

  const Finding less = FindingOfTail(Tail((800 - rest) / sizeof(float)));
  EXPECT_EQ(WordingOf(less), TensorAllZeroWording::kTail);
  EXPECT_EQ(less.severity, Severity::kWarning);
}

TEST(TensorAllZero, BiasesIntegersAndEmptyTensorsMayBe) {
  for (const TensorType type : {TensorType::kF32, TensorType::kI32}) {
    Model model = Tensor(type, {8}, type == TensorType::kF32 ? "blk.0.attn_q.bias" : "weight");
    std::ranges::fill(model.tensors.back().data, std::uint8_t{0});
    EXPECT_THAT(Judge(model, kFullScan).Rules(), IsEmpty());
  }
  const Model empty = Tensor(TensorType::kF32, {0});
  EXPECT_EQ(TotalOf(Judge(empty, kFullScan), RuleId::kTensorAllZero), 0U);
}

// Threads runs a check with this number of threads at the same time.
CheckHooks Threads(int count, std::atomic<std::uint64_t>& read) {
  return {.run_together =
              [count](const std::function<void()>& work) {
                std::vector<std::jthread> threads;
                for (int i = 0; i < count; ++i) threads.emplace_back(work);
              },
          .on_read = [&read](std::uint64_t bytes) { read += bytes; }};
}

TEST(ScanData, FindsTheSameWithAnyNumberOfThreads) {
  Model model = Tensor(TensorType::kF16, {4096, 1200}, "first");
  for (std::size_t at = 0; at < model.tensors.back().data.size(); at += 99'990) {
    Put(model, at, std::uint16_t{0xFC00});
  }
  for (int i = 0; i < 30; ++i) {
    model.Add("zero." + std::to_string(i), TensorType::kQ8_0, {64});
    if (i % 3 == 0) Put(model, 3, std::uint16_t{0x8080});
  }
  const std::vector<std::uint8_t> file = Write(model);
  const Document document = Parse(file, file.size(), {}).document;
  const MemorySource source(file);
  const CheckResult alone = Check(document, source, kFullScan);
  EXPECT_GT(alone.findings.list.size(), 20U);
  for (const int threads : {1, 2, 7}) {
    std::atomic<std::uint64_t> read = 0;
    const CheckResult together = Check(document, source, kFullScan, Threads(threads, read));
    EXPECT_EQ(together.findings.totals, alone.findings.totals);
    ASSERT_EQ(together.findings.list.size(), alone.findings.list.size());
    for (std::size_t i = 0; i < alone.findings.list.size(); ++i) {
      EXPECT_EQ(together.findings.list[i].where, alone.findings.list[i].where);
      EXPECT_EQ(together.findings.list[i].rule, alone.findings.list[i].rule);
    }
    EXPECT_EQ(read, 4096U * 1200 * 2 + 30U * 68);
  }
}

// FailingSource serves the header, and fails after it.
class FailingSource final : public ByteSource {
 public:
  FailingSource(Bytes bytes, std::uint64_t good) : memory_(bytes), good_(good) {}
  [[nodiscard]] std::uint64_t size() const override { return memory_.size(); }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    if (offset + out.size() <= good_) return memory_.ReadAt(offset, out);
    return {.kind = ReadOutcome::Kind::kFailed, .error_number = 5};
  }

 private:
  MemorySource memory_;
  std::uint64_t good_;
};

TEST(ScanData, AFailedReadIsNoVerdict) {
  Model model = Tensor(TensorType::kF32, {8, 2});
  model.Add("second", TensorType::kF32, {8});
  const std::vector<std::uint8_t> file = Write(model);
  const Document document = Parse(file, file.size(), {}).document;
  const FailingSource source(file, DataAt(model));
  EXPECT_TRUE(Check(document, source, kScalesScan).io.kind == ReadOutcome::Kind::kFailed);
  EXPECT_TRUE(Check(document, source, kFullScan).io.kind == ReadOutcome::Kind::kFailed);
  EXPECT_TRUE(Check(document, source, {}).io.complete());  // no data, no reads
}

// A model with a fault in its second tensor, whose data are more than one piece.
Model OfTwoPieces() {
  Model model = Tensor(TensorType::kF32, {8});
  model.Add("zeros", TensorType::kF32, {32});
  std::ranges::fill(model.Add("large", TensorType::kF32, {64, 1 << 15}).data, std::uint8_t{1});
  Put(model, kScanPieceBytes + 4, HUGE_VALF);
  return model;
}

TEST(DataScanSteps, GivesWhatTheScanGives) {
  const std::vector<std::uint8_t> file = Write(OfTwoPieces());
  const Document document = Parse(file, file.size(), {}).document;
  const std::vector<Extent> extents = ExtentsOf(document);
  DataScanSteps steps(document, extents, kFullScan);
  std::size_t pieces = 0;
  for (; const std::optional<ByteRange> wanted = steps.Wanted(); ++pieces) {
    ASSERT_LE(wanted->size, kScanPieceBytes);
    steps.Give(Bytes(file).subspan(wanted->begin, wanted->size));
  }
  EXPECT_EQ(pieces, 4U);
  const DataScanResult taken = steps.Take();
  const DataScanResult scanned = ScanData(document, extents, MemorySource(file), kFullScan, {});
  EXPECT_TRUE(taken.io.complete());
  EXPECT_EQ(taken.counts, scanned.counts);
  EXPECT_EQ(taken.all_zero, scanned.all_zero);
  EXPECT_THAT(taken.all_zero, ElementsAre(1U));
  const auto& first = taken.first.at(0);
  ASSERT_THAT(first, SizeIs(1));
  EXPECT_EQ(first.front().hit.at, scanned.first.at(0).at(0).hit.at);
}

TEST(DataScanSteps, FewerBytesEndIt) {
  const std::vector<std::uint8_t> file = Write(OfTwoPieces());
  const Document document = Parse(file, file.size(), {}).document;
  DataScanSteps steps(document, ExtentsOf(document), kFullScan);
  steps.Give(Bytes(file).subspan(steps.Wanted()->begin, steps.Wanted()->size - 1));
  EXPECT_FALSE(steps.Wanted());
  EXPECT_TRUE(steps.Take().io.kind == ReadOutcome::Kind::kShrunk);
}

TEST(DataScanSteps, WantNothingWhereNothingIsJudged) {
  const std::vector<std::uint8_t> file = Write(OfTwoPieces());
  const Document document = Parse(file, file.size(), {}).document;
  EXPECT_FALSE(DataScanSteps(document, ExtentsOf(document), {}).Wanted());
}

}  // namespace
}  // namespace ggufgate::testing
