// The rule catalogue as a whole.

#include "check/rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include "check/cause/cause.h"
#include "check/sink.h"
#include "tests/support/judge.h"

namespace ggufgate::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;

std::size_t WordingsOf(const Rule& rule) {
  return 1 + static_cast<std::size_t>(std::ranges::count(rule.message, '|'));
}

TEST(Rules, HaveUniqueHyphenatedSlugs) {
  std::set<std::string_view> slugs;
  for (const Rule& rule : AllRules()) {
    EXPECT_THAT(std::string(rule.slug), MatchesRegex("[a-z][a-z0-9]*(-[a-z0-9]+)*"));
    EXPECT_TRUE(slugs.insert(rule.slug).second) << rule.slug;
  }
}

TEST(Rules, AreFoundBySlugAndById) {
  for (const Rule& rule : AllRules()) {
    EXPECT_EQ(FindRule(rule.slug), &rule);
    EXPECT_EQ(&RuleOf(rule.id), &rule);
  }
  EXPECT_EQ(FindRule(""), nullptr);
  EXPECT_EQ(FindRule("no-such-rule"), nullptr);
  EXPECT_EQ(FindRule("Magic"), nullptr);
}

TEST(Rules, ExplainThemselves) {
  for (const Rule& rule : AllRules()) {
    SCOPED_TRACE(rule.slug);
    EXPECT_THAT(rule.what, Not(IsEmpty()));
    EXPECT_THAT(rule.why, Not(IsEmpty()));
    EXPECT_THAT(rule.repair, Not(IsEmpty()));
    EXPECT_THAT(rule.message, Not(IsEmpty()));
    EXPECT_THAT(rule.loaders, Not(IsEmpty()));
    EXPECT_THAT(WordFor(rule.family), Not(IsEmpty()));
    for (const std::string_view sentence : {rule.what, rule.why, rule.repair, rule.loaders}) {
      EXPECT_TRUE(sentence.ends_with('.') || sentence.ends_with(".)")) << sentence;
    }
    EXPECT_NE(rule.SeverityIn(Profile::kGate), Severity::kOff);
  }
}

TEST(Rules, NameReportsInOneForm) {
  const std::regex form("(CVE-[0-9]{4}-[0-9]{4,}|GHSA(-[0-9a-z]{4}){3}|[A-Za-z0-9_.-]+#[0-9]+)");
  for (const Rule& rule : AllRules()) {
    std::string rest(rule.reports);
    for (std::smatch match; !rest.empty();) {
      ASSERT_TRUE(std::regex_search(rest, match, form, std::regex_constants::match_continuous))
          << rule.slug << ": " << rest;
      rest = match.suffix();
      if (!rest.empty()) {
        ASSERT_TRUE(rest.starts_with(", ")) << rule.slug << ": " << rest;
        rest.erase(0, 2);
      }
    }
  }
}

TEST(Rules, MessagesAreWellFormed) {
  const std::regex placeholder("\\{(observed|allowed|other|excess)(:(bytes|hex|plain))?\\}");
  for (const Rule& rule : AllRules()) {
    SCOPED_TRACE(rule.slug);
    const std::string rest = std::regex_replace(std::string(rule.message), placeholder, "");
    EXPECT_EQ(rest.find_first_of("{}"), std::string::npos) << rest;
    EXPECT_EQ(rule.message.find("||"), std::string_view::npos);
    EXPECT_FALSE(rule.message.starts_with('|') || rule.message.ends_with('|'));
  }
}

// Every wording a rule uses must exist, and every one that exists must be used. The other tests of
// this folder say which of them fires; here is the count.
TEST(Rules, HaveTheWordingsTheyUse) {
  for (const Rule& rule : AllRules()) {
    std::size_t expected = 1;
    switch (rule.id) {
      case RuleId::kVersion:      // any, version 1
      case RuleId::kTensorCount:  // these four: by the bytes left, by the limit
      case RuleId::kMetadataCount:
      case RuleId::kStringLength:
      case RuleId::kArrayCount:
      case RuleId::kArrayNested:             // nested, too deep
      case RuleId::kStringUtf8:              // one text, several of an array
      case RuleId::kStringNul:               // one text, several of an array
      case RuleId::kStringBom:               // one text, several of an array
      case RuleId::kAlignmentValue:          // power of two, multiple of 8
      case RuleId::kAlignmentSmall:          // the number, the place of the data
      case RuleId::kDivisorMissing:          // none, absent
      case RuleId::kPaddingNotZero:          // a byte, too much
      case RuleId::kForeignFileInside:       // begins, ends
      case RuleId::kTensorDataBounds:        // past the file, past every file
      case RuleId::kArchitectureNotAllowed:  // another, none
      case RuleId::kHeadCount:               // none, uneven
      case RuleId::kPerLayerArrayLength:     // by the layers, by what there is room for
      case RuleId::kTokenIdRange:            // range, type
      case RuleId::kPretokenizer:            // unknown, blanks
      case RuleId::kTokenizerRefused:        // merges, phi-3
      case RuleId::kByteToken:               // form, WordPiece
      case RuleId::kTemplateSyntax:          // never closed, bracket
      case RuleId::kTensorNameLength:        // too long, too long for llama.cpp
      case RuleId::kTensorDimensions:        // too many, too many for llama.cpp
      case RuleId::kArchitectureUnknown:     // unknown, of images
        expected = 2;
        break;
      case RuleId::kByteOrder:      // swapped 2, big-endian, little-endian
      case RuleId::kLimitExceeded:  // elements, bytes, strings
      case RuleId::kExpertCount:    // too many, too many used, none used
      case RuleId::kTensorShape:    // embeddings, block beyond, block missing
      case RuleId::kCharsmapWalk:   // leaves, no replacement, long one
      case RuleId::kShardFields:    // type, number, negative
      case RuleId::kMemoryDemand:   // at once, for the whole context, a control vector
        expected = 3;
        break;
      case RuleId::kTensorValueNotFinite:  // value, scale, minimum, more than are listed
      case RuleId::kVocabularyByteTokens:  // none, some, rwkv, plamo2
      case RuleId::kVocabularySize:        // no tokens, too few, nothing to add, absent
      case RuleId::kCharsmap:              // no size, trie too long, cut in a number, no NUL
        expected = 4;
        break;
      case RuleId::kProjector:  // type, range, zero, count, odd
        expected = 5;
        break;
      case RuleId::kTensorEncodingReserved:  // overflow, sign, NaN, ternary, -128, more
      case RuleId::kTemplateHidden:  // invisible, direction, address, words 2, other template
        expected = 6;
        break;
      case RuleId::kTemplateInjection:  // name, assembled, attr, helper, format, computed 2
        expected = 7;
        break;
      case RuleId::kShardSet:  // one of a single file, nine of a set: see Wording in shard_set.cc
        expected = 10;
        break;
      case RuleId::kAdapter:        // see Wording in adapters.cc
      case RuleId::kTemplateLimit:  // see CheckTemplateLimit()
        expected = 12;
        break;
      default:
        break;
    }
    EXPECT_EQ(WordingsOf(rule), expected) << rule.slug;
  }
}

// What the parser alone decides cannot be toned down: an error in every profile.
TEST(Rules, WithoutAFunctionAreErrorsEverywhere) {
  for (const Rule& rule : AllRules()) {
    if (rule.check != nullptr) continue;
    for (const Profile profile :
         {Profile::kGate, Profile::kLlamaCpp, Profile::kSpec, Profile::kDiffusion}) {
      EXPECT_EQ(rule.SeverityIn(profile), Severity::kError) << rule.slug;
    }
  }
}

TEST(Rules, AreBrokenByAFaultOrHaveAFunction) {
  std::set<RuleId> by_fault;
  for (int kind = 0; kind <= static_cast<int>(FaultKind::kArrayStrings); ++kind) {
    by_fault.insert(RuleFor(static_cast<FaultKind>(kind)));
  }
  for (const Rule& rule : AllRules()) {
    EXPECT_TRUE(rule.check != nullptr || by_fault.contains(rule.id)) << rule.slug;
  }
}

TEST(Causes, SayWhatHappenedAndWhatToDo) {
  const std::regex placeholder("\\{(a|b|a:bytes|b:bytes|other)\\}");
  for (int i = 1; i <= static_cast<int>(Cause::Kind::kUnknownType); ++i) {
    const CauseInfo& info = InfoOf(static_cast<Cause::Kind>(i));
    EXPECT_THAT(std::string(info.slug), MatchesRegex("[a-z0-9]+(-[a-z0-9]+)*"));
    EXPECT_THAT(info.happened, Not(IsEmpty()));
    EXPECT_THAT(info.advice, Not(IsEmpty()));
    const std::string rest = std::regex_replace(std::string(info.happened), placeholder, "");
    EXPECT_EQ(rest.find_first_of("{}"), std::string::npos) << rest;
  }
  EXPECT_FALSE(Cause{});
  EXPECT_TRUE(Cause{.kind = Cause::Kind::kHtml});
}

TEST(Severities, HaveWords) {
  EXPECT_EQ(WordFor(Severity::kOff), "off");
  EXPECT_EQ(WordFor(Severity::kNote), "note");
  EXPECT_EQ(WordFor(Severity::kWarning), "warning");
  EXPECT_EQ(WordFor(Severity::kError), "error");
}

}  // namespace
}  // namespace ggufgate::testing
