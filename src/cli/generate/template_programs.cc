#include "cli/generate/template_programs.h"

#include <array>
#include <nlohmann/json.hpp>

#include "cli/into_file.h"
#include "mutate/generate/program/template_program.h"

namespace ggufgate {
namespace {

void WritePrograms(const TemplateOptions& options, std::ostream& out) {
  std::array<std::uint8_t, mutate::kTemplateProgramRoom> room{};
  const auto plan =
      options.broken ? mutate::TemplatePlan::kBroken : mutate::TemplatePlan::kHarmless;
  for (std::uint64_t i = 0; i < options.count && out.good(); ++i) {
    const std::uint64_t seed = options.seed + i;  // after the largest number comes 0
    const mutate::TemplateProgram program = mutate::TemplateProgramOf(seed, plan, room);
    nlohmann::ordered_json line = {{"seed", seed}, {"template", program.text}};
    if (!program.rule.empty()) line["rule"] = program.rule;
    out << line.dump() << '\n';
  }
}

}  // namespace

int WriteTemplatePrograms(const TemplateOptions& options, const std::string& output,
                          const Streams& streams) {
  return IntoFile(output, [&](std::ostream& out) { WritePrograms(options, out); }, streams);
}

}  // namespace ggufgate
