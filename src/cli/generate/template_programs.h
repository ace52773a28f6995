#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/command_line.h"

namespace ggufgate {

// TemplateOptions are what `generate --templates` is asked for; 0 templates: it is not.
struct TemplateOptions {
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  bool broken = false;
  std::optional<CommandOption> seed_option;  // set where the options are declared
};

// WriteTemplatePrograms writes a line of JSON for each program, of this seed and those behind it.
[[nodiscard]] int WriteTemplatePrograms(const TemplateOptions& options, const std::string& output,
                                        const Streams& streams);

}  // namespace ggufgate
