#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "mutate/naming.h"

namespace ggufgate::fuzz {

// Settings are the options in the environment. An unknown word is ignored, because it should not
// stop a campaign.
//
//   GGUFGATE_MUTATOR_MODE   havoc (default), consistent, one-lie, semi, raw, generate
//   GGUFGATE_MUTATOR_DATA   none, scales, full (default): lies that are visible if this much
//                           tensor data is checked
struct Settings {
  mutate::Mode mode = mutate::Mode::kMixed;
  mutate::DataNeeded data = mutate::DataNeeded::kFull;
};

inline Settings SettingsFromEnvironment() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? std::string_view(value) : std::string_view();
  };
  Settings settings;
  settings.mode = mutate::FindMode(variable("GGUFGATE_MUTATOR_MODE")).value_or(settings.mode);
  settings.data = mutate::FindDataNeeded(variable("GGUFGATE_MUTATOR_DATA")).value_or(settings.data);
  return settings;
}

}  // namespace ggufgate::fuzz
