#include "stores/store_reports.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

#include "check/rule.h"
#include "words/message.h"

namespace ggufgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kHex(64, 'a');
const std::string kOtherHex(64, 'b');

FileReport Blob(Verdict verdict = Verdict::kAccept, const std::string& digest = kHex) {
  FileReport report;
  report.path = "blob";
  report.verdict = verdict;
  report.identity.size = 7;
  if (!digest.empty()) report.sha256 = digest;
  if (verdict == Verdict::kUndecided) report.problem = absl::UnavailableError("no luck");
  return report;
}

StoreLayer Layer(std::optional<std::size_t> file, LayerKind kind = LayerKind::kModel) {
  return {.kind = kind, .digest = kHex, .size = 7, .file = file, .blob = "sha256-" + kHex};
}

// Told returns the reports of models whose blobs have the reports `blobs`.
std::vector<FileReport> Told(const ModelStores& stores, const std::vector<FileReport>& blobs,
                             bool digests = true, const Policy& policy = {}) {
  std::vector<FileReport> told;
  StoreReports reports(stores, policy, digests,
                       [&](FileReport report) { told.push_back(std::move(report)); });
  for (const FileReport& blob : blobs) reports.Take(blob);
  reports.Finish();
  return told;
}

FileReport TellOne(const StoreLayer& layer, const FileReport& blob, bool digests = true) {
  const ModelStores stores{.gguf = {true}, .models = {{.name = "m", .layers = {layer}}}};
  const std::vector<FileReport> told = Told(stores, {blob}, digests);
  EXPECT_EQ(told.size(), 1U);
  return told.at(0);
}

std::string Said(const FileReport& report) {
  std::string text;
  for (const Finding& finding : report.findings.list) {
    text += std::string(RuleOf(finding.rule).slug) + ": " + MessageFor(finding) + "\n";
  }
  return text;
}

TEST(StoreReports, HaveTheModelsName) {
  const FileReport report = TellOne(Layer(0), Blob());
  EXPECT_EQ(report.path, "m");
  EXPECT_EQ(report.verdict, Verdict::kAccept);
  EXPECT_EQ(Said(report), "");
}

// Each rule about stores with its smallest violation, and the message.
TEST(StoreReports, TellOfWhatIsWrongWithABlob) {
  StoreLayer layer = Layer(0);
  layer.size = 8;
  EXPECT_EQ(Said(TellOne(layer, Blob())),
            "store-blob-size: the size of the model is 7 bytes; the manifest says 8\n");
  EXPECT_EQ(Said(TellOne(Layer(0), Blob(Verdict::kAccept, kOtherHex))),
            "store-blob-digest: the SHA-256 of the model is " + kOtherHex + "; its name says " +
                kHex + "\n");
  const ModelStores missing{.models = {{.name = "m", .layers = {Layer({})}}}};
  const std::vector<FileReport> told = Told(missing, {});
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.at(0).verdict, Verdict::kReject);
  EXPECT_EQ(WordingOf(told.at(0).findings.list.at(0)), StoreBlobMissingWording::kLayer);
  EXPECT_EQ(
      Said(told.at(0)),
      "store-blob-missing: the model is missing: the folder blobs has no sha256-" + kHex + "\n");
  ModelStores link = missing;
  link.models.at(0).linked = true;
  EXPECT_EQ(WordingOf(Told(link, {}).at(0).findings.list.at(0)), StoreBlobMissingWording::kLink);
}

TEST(StoreReports, TellOfManifests) {
  std::set<std::string> said;
  for (int i = 0; i <= static_cast<int>(StoreManifestWording::kNested); ++i) {
    const ModelStores stores{
        .models = {{.name = "m", .fault = static_cast<StoreManifestWording>(i), .fault_layer = 3}}};
    const std::vector<FileReport> told = Told(stores, {});
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.at(0).verdict, Verdict::kReject);
    said.insert(Said(told.at(0)));
  }
  EXPECT_EQ(said.size(), 8U);
  EXPECT_TRUE(said.contains("store-manifest: layer 3 has no size\n"));
}

// Models with tensors in files of another format, or models that run elsewhere.
TEST(StoreReports, AreUndecidedWhereNothingIsAModel) {
  const ModelStores remote{.models = {{.name = "m"}}};
  EXPECT_EQ(Told(remote, {}).at(0).verdict, Verdict::kUndecided);
  const ModelStores tensors{.gguf = {false},
                            .models = {{.name = "m", .layers = {Layer(0, LayerKind::kTensor)}}}};
  const FileReport report = Told(tensors, {Blob()}).at(0);
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_EQ(report.problem.message(), "not a GGUF model: nothing was checked");
  EXPECT_EQ(Told(tensors, {Blob(Verdict::kAccept, kOtherHex)}).at(0).verdict, Verdict::kReject)
      << "what is wrong is wrong";
  const ModelStores adapter{.gguf = {true},
                            .models = {{.name = "m", .layers = {Layer(0, LayerKind::kAdapter)}}}};
  EXPECT_EQ(Told(adapter, {Blob()}).at(0).verdict, Verdict::kAccept);
}

// tests/conformance requires a file for every other rule.
TEST(StoreReports, KnowEveryRuleAboutStores) {
  std::set<std::string_view> rules;
  for (const Rule& rule : AllRules()) {
    if (rule.family == Family::kStores) rules.insert(rule.slug);
  }
  EXPECT_THAT(rules, ElementsAre("store-blob-digest", "store-blob-missing", "store-blob-size",
                                 "store-manifest"))
      << "each has its breach above";
}

TEST(StoreReports, AreUndecidedWhereABlobIs) {
  EXPECT_EQ(TellOne(Layer(0), Blob(Verdict::kUndecided)).verdict, Verdict::kUndecided);
  EXPECT_EQ(TellOne(Layer(0), Blob(Verdict::kUndecided)).problem.message(), "no luck");
  EXPECT_EQ(TellOne(Layer(0), Blob(Verdict::kAccept, "")).verdict, Verdict::kUndecided)
      << "a digest was asked for and none came";
  EXPECT_EQ(TellOne(Layer(0), Blob(Verdict::kAccept, ""), false).verdict, Verdict::kAccept);
  StoreLayer unnamed = Layer(0);
  unnamed.digest = "";
  EXPECT_EQ(TellOne(unnamed, Blob(Verdict::kAccept, kOtherHex)).verdict, Verdict::kAccept);
  const ModelStores unread{.models = {{.name = "m", .problem = "its manifest: no luck"}}};
  EXPECT_EQ(Told(unread, {}).at(0).verdict, Verdict::kUndecided);
  ModelStores stores{.models = {{.name = "m", .layers = {Layer({})}}}};
  stores.models.at(0).layers.at(0).obstacle = "it is a link";
  EXPECT_EQ(Told(stores, {}).at(0).problem.message(), "the model: it is a link");
}

TEST(StoreReports, PutOtherLayersToTheModel) {
  const ModelStores stores{
      .gguf = {true, false},
      .models = {
          {.name = "m", .layers = {Layer(1, LayerKind::kTemplate), Layer(0, LayerKind::kModel)}}}};
  const std::vector<FileReport> told = Told(stores, {Blob(), Blob(Verdict::kAccept, kOtherHex)});
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.at(0).verdict, Verdict::kReject);
  EXPECT_EQ(told.at(0).findings.totals.at(static_cast<std::size_t>(RuleId::kStoreBlobDigest)), 1U);
  const std::vector<FileReport> unread = Told(stores, {Blob(), Blob(Verdict::kUndecided)});
  EXPECT_EQ(unread.at(0).problem.message(), "the template: no luck");
}

TEST(StoreReports, AreOneForEachModelOfAModel) {
  const ModelStores stores{
      .gguf = {true, true, true, true},
      .models = {{.name = "m",
                  .layers = {Layer(0, LayerKind::kProjector), Layer(1, LayerKind::kModel),
                             Layer(2, LayerKind::kModel), Layer(3, LayerKind::kModel)}}}};
  EXPECT_THAT(ReportNames(stores), ElementsAre("m", "m projector", "m model", "m model 2"));
  std::vector<FileReport> blobs(4, Blob());
  blobs.at(0).sha256 = kOtherHex;
  const std::vector<FileReport> told = Told(stores, blobs);
  ASSERT_EQ(told.size(), 4U);
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told.at(i).path, ReportNames(stores).at(i));
    EXPECT_EQ(told.at(i).verdict, i == 1 ? Verdict::kReject : Verdict::kAccept) << i;
  }
}

TEST(StoreReports, ComeInOrderAsSoonAsTheirBlobsAreKnown) {
  const ModelStores stores{.gguf = {true, true},
                           .models = {{.name = "a", .layers = {Layer({})}},
                                      {.name = "b", .layers = {Layer(0)}},
                                      {.name = "c", .layers = {Layer(1)}},
                                      {.name = "d", .layers = {Layer(0)}}}};
  std::vector<std::string> told;
  const Policy policy;
  StoreReports reports(stores, policy, true,
                       [&](const FileReport& report) { told.push_back(report.path); });
  EXPECT_THAT(told, IsEmpty());
  reports.Take(Blob());
  EXPECT_THAT(told, ElementsAre("a", "b"));
  reports.Take(Blob());
  EXPECT_THAT(told, ElementsAre("a", "b", "c", "d"));
  reports.Finish();
  EXPECT_EQ(told.size(), 4U);
}

// A policy can demote a rule about stores like any other.
TEST(StoreReports, FollowThePolicy) {
  Policy policy;
  policy.severities = {{RuleId::kStoreBlobMissing, Severity::kWarning}};
  const ModelStores stores{.models = {{.name = "m", .layers = {Layer({})}}}};
  EXPECT_EQ(Told(stores, {}, true, policy).at(0).verdict, Verdict::kAccept);
}

}  // namespace
}  // namespace ggufgate
