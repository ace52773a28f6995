// For each repair, three files that it answers: the result is accepted, and its tensors are the
// same.

#include "tests/repair/causes.h"

namespace ggufgate::testing {
namespace {

class Repairs : public ::testing::TestWithParam<Cause> {};

TEST_P(Repairs, MakesAnAcceptedFile) {
  const Repaired repaired = RepairOf(GetParam().file);
  EXPECT_EQ(repaired.repair.outcome, Repair::Outcome::kRepaired);
  EXPECT_THAT(SlugsOf(repaired.repair.plan), ElementsAre(GetParam().slug));
  EXPECT_THAT(repaired.repair.plan.doubts, IsEmpty());
  const Judged judged = Judge(repaired.file);
  EXPECT_TRUE(judged.Accepted());
  const std::string slug(
      InfoOf(repaired.repair.plan.changes.at(0).repair).rules);  // those rules are silent now
  for (const std::string& rule : judged.Rules(Severity::kNote)) {
    EXPECT_EQ((", " + slug + ",").find(", " + rule + ","), std::string::npos) << rule;
  }
}

TEST_P(Repairs, KeepsEveryByteOfTheTensors) {
  const Repaired repaired = RepairOf(GetParam().file);
  const ModelManifest before = ManifestOf(GetParam().file);
  const ModelManifest after = ManifestOf(repaired.file);
  EXPECT_EQ(before.tensors, after.tensors);
  EXPECT_FALSE(after.tensors.empty());
  EXPECT_EQ(before.data_sha256, after.data_sha256);
}

TEST_P(Repairs, KeepsEveryOtherKey) {
  const Repaired repaired = RepairOf(GetParam().file);
  const Document before = DocumentOf(GetParam().file);
  const Document after = DocumentOf(repaired.file);
  const auto changed = [&](const MetadataEntry& entry) {
    return std::ranges::any_of(repaired.repair.plan.changes,
                               [&](const Change& change) { return change.subject == entry.key; });
  };
  std::vector<std::string> expected;
  std::vector<std::string> kept;
  for (const MetadataEntry& entry : before.metadata) {
    if (!changed(entry)) expected.emplace_back(AsText(before.BytesAt(entry.range)));
  }
  for (const MetadataEntry& entry : after.metadata) {
    if (!changed(entry)) kept.emplace_back(AsText(after.BytesAt(entry.range)));
  }
  EXPECT_EQ(expected, kept);
}

TEST_P(Repairs, HasNothingToDoTheSecondTime) {
  const Repaired again = RepairOf(RepairOf(GetParam().file).file);
  EXPECT_THAT(again.repair.plan.changes, IsEmpty());
  EXPECT_EQ(again.repair.outcome, Repair::Outcome::kNothing);
}

TEST_P(Repairs, WorksTogetherWithTheOthers) {
  const File both = Longer(GetParam().file, 64, 0);
  const Repaired repaired = RepairOf(both);
  EXPECT_EQ(repaired.repair.outcome, Repair::Outcome::kRepaired);
  EXPECT_THAT(SlugsOf(repaired.repair.plan), Contains(InfoOf(RepairId::kTrailingBytes).slug));
  EXPECT_TRUE(Judge(repaired.file).Accepted());
}

INSTANTIATE_TEST_SUITE_P(Each, Repairs, ::testing::ValuesIn(Causes()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Repairs, HaveThreeFilesEach) {
  const std::vector<Cause> causes = Causes();
  for (const RepairInfo& info : AllRepairs()) {
    EXPECT_EQ(
        std::ranges::count_if(
            causes, [&](const Cause& cause) { return std::string_view(cause.slug) == info.slug; }),
        3)
        << info.slug;
  }
}

TEST(Repairs, OfBigEndianFilesToo) {
  Model model = Model::Minimal();
  model.byte_order = ByteOrder::kBig;
  model.metadata.clear();
  model.Set("general.architecture", "none");
  model.Set("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"});
  model.Set("tokenizer.ggml.token_type", std::vector<std::uint16_t>{1, 6});
  Copy(model, "general.architecture");
  const Repaired repaired = RepairOf(Write(model));
  EXPECT_THAT(SlugsOf(repaired.repair.plan), ElementsAre("duplicate-key", "token-types"));
  const Document document = DocumentOf(repaired.file);
  EXPECT_EQ(document.byte_order, ByteOrder::kBig);
  const MetadataEntry* types = document.Find("tokenizer.ggml.token_type");
  ASSERT_NE(types, nullptr);
  EXPECT_TRUE(types->IsArrayOf(ValueType::kI32));
  EXPECT_EQ(
      Load<std::int32_t>(document.BytesAt(types->ElementsRange()).subspan(4), ByteOrder::kBig), 6);
}

}  // namespace
}  // namespace ggufgate::testing
