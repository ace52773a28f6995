// Rules about keys and tensor names that other readers change.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

TEST(KeyPrototype, AnySegment) {
  for (const char* key : {"__proto__", "a.__proto__", "__proto__.a", "a.constructor.b",
                          "tokenizer.__proto__.chat_template", "prototype", "a.b.prototype"}) {
    EXPECT_THAT(RulesFired(WithKeys({key})), ElementsAre("key-prototype")) << key;
  }
  for (const char* key : {"__proto", "proto", "_proto__.a", "constructors", "a.prototyp",
                          "a.my_prototype.b", "__proto__x"}) {
    EXPECT_THAT(RulesFired(WithKeys({key})), IsEmpty()) << key;
  }
}

TEST(KeyPrototype, PointsAtTheSegment) {
  const Model model = WithKeys({"a", "ab.__proto__.c"});
  const Finding finding = Judge(model).Only(RuleId::kKeyPrototype);
  EXPECT_THAT(finding, Tells({KeyAt(model, 1) + 3, 9}, Text("__proto__")));
  EXPECT_EQ(Describe(finding.subject), "metadata 1 \"ab.__proto__.c\"");
  EXPECT_EQ(Severities(model, RuleId::kKeyPrototype), "error warning warning");
}

TEST(KeyReaderField, WholeKeysAndOnePrefix) {
  for (const char* key :
       {"version", "tensor_count", "kv_count", "tensorCount", "GGUF.version", "GGUF.x"}) {
    const Model model = WithKeys({key});
    EXPECT_THAT(RulesFired(model), ElementsAre("key-reader-field")) << key;
    EXPECT_EQ(Severities(model, RuleId::kKeyReaderField), "warning warning warning");
    EXPECT_EQ(Judge(model).Only(RuleId::kKeyReaderField).where,
              (ByteRange{KeyAt(model, 0), std::string(key).size()}));
  }
  for (const char* key :
       {"general.version", "versions", "gguf.version", "GGUF", "tensor_counts", "version.x"}) {
    EXPECT_THAT(RulesFired(WithKeys({key})), IsEmpty()) << key;
  }
}

TEST(KeyAlike, NamesTheFirst) {
  const Model model = WithKeys({"x", "a.b", "A.b", "a.B ", "a.b"});
  EXPECT_THAT(RulesFired(model), ElementsAre("key-alike", "key-duplicate"));
  const std::vector<Finding> findings = FindingsOf(Judge(model), RuleId::kKeyAlike);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].where, (ByteRange{KeyAt(model, 2), 3}));
  EXPECT_EQ(Describe(findings[1].subject), "metadata 3 \"a.B \"");
  EXPECT_EQ(findings[1].observed, Number(1));
  EXPECT_EQ(findings[1].other, Text("a.b"));
  EXPECT_EQ(Severities(model, RuleId::kKeyAlike), "warning warning warning");

  EXPECT_THAT(RulesFired(WithKeys({"a.b", "A.c", " a.d", "ab"})), IsEmpty());
}

TEST(KeyAlike, LeavesDuplicatesToTheirRule) {
  EXPECT_THAT(RulesFired(WithKeys({"A.b", "A.b"})), ElementsAre("key-duplicate"));
}

TEST(TensorNameInvisible, WhatIsNotSeen) {
  for (const char* unseen :
       {"\u00AD", "\u034F", "\u061C", "\u115F",     "\u180E",     "\u200B",    "\u200F",
        "\u202A", "\u202E", "\u2060", "\u2069",     "\u206F",     "\u3164",    "\uFE00",
        "\uFE0F", "\uFEFF", "\uFFA0", "\U0001D173", "\U000E0041", "\U000E01EF"}) {
    for (const std::string& name : {unseen + std::string("w"), "w" + std::string(unseen)}) {
      EXPECT_THAT(RulesFired(WithNames({name})), ElementsAre("tensor-name-invisible")) << name;
    }
  }
  for (const char* seen :
       {"\u00AC", "\u00AE", "\u0350", "\u200A", "\u2010", "\u2029", "\u202F", "\u205F", "\u2070",
        "\u3163", "\uFE10", "\uFEFE", "\uFF9F", "\U000DFFFF", "\U000F0000"}) {
    EXPECT_THAT(RulesFired(WithNames({"w" + std::string(seen)})), IsEmpty()) << seen;
  }
}

TEST(TensorNameInvisible, PointsAtTheFirst) {
  const Model model = WithNames({"\u00E9\u200B\uFEFF"});
  EXPECT_THAT(Judge(model).Only(RuleId::kTensorNameInvisible),
              Tells({NameAt(model, 0) + 2, 3}, Number(0x200B), _, Number(2)));
  EXPECT_EQ(Severities(model, RuleId::kTensorNameInvisible), "error warning warning");
  // Another rule reports invalid UTF-8. Readers drop a mark at its beginning in any case.
  EXPECT_THAT(RulesFired(WithNames({"a\u200B\xFF"})), ElementsAre("tensor-name-utf8"));
  EXPECT_THAT(RulesFired(WithNames({"\uFEFF\xFF"})),
              ElementsAre("tensor-name-invisible", "tensor-name-utf8"));
}

TEST(TensorNameUtf8, PointsAtTheFirstByte) {
  const Model model = WithNames({"weight", "w\u00FF\xC3"});
  EXPECT_THAT(SoleFinding(model, RuleId::kTensorNameUtf8),
              Tells({NameAt(model, 1) + 3, 1}, Number(0xC3), _, Number(3)));
  EXPECT_EQ(Severities(model, RuleId::kTensorNameUtf8), "error warning error");
}

TEST(TensorNameAlike, CaseFormAndSpace) {
  const std::vector<std::vector<std::string>> alike = {{"w", "W"},
                                                       {"w", " w"},
                                                       {"w", "w\u3000"},
                                                       {"\u00C9", "e\u0301"},
                                                       {"\uFF37", "w"},
                                                       {"\uFB01", "fi"},
                                                       {"\u212A", "k"},
                                                       {"\u00DF", "SS"},
                                                       {"\uAC01", "\u1100\u1161\u11A8"}};
  for (const std::vector<std::string>& names : alike) {
    const Model model = WithNames(names);
    EXPECT_THAT(RulesFired(model), ElementsAre("tensor-name-alike")) << names[0];
    EXPECT_THAT(Judge(model).Only(RuleId::kTensorNameAlike),
                Tells({NameAt(model, 1), names[1].size()}, Number(0), _, Text(names[0])));
  }
  for (const std::vector<std::string>& names : std::vector<std::vector<std::string>>{
           {"w", "W1"}, {"\u00C9", "e"}, {"w", "w w"}, {"\u0430", "a"}, {"\u0131", "i"}}) {
    EXPECT_THAT(RulesFired(WithNames(names)), IsEmpty()) << names[0];
  }
}

TEST(TensorNameAlike, AmongThousands) {
  std::vector<std::string> names;
  for (int i = 0; i < 3000; ++i) names.push_back("Blk." + std::to_string(i));
  EXPECT_THAT(RulesFired(WithNames(names)), IsEmpty());
  names.emplace_back("blk.1234");
  const Finding finding = Judge(WithNames(names)).Only(RuleId::kTensorNameAlike);
  EXPECT_EQ(finding.subject.index, 3000U);
  EXPECT_EQ(finding.observed, Number(1234));
}

// Too many for the filter, which gives up.
TEST(TensorNameAlike, WhereAllAreAlike) {
  std::vector<std::string> names;
  for (int i = 0; i < 1024; ++i) {
    std::string name = "abcdefghij";
    for (std::size_t bit = 0; bit < name.size(); ++bit) {
      if ((i >> bit & 1) != 0) name[bit] = static_cast<char>(name[bit] - 'a' + 'A');
    }
    names.push_back(name);
  }
  EXPECT_EQ(TotalOf(Judge(WithNames(names)), RuleId::kTensorNameAlike), 1023U);
}

}  // namespace
}  // namespace ggufgate::testing
