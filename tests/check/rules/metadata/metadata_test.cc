// Rules about keys, bools and nesting. For general.alignment see alignment_test.cc.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

TEST(KeyEmpty, HasNoCharacters) {
  const Model model = WithKeys({"k.a", ""});
  const Finding finding = SoleFinding(model, RuleId::kKeyEmpty);
  EXPECT_THAT(finding, Tells({EntryAt(model, 1), 8}, Number(0), Number(1)));
  EXPECT_EQ(Describe(finding.subject), "metadata 1 \"\"");
  EXPECT_EQ(Severities(model, RuleId::kKeyEmpty), "error error error");

  EXPECT_THAT(RulesFired(WithKeys({"k.a", "b"})), IsEmpty());
}

TEST(KeyLength, AtMost65535) {
  const Model model = WithKeys({std::string(65'536, 'k')});
  const Finding finding = SoleFinding(model, RuleId::kKeyLength);
  EXPECT_THAT(finding, Tells({24, 8}, Number(65'536), Number(65'535)));
  EXPECT_EQ(finding.subject.name, std::string(Subject::kLongestText, 'k'));  // cut
  EXPECT_EQ(Severities(model, RuleId::kKeyLength), "error warning error");

  EXPECT_THAT(RulesFired(WithKeys({std::string(65'535, 'k')})), IsEmpty());
}

TEST(KeyDuplicate, NamesTheFirst) {
  const Model model = WithKeys({"a", "k", "b", "k", "k"});
  EXPECT_THAT(RulesFired(model), ElementsAre("key-duplicate"));
  const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kKeyDuplicate);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].where, (ByteRange{KeyAt(model, 3), 1}));
  EXPECT_EQ(findings[1].where, (ByteRange{KeyAt(model, 4), 1}));
  EXPECT_EQ(Describe(findings[0].subject), "metadata 3 \"k\"");
  EXPECT_EQ(findings[0].observed, Number(3));
  EXPECT_EQ(findings[0].other, Number(1));
  EXPECT_EQ(findings[1].other, Number(1));
  EXPECT_EQ(Severities(model, RuleId::kKeyDuplicate), "error error error");
}

TEST(KeyDuplicate, OtherCaseOrLengthIsAnotherKey) {
  EXPECT_THAT(Judge(WithKeys({"k.a", "k.aa", "k", "k."})).Rules(Severity::kError), IsEmpty());
  EXPECT_THAT(RulesFired(WithKeys({"k.a", "K.a"})), ElementsAre("key-alike"));
  using namespace std::string_literals;
  EXPECT_THAT(RulesFired(WithKeys({"k\0a"s, "k\0b"s, "k"s})), ElementsAre("key-nul"));
}

TEST(KeyNul, WhereverItStands) {
  using namespace std::string_literals;
  const Model model = WithKeys({"general.alignment\0x"s});
  const Finding finding = SoleFinding(model, RuleId::kKeyNul);
  EXPECT_THAT(finding, Tells({24 + 8 + 17, 1}, Number(17)));
  EXPECT_EQ(finding.subject.name, "general.alignment\0x"s);
  EXPECT_EQ(Severities(model, RuleId::kKeyNul), "error error error");

  EXPECT_THAT(RulesFired(WithKeys({"\0"s})), ElementsAre("key-nul"));
  EXPECT_THAT(RulesFired(WithKeys({"k\0"s})), ElementsAre("key-nul"));
  EXPECT_THAT(RulesFired(WithKeys({"k0"})), IsEmpty());
}

TEST(KeyCharacters, OnlyPrintableAscii) {
  for (const char c : {'\x01', '\n', '\x1B', '\x1F', '\x7F', '\x80', '\xFF'}) {
    const Model model = WithKeys({std::string("k.") + c + "a"});
    EXPECT_THAT(SoleFinding(model, RuleId::kKeyCharacters),
                Tells({24 + 8 + 2, 1}, Number(static_cast<unsigned char>(c))));
    EXPECT_EQ(Severities(model, RuleId::kKeyCharacters), "error warning error");
  }
  EXPECT_THAT(RulesFired(WithKeys({"caf\xC3\xA9"})), ElementsAre("key-characters"));
  EXPECT_THAT(RulesFired(WithKeys({"k. ~!"})), IsEmpty());  // 0x20 and 0x7E are printable
}

TEST(KeyCharacters, IsBesideKeyNul) {
  using namespace std::string_literals;
  EXPECT_THAT(RulesFired(WithKeys({"k\0\n"s})), ElementsAre("key-characters", "key-nul"));
}

TEST(KeyStyle, IsANoteButInTheSpecification) {
  for (const char* key : {"Llama.x", "k-a", ".k", "k.", "k..a", "k a", "k:a", "k/a"}) {
    SCOPED_TRACE(key);
    const Model model = WithKeys({key});
    EXPECT_THAT(Judge(model).Rules(), ElementsAre("key-style"));
    EXPECT_EQ(Severities(model, RuleId::kKeyStyle), "note note error");
    EXPECT_EQ(Judge(model).Only(RuleId::kKeyStyle).where,
              (ByteRange{32, std::string_view(key).size()}));
    EXPECT_TRUE(Judge(model).Accepted());
  }
  for (const char* key : {"k", "k_a", "k.a", "k.0", "0", "_", "tokenizer.ggml.bigrams_2"}) {
    SCOPED_TRACE(key);
    EXPECT_THAT(Judge(WithKeys({key})).Rules(), IsEmpty());
  }
}

TEST(KeyStyle, OfTheArchitectureIsANote) {
  for (const char* architecture : {"gpt-oss", "bitnet-b1.58", "minimax-m2"}) {
    const std::string key = std::string(architecture) + ".block_count";
    const auto with = [&](const std::string& name) {
      return Model::Minimal().Set("general.architecture", architecture).Set(name, std::uint32_t{1});
    };
    EXPECT_EQ(Severities(with(key), RuleId::kKeyStyle), "note note note");
    EXPECT_EQ(Severities(with(key + "-x"), RuleId::kKeyStyle), "note note error");
  }
  const Model other =
      Model::Minimal().Set("general.architecture", "gpt").Set("gpt-oss.x", std::uint32_t{1});
  EXPECT_EQ(Severities(other, RuleId::kKeyStyle), "note note error");
}

TEST(KeyStyle, DoesNotRepeatWhatOtherRulesSay) {
  EXPECT_THAT(Judge(WithKeys({""})).Rules(), ElementsAre("key-empty"));
  EXPECT_THAT(Judge(WithKeys({"K\n"})).Rules(), ElementsAre("key-characters"));
}

TEST(ArrayNested, OneLevelIsAnOrdinaryArray) {
  EXPECT_THAT(Judge(WithNestedArray(1)).Rules(), IsEmpty());
}

TEST(ArrayNested, DeeperIsRefusedAsTheReferenceDoes) {
  for (const std::size_t depth : {2U, 3U, 4U}) {
    const Model model = WithNestedArray(depth);
    const Finding finding = SoleFinding(model, RuleId::kArrayNested);
    EXPECT_THAT(finding, Tells({ValueAt(model, 0), 12 * depth}, Number(depth), Number(1)));
    EXPECT_EQ(Describe(finding.subject), "metadata 0 \"k.a\"");
    EXPECT_EQ(WordingOf(finding), ArrayNestedWording::kNested);
    EXPECT_EQ(Severities(model, RuleId::kArrayNested), "error error note");
    EXPECT_TRUE(Judge(model, PolicyFor(Profile::kSpec)).Accepted());
  }
}

TEST(ArrayNested, EmptyArrayOfArraysToo) {
  const Model model = WithArray(ValueType::kArray, 0, {});
  EXPECT_THAT(RulesFired(model), ElementsAre("array-nested"));
  EXPECT_EQ(Judge(model).Only(RuleId::kArrayNested).observed, Number(2));
  EXPECT_TRUE(Judge(model, PolicyFor(Profile::kSpec)).Accepted());
}

TEST(BoolValue, ScalarOfTwo) {
  Model model;
  model.SetRaw(kKey, ValueType::kBool, {2});
  const Finding finding = SoleFinding(model, RuleId::kBoolValue);
  EXPECT_THAT(finding, Tells({ValueAt(model, 0), 1}, Number(2), Number(1)));
  EXPECT_EQ(Describe(finding.subject), "metadata 0 \"k.a\"");
  EXPECT_EQ(Severities(model, RuleId::kBoolValue), "error warning error");
  EXPECT_TRUE(Judge(model, PolicyFor(Profile::kLlamaCpp)).Accepted());

  for (const bool value : {false, true})
    EXPECT_THAT(RulesFired(Model().Set(kKey, value)), IsEmpty());
}

TEST(BoolValue, FirstBadElementOfAnArray) {
  const Model model = WithArray(ValueType::kBool, 4, {0, 1, 0xFF, 2});
  EXPECT_THAT(RulesFired(model), ElementsAre("bool-value"));
  const Judged judged = Judge(model);
  EXPECT_EQ(TotalOf(judged, RuleId::kBoolValue), 1U);
  const Finding finding = judged.Only(RuleId::kBoolValue);
  EXPECT_THAT(finding, Tells({ValueAt(model, 0) + 12 + 2, 1}, Number(0xFF)));
  EXPECT_EQ(Describe(finding.subject), "metadata 0 \"k.a\" element 2");

  EXPECT_THAT(RulesFired(WithArray(ValueType::kBool, 3, {0, 1, 1})), IsEmpty());
  EXPECT_THAT(RulesFired(WithArray(ValueType::kU8, 3, {0, 1, 2})), IsEmpty());
}

TEST(BoolValue, InsideNestedArrays) {
  Encoder inner(ByteOrder::kLittle);
  inner.Put(std::uint32_t{0}).Put(std::uint64_t{1}).Put(std::uint8_t{9});  // u8: 9
  inner.Put(std::uint32_t{7}).Put(std::uint64_t{2}).PutBytes(std::vector<std::uint8_t>{1, 3});
  const Model model = WithArray(ValueType::kArray, 2, inner.Take());
  const Judged judged = Judge(model, PolicyFor(Profile::kSpec));
  EXPECT_THAT(judged.Rules(), ElementsAre("array-nested", "bool-value"));
  EXPECT_EQ(judged.Only(RuleId::kBoolValue).where,
            (ByteRange{ValueAt(model, 0) + 12 + 13 + 12 + 1, 1}));
}

TEST(MetadataRules, FindEveryBreach) {
  using namespace std::string_literals;
  Model model = WithKeys({"a"s, ""s, "a"s, "b\0"s, "c\n"s, "D"s});
  model.metadata[0].type = 7;
  model.metadata[0].payload = {2};
  model.Set(kAlignmentKey, std::uint32_t{4}).Set("e", "\xFF");
  EXPECT_THAT(Judge(model).Rules(),
              ElementsAre("alignment-small", "bool-value", "key-characters", "key-duplicate",
                          "key-empty", "key-nul", "key-style", "string-utf8"));
}

}  // namespace
}  // namespace ggufgate::testing
