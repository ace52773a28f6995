#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gate/judge_options.h"
#include "ggufgate/ggufgate.h"

namespace ggufgate::api {

// Wanted holds the options of a caller in internal types.
struct Wanted {
  JudgeOptions judge;
  std::string name;
  unsigned jobs = 1;
  bool open_rejected = false;
  std::int32_t second_opinion = GGUFGATE_SECOND_OPINION_SMALL;
  unsigned timeout_ms = 0;  // 0: no limit
};

// WantedBy converts options, or uses the defaults for NULL. `name` is the name of the file if the
// options have none. It returns nullopt if an enumeration has an unknown value, or if the struct
// belongs to another version, because options of a newer version must not be ignored.
[[nodiscard]] std::optional<Wanted> WantedBy(const ggufgate_options* options, const char* name);

}  // namespace ggufgate::api
