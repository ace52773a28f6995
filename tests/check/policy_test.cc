// Profiles: what each accepts that another rejects.

#include "check/policy.h"

#include <gtest/gtest.h>

#include "format/limits.h"
#include "tests/oracles/verdict.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

std::vector<std::string> Errors(const Model& model, Profile profile) {
  return Judge(model, PolicyFor(profile)).Rules(Severity::kError);
}

TEST(PolicyFor, GateIsTheDefault) {
  const Policy policy = PolicyFor(Profile::kGate);
  EXPECT_EQ(policy.profile, Profile::kGate);
  EXPECT_EQ(policy.target, TargetOrder::kLittle);
  EXPECT_EQ(policy.fail_on, Severity::kError);
  for (const LimitInfo& limit : AllLimits()) {
    EXPECT_EQ(policy.limits.*limit.value, Limits().*limit.value) << limit.name;
  }
}

TEST(PolicyFor, OtherProfilesLowerNoLimitButThatOfNames) {
  for (const Profile profile : {Profile::kLlamaCpp, Profile::kSpec, Profile::kDiffusion}) {
    const Policy policy = PolicyFor(profile);
    EXPECT_EQ(policy.profile, profile);
    for (const LimitInfo& limit : AllLimits()) {
      if (limit.name == "tensor_name_bytes") continue;  // gate allows the limit of other loaders
      EXPECT_GE(policy.limits.*limit.value, Limits().*limit.value) << limit.name;
    }
  }
}

TEST(PolicyFor, EachProfileKnowsItsLongestName) {
  EXPECT_EQ(PolicyFor(Profile::kGate).limits.tensor_name_bytes, 159U);
  EXPECT_EQ(PolicyFor(Profile::kLlamaCpp).limits.tensor_name_bytes, 63U);
  EXPECT_EQ(PolicyFor(Profile::kSpec).limits.tensor_name_bytes, 64U);
  EXPECT_EQ(PolicyFor(Profile::kDiffusion).limits.tensor_name_bytes, 159U);
}

TEST(PolicyFor, LlamaCppIsSparedManyKeys) {
  EXPECT_EQ(PolicyFor(Profile::kLlamaCpp).limits.metadata_keys, 65'536U);
  EXPECT_EQ(PolicyFor(Profile::kSpec).limits.metadata_keys, UINT64_MAX);
}

TEST(Profiles, AllTakeASoundModel) {
  for (const Profile profile : kAllProfiles) {
    EXPECT_THAT(Judge(Model::Minimal(), PolicyFor(profile)).Rules(), IsEmpty());
  }
}

TEST(LlamaCppProfile, TakesWhatTheLoaderTakes) {
  struct Case {
    const char* what;
    Model model;
    const char* refused_by;  // by a rule of profile gate
  };
  const auto empty_rows = [] {
    Model model;
    Model::Tensor& tensor = model.Add("weight", TensorType::kF32, {8, 1});
    tensor.dims = {8, 0};
    tensor.data.clear();
    return model;
  };
  const auto named = [](const char* name) {
    Model model;
    model.Add(name, TensorType::kF32, {8});
    return model;
  };
  const std::vector<Case> cases = {
      {"bool 2", Model().SetRaw(kKey, ValueType::kBool, {2}), "bool-value"},
      {"key of 65,536 bytes", Model().Set(std::string(65'536, 'k'), std::uint8_t{1}), "key-length"},
      {"line feed in a key", Model().Set("a\nb", std::uint8_t{1}), "key-characters"},
      {"letter with an accent in a key", Model().Set("\xC3\xA9", std::uint8_t{1}),
       "key-characters"},
      {"line feed in a tensor name", named("a\nb"), "tensor-name-characters"},
      {"second dimension 0", empty_rows(), "tensor-dimension-zero"},
      {"alignment of 2 MiB", Model().Set(kAlignmentKey, (std::uint32_t{1} << 21)),
       "alignment-large"},
  };
  for (const auto& [what, model, refused_by] : cases) {
    SCOPED_TRACE(what);
    EXPECT_THAT(Errors(model, Profile::kLlamaCpp), IsEmpty());
    EXPECT_THAT(Errors(model, Profile::kGate), ElementsAre(refused_by));
  }
  EXPECT_THAT(Errors(Model().Set(kKey, "\xFF"), Profile::kLlamaCpp), IsEmpty());
}

TEST(SpecProfile, HasNoLimitOnKeys) {
  Model model;
  for (int i = 0; i < 70'000; ++i) {
    model.metadata.push_back({.key = "k" + std::to_string(i), .payload = {1}});
  }
  EXPECT_THAT(Errors(model, Profile::kSpec), IsEmpty());
  EXPECT_THAT(Errors(model, Profile::kLlamaCpp), ElementsAre("metadata-count"));
  EXPECT_THAT(Errors(model, Profile::kGate), ElementsAre("metadata-count"));
  model.metadata.resize(65'536);
  EXPECT_THAT(Errors(model, Profile::kLlamaCpp), IsEmpty());
  EXPECT_THAT(Errors(model, Profile::kGate), IsEmpty());
}

TEST(LlamaCppProfile, RefusesWhatTheLoaderRefuses) {
  EXPECT_THAT(Errors(BigEndianMinimal(), Profile::kLlamaCpp), ElementsAre("byte-order"));
  EXPECT_THAT(Errors(WithNestedArray(2), Profile::kLlamaCpp), ElementsAre("array-nested"));
  EXPECT_THAT(Errors(WithAlignment(24), Profile::kLlamaCpp), ElementsAre("alignment-value"));
}

// Files that it "loads" only because a product overflows, or by reading outside the file.
TEST(LlamaCppProfile, RefusesWhatTheLoaderLoadsUnsoundly) {
  constexpr std::uint64_t kTwo32 = std::uint64_t{1} << 32;
  Model model = WithTensors({32});
  model.tensors[0].dims = {kTwo32, kTwo32};
  EXPECT_THAT(Errors(model, Profile::kLlamaCpp), ElementsAre("tensor-elements-overflow"));
  model.tensors[0].dims = {33};
  EXPECT_THAT(Errors(model, Profile::kLlamaCpp), ElementsAre("tensor-data-bounds"));
}

TEST(SpecProfile, TakesWhatTheSpecificationAllows) {
  Model out_of_order = WithTensors({32, 64});
  std::swap(out_of_order.tensors[0], out_of_order.tensors[1]);
  std::swap(out_of_order.tensors[0].data, out_of_order.tensors[1].data);
  struct Case {
    const char* what;
    Model model;
    const char* refused_by;  // by a rule of profile gate
  };
  const std::vector<Case> cases = {
      {"alignment 24", WithAlignment(24), "alignment-value"},
      {"arrays of arrays", WithNestedArray(4), "array-nested"},
      {"tensors in any order", out_of_order, "tensor-order"},
      {"big-endian", BigEndianMinimal(), "byte-order"},
  };
  for (const auto& [what, model, refused_by] : cases) {
    SCOPED_TRACE(what);
    EXPECT_THAT(Errors(model, Profile::kSpec), IsEmpty());
    EXPECT_THAT(Errors(model, Profile::kGate), ElementsAre(refused_by));
  }
}

TEST(SpecProfile, IsToTheLetter) {
  EXPECT_THAT(Errors(WithAlignment(4), Profile::kSpec), ElementsAre("alignment-value"));
  EXPECT_THAT(Errors(Model().Set(kKey, "\xFF"), Profile::kSpec), ElementsAre("string-utf8"));
  EXPECT_THAT(Errors(Model().Set("Key", std::uint8_t{1}), Profile::kSpec),
              ElementsAre("key-style"));
  EXPECT_THAT(Errors(Model().SetRaw(kKey, ValueType::kBool, {2}), Profile::kSpec),
              ElementsAre("bool-value"));
}

Policy PolicyWith(RuleId rule, Severity severity) {
  Policy policy;
  policy.severities = {{.rule = rule, .severity = severity}};
  return policy;
}

// Every field that may differ makes two policies different.
TEST(Policy, IsEqualOnlyInAllItsParts) {
  EXPECT_EQ(Policy(), Policy());
  const auto differs = [](const auto& change) {
    Policy changed;
    change(changed);
    return changed != Policy() && changed == Policy(changed);
  };
  EXPECT_TRUE(differs([](Policy& p) { p.profile = Profile::kSpec; }));
  EXPECT_TRUE(differs([](Policy& p) { p.target = TargetOrder::kBig; }));
  EXPECT_TRUE(differs([](Policy& p) { p.fail_on = Severity::kNote; }));
  EXPECT_TRUE(differs([](Policy& p) { p.data = DataScan::kFull; }));
  EXPECT_TRUE(differs([](Policy& p) { p.findings_per_rule = 1; }));
  EXPECT_TRUE(differs([](Policy& p) { p.limits.template_bytes = 1; }));
  EXPECT_TRUE(differs([](Policy& p) { p.severities = {{.rule = RuleId::kMagic}}; }));
  EXPECT_TRUE(differs([](Policy& p) { p.architectures = {"llama"}; }));
  EXPECT_TRUE(differs([](Policy& p) { p.tensor_types = {TensorType::kF32}; }));
  EXPECT_TRUE(differs([](Policy& p) { p.suppressions = {{.reason = "seen"}}; }));
  EXPECT_TRUE(differs([](Policy& p) { p.source = "policy.toml"; }));

  const Suppression seen{.rule = RuleId::kKeyNul, .reason = "a", .sha256 = "0", .path = "k"};
  EXPECT_EQ(seen, Suppression(seen));
  for (const auto part : {&Suppression::reason, &Suppression::sha256, &Suppression::path}) {
    Suppression other = seen;
    other.*part = "other";
    EXPECT_NE(other, seen);
  }
  Suppression other = seen;
  other.rule = RuleId::kMagic;
  EXPECT_NE(other, seen);
  const SeverityChoice choice{.rule = RuleId::kKeyNul, .severity = Severity::kNote};
  EXPECT_EQ(choice, SeverityChoice(choice));
  EXPECT_NE(choice, (SeverityChoice{.rule = RuleId::kMagic, .severity = Severity::kNote}));
  EXPECT_NE(choice, (SeverityChoice{.rule = RuleId::kKeyNul, .severity = Severity::kOff}));
}

TEST(SeverityChoice, WinsOverTheProfile) {
  const Model model = Model::Minimal().Set("Key", std::uint8_t{1});  // key-style, a note
  for (const Severity severity : {Severity::kNote, Severity::kWarning, Severity::kError}) {
    const Policy policy = PolicyWith(RuleId::kKeyStyle, severity);
    EXPECT_EQ(RuleOf(RuleId::kKeyStyle).SeverityIn(policy), severity);
    EXPECT_EQ(Judge(model, policy).Only(RuleId::kKeyStyle).severity, severity);
  }
  EXPECT_THAT(Judge(model, PolicyWith(RuleId::kKeyStyle, Severity::kOff)).Rules(), IsEmpty());
  EXPECT_THAT(Judge(model, PolicyWith(RuleId::kKeyNul, Severity::kOff)).Rules(),
              ElementsAre("key-style"));
}

TEST(SeverityChoice, RaisesARuleThatTheProfileHasOff) {
  Policy policy = PolicyFor(Profile::kSpec);
  const Model model = WithAlignment(4);
  EXPECT_THAT(FindingsOf(Judge(model, policy), RuleId::kAlignmentSmall), IsEmpty());
  policy.severities = {{.rule = RuleId::kAlignmentSmall, .severity = Severity::kWarning}};
  EXPECT_EQ(Judge(model, policy).Only(RuleId::kAlignmentSmall).severity, Severity::kWarning);
}

TEST(SeverityChoice, RaisesNoMilderCaseOfARule) {
  const Model model =
      Model::Minimal().Set("tokenizer.ggml.tokens", std::vector<std::string>{"\xFF"});
  const Policy policy = PolicyWith(RuleId::kStringUtf8, Severity::kError);
  EXPECT_EQ(Judge(model, policy).Only(RuleId::kStringUtf8).severity, Severity::kNote);
}

TEST(SeverityChoice, LowersNoFault) {
  std::vector<std::uint8_t> file = Write(Model::Minimal());
  file.front() = 'g';
  EXPECT_FALSE(Judge(file, PolicyWith(RuleId::kMagic, Severity::kOff)).Accepted());

  // A rule with both: the parser's error remains, the finding disappears.
  Policy policy = PolicyWith(RuleId::kArrayNested, Severity::kOff);
  EXPECT_TRUE(Judge(WithNestedArray(2), policy).Accepted());
  EXPECT_FALSE(Judge(WithNestedArray(9), policy).Accepted());
}

}  // namespace
}  // namespace ggufgate::testing
