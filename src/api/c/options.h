#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gate/judge_options.h"
#include "ggufgate/ggufgate.h"

namespace ggufgate::api {

// Wanted is what a caller asks for, in our words.
struct Wanted {
  JudgeOptions judge;
  std::string name;
  unsigned jobs = 1;
  bool open_rejected = false;
  std::int32_t second_opinion = GGUFGATE_SECOND_OPINION_SMALL;
  unsigned timeout_ms = 0;  // 0: none
};

// WantedBy reads options, or the defaults of NULL. `name` is what the file is called where they
// have no name. Nothing where a number is none of the header's, or the struct is not one of this
// version: what an option of a newer one asks for must not be passed over.
[[nodiscard]] std::optional<Wanted> WantedBy(const ggufgate_options* options, const char* name);

}  // namespace ggufgate::api
