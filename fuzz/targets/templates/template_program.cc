// template_program: the input selects the steps of a program in Jinja. The gate accepts harmless
// programs, and reports the rule that a program was made to break.

#include <algorithm>
#include <array>

#include "fuzz/support/target.h"
#include "jinja/template.h"
#include "mutate/generate/program/template_program.h"
#include "parse/model.h"
#include "tests/oracles/mutants.h"
#include "tests/oracles/verdict.h"

using namespace ggufgate;

namespace {

// Rejects tells whether a remark makes the gate reject. It excludes the remark that the gate has
// given up, which is not an error of the gate: docs/chat-templates.md.
bool Rejects(const TemplateRemark& remark) {
  using Kind = TemplateRemark::Kind;
  if (remark.name == "more than is followed") return false;
  switch (remark.kind) {
    case Kind::kSelfCallIf:
    case Kind::kPhrase:
    case Kind::kPhraseOfOther:
    case Kind::kOtherTemplate:
      return false;
    default:
      return true;
  }
}

fuzz::Judgement Judged(std::string_view text, std::vector<std::uint8_t>& file) {
  Model model;
  model.Set("general.architecture", "llama").Set("tokenizer.chat_template", text);
  file = Write(model);
  return fuzz::Judge(file);
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  std::array<std::uint8_t, mutate::kTemplateProgramRoom> room{};
  const auto harmless = mutate::MakeTemplateProgram(input, mutate::TemplatePlan::kHarmless, room);
  fuzz::Require(harmless.rule.empty() && !harmless.text.empty(),
                "a harmless program breaks no rule");
  fuzz::Require(std::ranges::none_of(ReadTemplate(harmless.text), Rejects),
                "a program that renders is no template that a rule rejects");
  std::vector<std::uint8_t> file;
  const auto broken = mutate::MakeTemplateProgram(input, mutate::TemplatePlan::kBroken, room);
  fuzz::Require(fuzz::Names(Judged(broken.text, file).checked.findings, broken.rule),
                "what a program does wrong is named");
}
