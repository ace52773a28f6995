// Policies as text: any policy reads back, and its text is safe for a terminal.

#include "policy/policy_text.h"

#include <sstream>
#include <string>

#include "check/loaders/loader_names.h"
#include "check/rule.h"
#include "policy/policy_file.h"
#include "tests/oracles/verdict.h"
#include "tests/support/matchers.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

std::string Printed(const Policy& policy) {
  std::ostringstream out;
  PrintPolicy(policy, out);
  return out.str();
}

void ExpectReadsBack(const Policy& policy) {
  const std::string text = Printed(policy);
  EXPECT_TRUE(testing::IsHarmless(text)) << text;
  const ParsedPolicy parsed = ParsePolicy(text);
  for (const TextProblem& problem : parsed.problems) {
    ADD_FAILURE() << problem.at.line << ": " << problem.what << '\n' << text;
  }
  EXPECT_EQ(parsed.policy, policy) << text;
}

Policy PolicySuppressing(const std::string& reason, const std::string& path = "") {
  Policy policy;
  policy.suppressions = {{.rule = RuleId::kKeyStyle, .reason = reason, .path = path}};
  return policy;
}

TEST(PrintPolicy, OfEachProfileReadsBack) {
  for (const Profile profile : kAllProfiles) {
    ExpectReadsBack(PolicyFor(profile));
  }
}

TEST(PrintPolicy, OfEachSettingReadsBack) {
  for (const Severity severity : {Severity::kNote, Severity::kWarning, Severity::kError}) {
    Policy policy;
    policy.fail_on = severity;
    ExpectReadsBack(policy);
  }
  for (const DataScan data : {DataScan::kNone, DataScan::kScales, DataScan::kFull}) {
    Policy policy;
    policy.data = data;
    ExpectReadsBack(policy);
  }
  Policy for_all;
  for (const ContractTable& table : ContractTable::Learned()) {
    AddLoader(SharedTable(table), for_all);
  }
  ExpectReadsBack(for_all);
  for (const TargetOrder target : {TargetOrder::kLittle, TargetOrder::kBig, TargetOrder::kAny}) {
    Policy policy;
    policy.target = target;
    ExpectReadsBack(policy);
  }
  Policy policy;
  policy.findings_per_rule = kMostFindingsPerRule;
  policy.architectures = {"llama", "a \"b\" \\ c"};
  for (const TensorTypeInfo& type : AllTensorTypes()) policy.tensor_types.push_back(type.type);
  ExpectReadsBack(policy);
}

TEST(PrintPolicy, OfASuppressionWithEveryFieldReadsBack) {
  Policy policy = PolicySuppressing("known", "blk.*");
  policy.suppressions.front().sha256 = std::string(64, 'a');
  ExpectReadsBack(policy);
  policy.suppressions.front().path.clear();
  ExpectReadsBack(policy);
}

TEST(PrintPolicy, OfEverySeverityReadsBack) {
  Policy policy;
  for (const Rule& rule : AllRules()) {
    const auto index = static_cast<std::size_t>(rule.id);
    const auto severity = static_cast<Severity>(index % kSeverityCount);
    policy.severities.push_back(
        {.rule = rule.id, .severity = rule.check != nullptr ? severity : Severity::kError});
  }
  ExpectReadsBack(policy);
}

// Found by fuzz target policy.
TEST(PrintPolicy, OfSeveritiesInAnyOrderReadsBack) {
  for (const char* lines :
       {"key-style = \"off\"\nmagic = \"error\"\n", "magic = \"error\"\nkey-style = \"off\"\n"}) {
    const ParsedPolicy parsed =
        ParsePolicy("schema = \"ggufgate.policy/1\"\n[severity]\n" + std::string(lines));
    ASSERT_THAT(parsed.problems, IsEmpty());
    ASSERT_EQ(parsed.policy.severities.size(), 2U);
    ExpectReadsBack(parsed.policy);
  }
}

TEST(PrintPolicy, OfEveryLimitReadsBack) {
  for (const LimitInfo& limit : AllLimits()) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{16}, std::uint64_t{1'024},
          std::uint64_t{1'025}, std::uint64_t{3} << 20, std::uint64_t{INT64_MAX}, UINT64_MAX}) {
      if (limit.value == &Limits::array_depth && value > kDeepestArray) continue;
      Policy policy;
      policy.limits.*limit.value = value;
      ExpectReadsBack(policy);
    }
  }
}

TEST(PrintPolicy, OfHostileTextReadsBack) {
  using namespace std::string_literals;
  for (const std::string& text :
       {"plain"s, "a \"quoted\" word"s, "back\\slash \\u0041 \\x41"s, "two\nlines\r\ttab"s,
        "\x1b[31m"s, "nul\0inside"s, "a\x7f"s, "日本"s, "\xE2\x80\xAEreversed"s, "a\xC2\x9B"s,
        "\xF3\xA0\x81\x81tag"s, "\"\"\""s, "{} # [x]"s, "\xF0\x9F\x98\x80"s}) {
    ExpectReadsBack(PolicySuppressing(text, text));
  }
}

TEST(PrintPolicy, BytesThatTomlCannotWriteAreReplaced) {
  const ParsedPolicy parsed =
      ParsePolicy(Printed(PolicySuppressing("a\xFF\x9F"
                                            "b")));
  EXPECT_THAT(parsed.problems, IsEmpty());
  ASSERT_EQ(parsed.policy.suppressions.size(), 1U);
  EXPECT_EQ(parsed.policy.suppressions.front().reason, "a\uFFFD\uFFFDb");
}

TEST(PrintPolicy, SaysWhatIsNotTheFilesOwn) {
  Policy policy;
  policy.severities = {{.rule = RuleId::kKeyStyle, .severity = Severity::kWarning}};
  const std::string text = Printed(policy);
  EXPECT_THAT(text, HasSubstr("\nkey-style = \"warning\"\n"));
  EXPECT_THAT(text, HasSubstr("\n# key-nul = \"error\"\n"));
  EXPECT_THAT(text, HasSubstr("\n# magic = \"error\"  # always\n"));
  EXPECT_THAT(text, HasSubstr("\nmetadata_bytes = \"256 MiB\"\n"));
  EXPECT_THAT(text, Not(HasSubstr("[[suppress]]")));
  for (const LimitInfo& limit : AllLimits()) {
    EXPECT_THAT(
        text, HasSubstr("\n# " + std::string(limit.unit) + "; " + std::string(limit.reason) + "\n" +
                        std::string(limit.name) + " = "));
  }
}

}  // namespace
}  // namespace ggufgate::testing
