// Rules about chat templates as a whole: they must be strings, and their code must be closed.

#include "tests/check/rules/chat_template/judged_template.h"

namespace ggufgate::testing {
namespace {

TEST(TemplateType, IsAString) {
  Model model;
  model.Set("general.architecture", "llama").Set(kTemplateKey, std::uint32_t{1});
  EXPECT_THAT(FindingsOf(Judge(model), RuleId::kTemplateType), SizeIs(1));
  EXPECT_THAT(Judge(model).Only(RuleId::kTemplateType),
              Tells({TypeAt(model, 1), 4}, Text("u32"), Text("string")));
  EXPECT_EQ(Severities(model, RuleId::kTemplateType), "error warning error");
  EXPECT_THAT(Fired("text"), IsEmpty());
}

TEST(TemplateType, NamedTemplatesHaveKeysOfTheirOwn) {
  const auto fires = [](std::string_view key) {
    Model model;
    model.Set("general.architecture", "llama").Set(key, std::vector<std::string>{"a"});
    return TotalOf(Judge(model), RuleId::kTemplateType);
  };
  EXPECT_EQ(fires("tokenizer.chat_template.tool_use"), 1U);
  EXPECT_EQ(fires("tokenizer.chat_template."), 1U);
  EXPECT_EQ(fires("tokenizer.chat_templates"), 0U);
  EXPECT_EQ(fires("tokenizer.chat_template_"), 0U);
  EXPECT_EQ(fires("tokenizer.chat"), 0U);
}

TEST(TemplateSyntax, CodeIsClosed) {
  using Says = TemplateSyntaxWording;
  constexpr RuleId kRule = RuleId::kTemplateSyntax;
  ExpectFinding(Says::kUnclosed, "a{{ b", 1, 2, Text("{{"));
  ExpectFinding(Says::kUnclosed, "a{% if b", 1, 2, Text("{%"));
  ExpectFinding(Says::kUnclosed, "a{# b", 1, 2, Text("{#"));
  ExpectFinding(Says::kUnclosed, "a{% raw %}{{ b }}", 1, 2, Text("{%"));
  ExpectFinding(Says::kUnclosed, "a{{ 'b }}", 1, 2, Text("{{"));
  ExpectFinding(Says::kBracket, "a{{ (b }}", 6 + 1, 1, Text("}"));
  ExpectFinding(Says::kBracket, "{{ b) }}", 4, 1, Text(")"));
  ExpectFinding(Says::kBracket, "{{ {]} }}", 4, 1, Text("]"));
  EXPECT_EQ(Severities(With("{{"), kRule), "error warning warning");
  for (const char* sound : {"{", "{ {", "}}", "%}", "#}", "{{ '}}' }}", "{# {{ #}", "{{ {'a':{}}}}",
                            "{% raw %}{{{% endraw %}", "{{ \"'\" }}'"}) {
    EXPECT_THAT(Fired(sound), IsEmpty()) << sound;
  }
}

// A tag, or the template in it, may end after any token, and no reader may read further.
TEST(TemplateSyntax, EndsAnywhere) {
  constexpr std::string_view kOutput =
      "{{ not -a.b['c'][1:2:3].d(e, f=g, *h)|i.j(k)|map(attribute='l') is not eq('m') is in ['n', {"
      "'o': 1.5}] if p ~ 'q' 'r' % (s, t) else range(1, 2, 3) ** u.format('{0[v]}', w=x) }}";
  constexpr std::string_view kStatements[] = {
      "{% for a, b in c.items() if d is defined recursive %}",
      "{% set ns.a | replace('b', c) %}",
      "{% set a, b = [1, 2], namespace(c='d') %}",
      "{% macro a(b, c=('d', e)) %}",
      "{% call(a) b(c, d=e) %}",
      "{% with a = b, c = d %}",
      "{% filter a|b('c') %}",
      "{% from 'a' import b as c %}",
      "{% if a is eq('b') and c is in ['d'] %}"};
  const auto cut_anywhere = [](std::string_view tag) {
    for (std::size_t size = 2; size < tag.size(); ++size) {
      for (const std::string_view end : {tag.substr(tag.size() - 2), std::string_view()}) {
        const std::string text = std::string(tag.substr(0, size)) + std::string(end);
        for (const std::string& rule : Judge(With(text)).Rules(Severity::kError)) {
          EXPECT_TRUE(rule.starts_with("template-")) << rule << ": " << text;
        }
      }
    }
  };
  cut_anywhere(kOutput);
  for (const std::string_view statement : kStatements) cut_anywhere(statement);
}

TEST(TemplateSyntax, IsNotAskedOfAFileThatWasMisread) {
  Model model = With("{{");
  model.metadata.push_back({.key = "k", .type = 13, .payload = {0}});
  EXPECT_EQ(TotalOf(Judge(model), RuleId::kTemplateSyntax), 0U);
}

}  // namespace
}  // namespace ggufgate::testing
