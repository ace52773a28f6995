#pragma once

#include <cstdint>
#include <string>

#include "cli/command_line.h"

namespace ggufgate {

// TemplateOptions are what `generate --templates` is asked for; 0 templates: it is not.
struct TemplateOptions {
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  bool broken = false;
  bool seed_given = false;
};

// WriteTemplatePrograms writes a line of JSON for each program, of this seed and those behind it.
[[nodiscard]] int WriteTemplatePrograms(const TemplateOptions& options, const std::string& output,
                                        const Streams& streams);

}  // namespace ggufgate
