// Policy files: their values, and their errors with line and column.

#include "policy/policy_file.h"

#include <string>

#include "check/loaders/loader_names.h"
#include "check/rule.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

const std::string kHead = "schema = \"ggufgate.policy/1\"\n";

// Parsed returns the policy of a text after kHead. A problem fails the test.
Policy Parsed(const std::string& text, std::optional<Profile> profile = {}) {
  ParsedPolicy parsed = ParsePolicy(kHead + text, profile);
  for (const TextProblem& problem : parsed.problems) ADD_FAILURE() << problem.what;
  return parsed.policy;
}

// Problems returns the problems of a text after kHead, as "line:column what".
std::vector<std::string> Problems(const std::string& text) {
  std::vector<std::string> lines;
  for (const TextProblem& problem : ParsePolicy(kHead + text).problems) {
    lines.push_back(std::to_string(problem.at.line) + ":" + std::to_string(problem.at.column) +
                    " " + problem.what);
  }
  return lines;
}

TEST(ParsePolicy, TheHeadAloneIsTheDefault) {
  EXPECT_EQ(Parsed(""), Policy());
  EXPECT_EQ(Parsed("# nothing but words\n"), Policy());
  EXPECT_EQ(ParsePolicy("\xEF\xBB\xBF" + kHead).policy, Policy()) << "a byte order mark";
  EXPECT_THAT(ParsePolicy("\xEF\xBB\xBF" + kHead).problems, IsEmpty());
}

TEST(ParsePolicy, TakesEverySetting) {
  const Policy policy = Parsed(R"(profile = "spec"
fail_on = "note"
data = "scales"
target = "any"
findings_per_rule = 7
rehearsal = "required"
[severity]
key-style = "off"
trailing-bytes = "error"
magic = "error"
[limits]
tensors = 12
metadata_bytes = "64 MiB"
array_strings = "unlimited"
[allow]
architectures = ["llama", "qwen3"]
tensor_types = ["F32", "Q4_K"]
[[suppress]]
rule = "key-duplicate"
reason = "seen"
[[suppress]]
rule = "padding-not-zero"
reason = "pinned"
sha256 = "0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef"
path = "blk.*"
)");
  Policy expected = PolicyFor(Profile::kSpec);
  expected.fail_on = Severity::kNote;
  expected.data = DataScan::kScales;
  expected.target = TargetOrder::kAny;
  expected.findings_per_rule = 7;
  expected.rehearsal = RehearsalNeed::kRequired;
  expected.severities = {{RuleId::kMagic, Severity::kError},
                         {RuleId::kTrailingBytes, Severity::kError},
                         {RuleId::kKeyStyle, Severity::kOff}};  // in the order of the catalogue
  expected.limits.tensors = 12;
  expected.limits.metadata_bytes = std::uint64_t{64} << 20;
  expected.limits.array_strings = UINT64_MAX;
  expected.architectures = {"llama", "qwen3"};
  expected.tensor_types = {TensorType::kF32, TensorType::kQ4_K};
  const std::string digits = "0123456789abcdef";
  expected.suppressions = {{.rule = RuleId::kKeyDuplicate, .reason = "seen"},
                           {.rule = RuleId::kPaddingNotZero,
                            .reason = "pinned",
                            .sha256 = digits + digits + digits + digits,
                            .path = "blk.*"}};
  EXPECT_EQ(policy, expected);
}

TEST(ParsePolicy, KeepsAsManyFindingsAsMemoryIsPromisedFor) {
  EXPECT_EQ(Parsed("findings_per_rule = 1_000\n").findings_per_rule, kMostFindingsPerRule);
}

TEST(ParsePolicy, AProfileResetsTheLimitsWhereverItStands) {
  EXPECT_EQ(Parsed("limits.tensors = 3\nprofile = \"spec\"\n").limits.tensors, 3U);
  EXPECT_EQ(Parsed("limits.tensors = 3\nprofile = \"spec\"\n").limits.metadata_keys, UINT64_MAX);
}

TEST(ParsePolicy, TheProfileOfTheCallerWins) {
  const std::string text = "profile = \"spec\"\nlimits.tensors = 3\n";
  Policy expected = PolicyFor(Profile::kGate);
  expected.limits.tensors = 3;
  EXPECT_EQ(Parsed(text, Profile::kGate), expected);
  EXPECT_EQ(Parsed("", Profile::kLlamaCpp), PolicyFor(Profile::kLlamaCpp));
}

TEST(ParsePolicy, SizesHaveUnits) {
  const auto bytes = [](const std::string& size) {
    return Parsed("limits.string_bytes = " + size + "\n").limits.string_bytes;
  };
  EXPECT_EQ(bytes("0"), 0U);
  EXPECT_EQ(bytes("17"), 17U);
  EXPECT_EQ(bytes("\"17 B\""), 17U);
  EXPECT_EQ(bytes("\"3KiB\""), 3'072U);
  EXPECT_EQ(bytes("\"3 MiB\""), std::uint64_t{3} << 20);
  EXPECT_EQ(bytes("\"3 GiB\""), std::uint64_t{3} << 30);
  EXPECT_EQ(bytes("\"3 TiB\""), std::uint64_t{3} << 40);
  EXPECT_EQ(bytes("\"unlimited\""), UINT64_MAX);
  EXPECT_EQ(bytes("9223372036854775807"), std::uint64_t{INT64_MAX});
  for (const char* size : {"64", "64 MB", "MiB", "", " 64 MiB", "64 MiB ", "-1 MiB", "1.5 MiB",
                           "16777216 TiB", "99999999999999999999 B", "Unlimited"}) {
    EXPECT_THAT(Problems("limits.string_bytes = \"" + std::string(size) + "\""), SizeIs(1)) << size;
  }
}

TEST(ParsePolicy, LoadersHaveContracts) {
  const auto releases = [](const std::string& list) {
    std::vector<std::string> names;
    for (const auto& loader : Parsed("loaders = " + list).loaders) {
      names.emplace_back(loader->release());
    }
    return names;
  };
  EXPECT_THAT(releases("[\"llama.cpp\"]"), ElementsAre(kContractRelease));
  EXPECT_THAT(releases("[\"llama.cpp@b10361\", \"llama.cpp@v0.4.0\"]"),
              ElementsAre("llama.cpp b10361", "llama.cpp v0.4.0"));
  EXPECT_THAT(releases("[\"ollama\"]"), ElementsAre("llama.cpp b10361", "llama.cpp v0.4.0"));
  EXPECT_THAT(releases("[\"llama.cpp\", \"llama.cpp@v0.5.0\"]"), ElementsAre(kContractRelease));
  EXPECT_THAT(Problems("loaders = [\"llama.cpp\", \"llama.cpp@v0.5\"]"),
              ElementsAre(StartsWith(
                  "2:25 there are no contracts of loader \"llama.cpp@v0.5\"; known: llama.cpp@")));
}

TEST(ParsePolicy, NeedsItsSchema) {
  EXPECT_THAT(ParsePolicy("").problems, SizeIs(1)) << "an empty file is no policy";
  EXPECT_EQ(ParsePolicy("fail_on = \"note\"\n").problems.front().what,
            "key schema is missing; a policy begins with schema = \"ggufgate.policy/1\"");
  EXPECT_EQ(ParsePolicy("schema = \"ggufgate.policy/2\"\n").problems.front().what,
            "schema must be one of ggufgate.policy/1, not \"ggufgate.policy/2\"");
  EXPECT_THAT(ParsePolicy("schema = 1\n").problems, SizeIs(1));
}

struct Wrong {
  const char* text;  // after kHead, which is line 1
  const char* problem;
};

class WrongPolicy : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongPolicy, IsToldWithItsPlace) {
  EXPECT_THAT(Problems(GetParam().text), ElementsAre(GetParam().problem));
}

INSTANTIATE_TEST_SUITE_P(
    Settings, WrongPolicy,
    ::testing::Values(
        Wrong{"profil = \"gate\"", "2:1 unknown key \"profil\"; did you mean \"profile\"?"},
        Wrong{"\n  xyzzy.a = 1", "3:3 unknown key \"xyzzy\""},
        Wrong{"profile = \"strict\"",
              "2:11 profile must be one of gate, llama.cpp, spec, diffusion, not \"strict\""},
        Wrong{"profile = 1", "2:11 profile must be a string, not an integer"},
        Wrong{"fail_on = \"off\"", "2:11 fail_on must be one of error, warning, note, not \"off\""},
        Wrong{"data = true", "2:8 data must be a string, not a boolean"},
        Wrong{"target = \"both\"", "2:10 target must be one of little, big, any, not \"both\""},
        Wrong{"loaders = \"llama.cpp\"", "2:11 loaders must be an array, not a string"},
        Wrong{"profile = \"diffusion\"\nloaders = [\"llama.cpp\"]",
              "3:1 loaders needs profile gate or llama.cpp; others do not judge loaders"},
        Wrong{"loaders = []",
              "2:11 loaders must list 1 to 1000 names, not 0; omit the key instead"},
        Wrong{"findings_per_rule = 0", "2:21 findings_per_rule must be from 1 to 1,000, not 0"},
        Wrong{"findings_per_rule = -1", "2:21 findings_per_rule must be from 1 to 1,000, not -1"},
        Wrong{"findings_per_rule = 1_001",
              "2:21 findings_per_rule must be from 1 to 1,000, not 1,001"},
        Wrong{"findings_per_rule = 20.0", "2:21 findings_per_rule must be an integer, not a float"},
        Wrong{"findings_per_rule = 1979-05-27",
              "2:21 findings_per_rule must be an integer, not a date or time"},
        Wrong{"findings_per_rule = [20]",
              "2:21 findings_per_rule must be an integer, not an array"},
        Wrong{"findings_per_rule = {}", "2:21 findings_per_rule must be an integer, not a table"}));

INSTANTIATE_TEST_SUITE_P(
    Severities, WrongPolicy,
    ::testing::Values(
        Wrong{"severity = \"error\"", "2:12 severity must be a table, not a string"},
        Wrong{"[severity]\nkey-styl = \"note\"",
              "3:1 there is no rule \"key-styl\"; did you mean \"key-style\"?"},
        Wrong{"[severity]\nno.such = \"note\"",
              "3:1 there is no rule \"no\"; `ggufgate rules` lists them"},
        Wrong{"[severity]\nkey-style = \"fatal\"",
              "3:13 key-style must be one of error, warning, note, off, not \"fatal\""},
        Wrong{"[severity]\nkey-style = 1", "3:13 key-style must be a string, not an integer"},
        Wrong{"[severity]\nmagic = \"note\"",
              "3:9 magic is always an error: bytes after such a fault cannot be read, "
              "so they were not checked"}));

INSTANTIATE_TEST_SUITE_P(
    Limits, WrongPolicy,
    ::testing::Values(
        Wrong{"limits = 1", "2:10 limits must be a table, not an integer"},
        Wrong{"[limits]\ntensor = 1", "3:1 unknown key \"tensor\"; did you mean \"tensors\"?"},
        Wrong{"[limits]\ntensors = -1",
              "3:11 tensors must be from 0 to 9,223,372,036,854,775,807, not -1"},
        Wrong{"[limits]\ntensors = 1e3",
              "3:11 tensors must be a number of tensors or \"unlimited\", not a float"},
        Wrong{"[limits]\ntensors = \"1 KiB\"",
              "3:11 tensors must be a number of tensors or \"unlimited\", not \"1 KiB\""},
        Wrong{"[limits]\nalignment = \"1 KB\"",
              "3:13 alignment must be a number of bytes, a size such as \"64 MiB\" or "
              "\"unlimited\", not \"1 KB\""},
        Wrong{"[limits]\narray_depth = 17", "3:15 array_depth must be from 0 to 16, not 17"},
        Wrong{"[limits]\narray_depth = \"unlimited\"",
              "3:15 array_depth must be a number of levels from 0 to 16, not \"unlimited\""}));

INSTANTIATE_TEST_SUITE_P(
    Allowed, WrongPolicy,
    ::testing::Values(
        Wrong{"allow = []", "2:9 allow must be a table, not an array"},
        Wrong{"[allow]\narchitecture = [\"a\"]",
              "3:1 unknown key \"architecture\"; did you mean \"architectures\"?"},
        Wrong{"[allow]\narchitectures = \"llama\"",
              "3:17 architectures must be an array, not a string"},
        Wrong{"[allow]\narchitectures = []",
              "3:17 architectures must list 1 to 1000 names, not 0; omit the key instead"},
        Wrong{"[allow]\narchitectures = [\"\"]", "3:18 name length is 0 bytes; must be 1 to 256"},
        Wrong{"[allow]\narchitectures = [\"a\", 1]",
              "3:23 architectures must list strings, not an integer"},
        Wrong{"[allow]\narchitectures = [\"a\",\n \"a\"]", "4:2 \"a\" is listed twice"},
        Wrong{"[allow]\ntensor_types = [\"q4_k\"]",
              "3:17 there is no tensor type \"q4_k\"; did you mean \"Q4_K\"?"},
        Wrong{"[allow]\ntensor_types = [\"something else\"]",
              "3:17 there is no tensor type \"something else\""}));

TEST(ParsePolicy, TakesAReasonOfOneVisibleCharacter) {
  const Policy policy = Parsed("[[suppress]]\nrule = \"key-style\"\nreason = \"\\u00A0\\u200B!\"");
  EXPECT_EQ(policy.suppressions.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Suppressions, WrongPolicy,
    ::testing::Values(
        Wrong{"suppress = \"all\"", "2:12 suppress must be an array, not a string"},
        Wrong{"[suppress]\nrule = \"key-style\"",
              "2:1 suppress is a list: write [[suppress]], with two brackets"},
        Wrong{"suppress = [\"key-style\"]", "2:13 suppress must list tables, not a string"},
        Wrong{"[[suppress]]\nrule = \"key-style\"", "2:1 a suppression must have a reason"},
        Wrong{"[[suppress]]\nreason = \"seen\"", "2:1 a suppression must have a rule"},
        Wrong{"[[suppress]]\nrule = \"key-style\"\nreason = \"\"",
              "4:10 the reason is empty; write one for the readers of the report"},
        Wrong{"[[suppress]]\nrule = \"key-style\"\nreason = \" \\t\\r\\n\"",
              "4:10 the reason is empty; write one for the readers of the report"},
        Wrong{"[[suppress]]\nrule = \"key-style\"\nreason = \"\\u00A0\\u200B\\u2800\"",
              "4:10 the reason is empty; write one for the readers of the report"},
        Wrong{"[[suppress]]\nrule = \"key-style\"\nreason = false",
              "4:10 reason must be a string, not a boolean"},
        Wrong{"[[suppress]]\nrule = \"key-styl\"\nreason = \"seen\"",
              "3:8 there is no rule \"key-styl\"; did you mean \"key-style\"?"},
        Wrong{"[[suppress]]\nrule = 7\nreason = \"seen\"",
              "3:8 rule must be a string, not an integer"},
        Wrong{"[[suppress]]\nrule = \"value-type\"\nreason = \"seen\"",
              "3:8 value-type cannot be suppressed: bytes after such a fault cannot be read, "
              "so they were not checked"},
        Wrong{"[[suppress]]\nrule = \"key-style\"\nreason = \"seen\"\nsha256 = \"12\"",
              "5:10 sha256 must be 64 hexadecimal digits, not \"12\""},
        Wrong{"[[suppress]]\nrule = \"key-style\"\nreason = \"seen\"\nsha256 = 12",
              "5:10 sha256 must be a string, not an integer"},
        Wrong{"[[suppress]]\nrule = \"key-style\"\nreason = \"seen\"\npath = \"\"",
              "5:8 the path is empty; omit it to suppress the rule in all files"},
        Wrong{"[[suppress]]\nrule = \"key-style\"\nreason = \"seen\"\npath = [\"a\"]",
              "5:8 path must be a string, not an array"},
        Wrong{"[[suppress]]\nrule = \"key-style\"\nreason = \"seen\"\nuntil = 2026-01-01",
              "5:1 unknown key \"until\""}));

TEST(ParsePolicy, TellsOfLongValuesShortly) {
  const std::string reason(1'001, 'r');
  EXPECT_THAT(Problems("[[suppress]]\nrule = \"key-style\"\nreason = \"" + reason + "\""),
              ElementsAre("4:10 reason length is 1,001 bytes; must be at most 1,000"));
  const std::vector<std::string> long_key = Problems(std::string(5'000, 'k') + " = 1");
  ASSERT_THAT(long_key, SizeIs(1));
  EXPECT_EQ(long_key.front(), "2:1 unknown key \"" + std::string(64, 'k') + "…\"");
  // Never a part of a character.
  std::string accents = "profile = \"k";
  for (int i = 0; i < 40; ++i) accents += "\xC3\xA9";
  ASSERT_THAT(Problems(accents + "\""), SizeIs(1));
  EXPECT_THAT(Problems(accents + "\"").front(), HasSubstr("\xC3\xA9…\""));
}

TEST(ParsePolicy, TellsOfAllProblemsByPlace) {
  EXPECT_THAT(Problems("[allow]\nx = 1\n[limits]\ny = 2\n[severity]\nz = 3\n"),
              ElementsAre(HasSubstr("3:1 "), HasSubstr("5:1 "), HasSubstr("7:1 ")));
  EXPECT_THAT(Problems("[[suppress]]\n[[suppress]]\nrule = 1\n"), SizeIs(4));
}

TEST(ParsePolicy, StopsWhereNobodyReadsOn) {
  for (const std::string head : {"", "[severity]\n", "[limits]\n", "[allow]\n", "[[suppress]]\n"}) {
    std::string text = head;
    for (int i = 0; i < 20'000; ++i) text += "k" + std::to_string(i) + " = 1\n";
    EXPECT_GE(Problems(text).size(), kMostPolicyProblems) << head;
    EXPECT_LE(Problems(text).size(), kMostPolicyProblems + 2) << head;
  }
  std::string text;
  for (int i = 0; i < 9'000; ++i) text += "[[suppress]]\n";
  EXPECT_LE(Problems(text).size(), kMostPolicyProblems + 2);
  for (int i = 0; i < 1'001; ++i) text += "[[suppress]]\n";
  EXPECT_THAT(Problems(text), ElementsAre("2:1 there are more than 10,000 suppressions"));
}

}  // namespace
}  // namespace ggufgate::testing
