#include "report/sarif_value.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/texts/hostile_texts.h"
#include "words/message.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

Finding Made() {
  Finding finding;
  finding.rule = RuleId::kTensorDataBounds;
  finding.where = {.begin = 0xea2, .size = 8};
  finding.subject = {.section = Place::Section::kTensor, .index = 1, .name = "weight"};
  finding.observed = std::uint64_t{160};
  finding.allowed = std::uint64_t{144};
  return finding;
}

TEST(UriOf, EncodesAllButPlainCharacters) {
  EXPECT_EQ(UriOf("models/a-b_c.1~.gguf"), "models/a-b_c.1~.gguf");
  EXPECT_EQ(UriOf("/models/x.gguf"), "file:///models/x.gguf");
  EXPECT_EQ(UriOf("-"), "-");
  EXPECT_EQ(UriOf("a b%:c?#\n\xff"), "a%20b%25%3Ac%3F%23%0A%FF");
  EXPECT_EQ(UriOf("c:/x"), "c%3A/x") << "no scheme";
  EXPECT_EQ(UriOf(""), "");
}

std::string Decoded(const std::string& uri) {
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri.at(i) != '%') {
      out += uri.at(i);
    } else {
      out += static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16));
      i += 2;
    }
  }
  return out;
}

TEST(UriOf, KeepsTheName) {
  for (const std::string& text : testing::HostileTexts()) EXPECT_EQ(Decoded(UriOf(text)), text);
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  EXPECT_EQ(Decoded(UriOf(all)), all);
}

TEST(SarifMessage, HasNoPlaceholdersAndNoLinks) {
  EXPECT_EQ(SarifMessage("plain [3]: (x)").at("text"), "plain [3]: (x)");
  EXPECT_EQ(SarifMessage("{0} {").at("text"), "{{0}} {{");
  EXPECT_EQ(SarifMessage("[a](1) ](](").at("text"), "[a] (1) ] (] (");
  EXPECT_EQ(SarifMessage("").at("text"), "");
}

TEST(SarifRule, HoldsTheCatalogue) {
  std::set<std::string> names;
  for (const Rule& rule : AllRules()) {
    const Json json = SarifRule(rule, Profile::kGate);
    EXPECT_EQ(json.at("id"), rule.slug);
    names.insert(json.at("name").get<std::string>());
    EXPECT_EQ(json.at("shortDescription"), SarifMessage(rule.what));
    EXPECT_THAT(json.at("fullDescription").at("text").get<std::string>(),
                HasSubstr(SarifMessage(rule.why).at("text").get<std::string>()));
    EXPECT_THAT(json.at("help").at("markdown").get<std::string>(), HasSubstr("**Repair:** "));
    const Json& properties = json.at("properties");
    EXPECT_EQ(properties.contains("security-severity"), rule.weakness.any()) << rule.slug;
    EXPECT_EQ(properties.at("tags").at(0) == "security", rule.weakness.any()) << rule.slug;
    EXPECT_TRUE(properties.contains("precision"));
    EXPECT_THAT(json.at("help").at("text").get<std::string>(),
                HasSubstr("ggufgate explain " + std::string(rule.slug)));
  }
  EXPECT_EQ(names.size(), AllRules().size());
}

TEST(SarifRule, OfAWeaknessHasItsNumberAndItsScore) {
  const Json json = SarifRule(RuleOf(RuleId::kTensorDimensions), Profile::kGate);
  EXPECT_EQ(json.at("properties").at("tags").at(1), "external/cwe/cwe-787");
  EXPECT_EQ(json.at("properties").at("security-severity"), "7.8");
  EXPECT_EQ(json.at("properties").at("precision"), "very-high");
  EXPECT_THAT(SarifRule(RuleOf(RuleId::kTensorRowEmpty), Profile::kGate).at("properties").dump(),
              HasSubstr(R"("precision":"high")"));
}

TEST(SarifRule, LinksToItsPageWhereTheBuildKnowsOne) {
  const Rule& rule = RuleOf(RuleId::kMagic);
  EXPECT_EQ(SarifRule(rule, Profile::kGate, "https://example.org/gate").at("helpUri"),
            "https://example.org/gate/docs/rules.md#magic");
  EXPECT_FALSE(SarifRule(rule, Profile::kGate, "").contains("helpUri"));
}

TEST(SarifRule, NamesAreInPascalCase) {
  EXPECT_EQ(SarifRule(RuleOf(RuleId::kTensorDataBounds), Profile::kGate).at("name"),
            "TensorDataBounds");
  EXPECT_EQ(SarifRule(RuleOf(RuleId::kStringUtf8), Profile::kGate).at("name"), "StringUtf8");
}

TEST(SarifRule, TagsHoldPublishedVulnerabilitiesAndNoIssues) {
  const std::string tags =
      SarifRule(RuleOf(RuleId::kStringLength), Profile::kGate).at("properties").at("tags").dump();
  EXPECT_THAT(tags, HasSubstr("\"CVE-2024-23496\""));
  EXPECT_THAT(tags, Not(HasSubstr("llama.cpp#")));
}

TEST(SarifRule, LevelsAreThoseOfTheProfile) {
  const Rule& rule = RuleOf(RuleId::kArchitectureUnknown);
  const Json in_gate = SarifRule(rule, Profile::kGate);
  EXPECT_EQ(in_gate.at("defaultConfiguration").dump(), R"({"enabled":true,"level":"warning"})");
  EXPECT_EQ(in_gate.at("properties").at("problem.severity"), "warning");
  const Json in_spec = SarifRule(rule, Profile::kSpec);
  EXPECT_EQ(in_spec.at("defaultConfiguration").dump(), R"({"enabled":false,"level":"none"})");
  EXPECT_EQ(in_spec.at("properties").at("problem.severity"), "recommendation");
}

TEST(SarifResult, SaysWhatWhereAndHowBad) {
  const Json json = SarifResult(Made(), "a b", 7, 0);
  EXPECT_EQ(json.at("ruleId"), "tensor-data-bounds");
  EXPECT_EQ(json.at("ruleIndex"), static_cast<std::size_t>(RuleId::kTensorDataBounds));
  EXPECT_EQ(json.at("level"), "error");
  EXPECT_EQ(json.at("message"), SarifMessage(SentenceFor(Made())));
  EXPECT_EQ(json.at("locations").dump(),
            R"([{"physicalLocation":{"artifactLocation":{"uri":"a%20b","index":7},)"
            R"("region":{"startLine":1,"byteOffset":3746,"byteLength":8}},)"
            R"("logicalLocations":[{"fullyQualifiedName":"weight"}]}])");
  EXPECT_EQ(json.at("properties").dump(), R"({"observed":160,"allowed":144})");
  EXPECT_FALSE(json.contains("suppressions"));
}

TEST(SarifResult, OfTheFileAsAWholeHasNoLogicalLocation) {
  Finding finding = Made();
  finding.subject = {};
  EXPECT_FALSE(SarifResult(finding, "a", 0, 0).at("locations").at(0).contains("logicalLocations"));
}

TEST(SarifResult, TellsTheCause) {
  Finding finding = Made();
  finding.cause = {.kind = Cause::Kind::kEmpty};
  const Json json = SarifResult(finding, "a", 0, 0);
  EXPECT_EQ(json.at("properties").at("cause"), "empty");
  EXPECT_THAT(json.at("message").at("text").get<std::string>(), HasSubstr("the file is empty"));
}

TEST(SarifResult, OffsetsStayExact) {
  Finding finding = Made();
  finding.where = {.begin = (std::uint64_t{1} << 53) + 1, .size = UINT64_MAX};
  EXPECT_THAT(SarifResult(finding, "a", 0, 0).dump(),
              HasSubstr(R"("byteOffset":9007199254740993,"byteLength":18446744073709551615)"));
}

std::string FingerprintOf(const Finding& finding, const std::string& path = "a",
                          std::uint64_t ordinal = 0) {
  return SarifResult(finding, path, 0, ordinal)
      .at("partialFingerprints")
      .at("primaryLocationLineHash")
      .get<std::string>();
}

TEST(Fingerprint, IsTheSameWhereverTheFileAndTheRecordLie) {
  const std::string fingerprint = FingerprintOf(Made());
  EXPECT_EQ(fingerprint.size(), 64U);
  EXPECT_EQ(FingerprintOf(Made(), "/elsewhere"), fingerprint);
  Finding moved = Made();
  moved.where.begin += 32;
  moved.subject.index = 9;
  moved.observed = std::uint64_t{192};
  EXPECT_EQ(FingerprintOf(moved), fingerprint);
}

TEST(Fingerprint, TellsFindingsApart) {
  std::set<std::string> seen = {FingerprintOf(Made()), FingerprintOf(Made(), "a", 1)};
  Finding other = Made();
  other.rule = RuleId::kTensorOverlap;
  seen.insert(FingerprintOf(other));
  other = Made();
  other.subject.name = "weight2";
  seen.insert(FingerprintOf(other));
  other = Made();
  other.subject.element = 3;
  seen.insert(FingerprintOf(other));
  other = Made();
  other.subject.section = Place::Section::kMetadata;
  seen.insert(FingerprintOf(other));
  other = Made();
  other.subject.name.clear();
  seen.insert(FingerprintOf(other));
  other.subject.index = 2;
  seen.insert(FingerprintOf(other));
  EXPECT_EQ(seen.size(), 8U);
}

TEST(SarifArtifact, SaysWhichFileAndVerdict) {
  FileReport report;
  report.path = "-";
  report.verdict = Verdict::kAccept;
  report.identity.size = 160;
  report.sha256 = std::string(64, 'a');
  EXPECT_EQ(SarifArtifact(report).dump(),
            R"({"location":{"uri":"-","description":{"text":"standard input"}},)"
            R"("roles":["analysisTarget"],"length":160,"hashes":{"sha-256":")" +
                *report.sha256 + R"("},"properties":{"verdict":"accept"}})");
  report.path = "a";
  report.sha256.reset();
  report.verdict = Verdict::kUndecided;
  EXPECT_EQ(SarifArtifact(report).dump(), R"({"location":{"uri":"a"},"roles":["analysisTarget"],)"
                                          R"("properties":{"verdict":"undecided"}})");
}

TEST(SarifArtifact, CountsWhatIsNotListed) {
  FileReport report;
  report.findings.totals.resize(AllRules().size());
  report.findings.totals.at(static_cast<std::size_t>(RuleId::kMagic)) = 5;
  EXPECT_EQ(SarifArtifact(report).at("properties").at("unlisted").dump(), R"({"magic":5})");
}

}  // namespace
}  // namespace ggufgate
