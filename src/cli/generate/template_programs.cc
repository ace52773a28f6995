#include "cli/generate/template_programs.h"

#include <array>
#include <nlohmann/json.hpp>

#include "cli/output_file.h"
#include "mutate/generate/program/template_program.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

void WritePrograms(const TemplateOptions& options, std::ostream& out) {
  std::array<std::uint8_t, mutate::kTemplateProgramRoom> room{};
  const auto plan =
      options.broken ? mutate::TemplatePlan::kBroken : mutate::TemplatePlan::kHarmless;
  for (std::uint64_t i = 0; i < options.count && out.good(); ++i) {
    const std::uint64_t seed = options.seed + i;  // behind the last comes 0
    const mutate::TemplateProgram program = mutate::TemplateProgramOf(seed, plan, room);
    nlohmann::ordered_json line = {{"seed", seed}, {"template", program.text}};
    if (!program.rule.empty()) line["rule"] = program.rule;
    out << line.dump() << '\n';
  }
}

}  // namespace

int WriteTemplatePrograms(const TemplateOptions& options, const std::string& output,
                          const Streams& streams) {
  const auto failed = [&](const absl::Status& status) {
    streams.error << "ggufgate: cannot write " << EscapeText(output) << ": "
                  << EscapeText(std::string(status.message())) << '\n';
    return kExitUndecided;
  };
  const auto file = OutputFile::Create(output, {});
  if (!file.ok()) return failed(file.status());
  WritePrograms(options, (*file)->stream());
  const absl::Status committed = (*file)->Commit();
  return committed.ok() ? kExitAccept : failed(committed);
}

}  // namespace ggufgate
