// Properties of random models: valid ones are accepted, a lie never breaks the check, and an
// independent oracle agrees with accepted ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "check/faults.h"
#include "parse/regions.h"
#include "tests/oracles/verdict.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/random/rule_random.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

__extension__ using Wide = unsigned __int128;

TEST(RandomModels, SoundOnesAreAcceptedInEveryProfile) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 500; ++round) {
    const std::vector<std::uint8_t> file = Write(RandomSound(random));
    for (const Profile profile : kAllProfiles) {
      EXPECT_THAT(Judge(file, PolicyFor(profile)).Rules(Severity::kError), IsEmpty())
          << "round " << round;
    }
  }
}

// Requirements of a loader, computed in 128 bits and without the code under test.
bool IsSound(const Document& document) {
  Wide end = 0;
  for (const TensorInfo& tensor : document.tensors) {
    const TensorTypeInfo* type = FindTensorType(tensor.type_id);
    if (type == nullptr || tensor.dims[0] % type->block_elements != 0) return false;
    Wide bytes = Wide{tensor.dims[0]} / type->block_elements * type->block_bytes;
    for (const std::size_t i : {1U, 2U, 3U}) {
      if (tensor.dims[i] > 0 && bytes > (Wide{1} << 63) / tensor.dims[i]) return false;
      bytes *= tensor.dims[i];
    }
    if (tensor.offset != end) return false;
    if (*document.data_begin + end + bytes > document.file_size) return false;
    end = (end + bytes + *document.alignment - 1) / *document.alignment * *document.alignment;
  }
  return true;
}

void ExpectConsistent(const Judged& judged, const Policy& policy) {
  const Findings& findings = judged.checked.findings;
  const Document& document = judged.parsed.document;
  EXPECT_TRUE(judged.checked.io.complete());
  if (document.fault) {
    EXPECT_FALSE(judged.Accepted());
    EXPECT_GT(TotalOf(judged, RuleFor(document.fault->kind)), 0U);
  }
  for (const Rule& rule : AllRules()) {
    const std::uint64_t kept = FindingsOf(judged, rule.id).size();
    const std::uint64_t total = TotalOf(judged, rule.id);
    EXPECT_GE(kept, std::min<std::uint64_t>(total, policy.findings_per_rule)) << rule.slug;
    EXPECT_LE(kept, total) << rule.slug;
  }
  for (const Finding& finding : findings.list) {
    EXPECT_LE(finding.where.begin, judged.file.size());
    EXPECT_NE(finding.severity, Severity::kOff);
    EXPECT_LT(finding.wording, RuleOf(finding.rule).messages.size());
  }
}

// With one lie about one number, all causes except these would be wrong. (The space between tensors
// may fit the layout of a fork by chance. That cause states only that it fits, which is true.)
void ExpectNoFalseCause(const Judged& judged) {
  for (const Finding& finding : judged.checked.findings.list) {
    EXPECT_THAT(finding.cause.kind, AnyOf(Cause::Kind::kNone, Cause::Kind::kMaybeCut,
                                          Cause::Kind::kEndsEarly, Cause::Kind::kForeignType,
                                          Cause::Kind::kOllamaType, Cause::Kind::kRemovedType,
                                          Cause::Kind::kUnknownType, Cause::Kind::kForkLayout))
        << InfoOf(finding.cause.kind).slug;
  }
}

TEST(RandomModels, OneLieIsJudgedConsistently) {
  std::mt19937_64 random(2);
  int rejected = 0;
  for (int round = 0; round < 4000; ++round) {
    SCOPED_TRACE(round);
    Model model = RandomSound(random);
    model.pad_last_tensor = true;
    std::vector<std::uint8_t> file = Write(model);
    TellALie(model, file, random);
    for (const Profile profile : kAllProfiles) {
      const Policy policy = PolicyFor(profile);
      const Judged judged = Judge(file, policy);
      ExpectConsistent(judged, policy);
      ExpectNoFalseCause(judged);
      if (judged.Accepted() && profile != Profile::kSpec) {
        EXPECT_TRUE(IsSound(judged.parsed.document));
      }
      if (profile == Profile::kGate) rejected += judged.Accepted() ? 0 : 1;
      if (::testing::Test::HasFailure()) return;  // one example is enough
    }
  }
  EXPECT_GT(rejected, 2000);  // the lies are effective
}

TEST(RandomModels, WhatTheGateAcceptsLlamaCppAccepts) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 1000; ++round) {
    const Model model = RandomSound(random);
    std::vector<std::uint8_t> file = Write(model);
    TellALie(model, file, random);
    if (!Judge(file).Accepted()) continue;
    EXPECT_TRUE(Judge(file, PolicyFor(Profile::kLlamaCpp)).Accepted()) << "round " << round;
  }
}

TEST(RandomModels, ManyLiesNeverBreakTheCheck) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 1000; ++round) {
    SCOPED_TRACE(round);
    const Model model = RandomSound(random);
    std::vector<std::uint8_t> file = Write(model);
    for (int lies = 0; lies < 5; ++lies) TellALie(model, file, random);
    if (random() % 2 == 0) file.resize(random() % (file.size() + 1));
    for (const Profile profile : kAllProfiles) {
      const Policy policy = PolicyFor(profile);
      ExpectConsistent(Judge(file, policy), policy);
    }
  }
}

TEST(RandomModels, RegionsOfAcceptedFilesTileThem) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 1000; ++round) {
    const Model model = RandomSound(random);
    std::vector<std::uint8_t> file = Write(model);
    if (round % 2 == 0) TellALie(model, file, random);
    const Judged judged = Judge(file);
    if (!judged.Accepted()) continue;
    std::uint64_t end = 0;
    for (const Region& region : Regions(judged.parsed.document)) {
      EXPECT_EQ(region.range.begin, end);
      end = region.range.End();
    }
    EXPECT_EQ(end, file.size());
  }
}

}  // namespace
}  // namespace ggufgate::testing
