#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/command_line.h"

namespace ggufgate {

// TemplateOptions are the options of `generate --templates`. `count` 0 means that the option is
// missing.
struct TemplateOptions {
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  bool broken = false;
  std::optional<CommandOption> seed_option;  // set when the options are declared
};

// WriteTemplatePrograms writes one line of JSON per program, for this seed and the following ones.
[[nodiscard]] int WriteTemplatePrograms(const TemplateOptions& options, const std::string& output,
                                        const Streams& streams);

}  // namespace ggufgate
