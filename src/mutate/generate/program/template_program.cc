#include "mutate/generate/program/template_program.h"

#include <array>

#include "mutate/build/mutation_context.h"
#include "mutate/generate/program/statements.h"

namespace ggufgate::mutate {

TemplateProgram MakeTemplateProgram(Bytes choices, TemplatePlan plan, MutableBytes room) {
  program::Choices source(choices);
  program::Pen pen(room);
  program::Statements statements(source, pen, plan);
  const std::string_view rule = statements.Program();
  if (!pen.failed()) return {.text = pen.text(), .rule = rule};
  // An incomplete program is not valid.
  if (plan == TemplatePlan::kBroken) return {.text = "{{ lipsum }}", .rule = "template-injection"};
  return {.text = "{{ bos_token }}", .rule = {}};
}

TemplateProgram TemplateProgramOf(std::uint64_t seed, TemplatePlan plan, MutableBytes room) {
  Random random(seed);
  std::array<std::uint8_t, kTemplateProgramChoices> choices{};
  for (std::uint8_t& choice : choices) choice = static_cast<std::uint8_t>(random.Next());
  return MakeTemplateProgram(choices, plan, room);
}

}  // namespace ggufgate::mutate
