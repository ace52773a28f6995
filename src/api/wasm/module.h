#pragma once

// The state that the exports of the module share: the one file of an instance, and the last text
// requested.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gate/steps/judging.h"
#include "parse/regions.h"

// Defines a function that JavaScript calls by its name.
#define GGUFGATE_EXPORT(type, name, ...)                                 \
  extern "C" __attribute__((export_name(#name))) type name(__VA_ARGS__); \
  type name(__VA_ARGS__)

namespace ggufgate::module {

struct Session {
  std::unique_ptr<Judging> judging;
  std::string text;             // see gate_text()
  std::vector<Region> regions;  // made at the first request
};

[[nodiscard]] Session& Current();

// Answer keeps a text for gate_text() and returns its length.
std::uint32_t Answer(std::string text);

}  // namespace ggufgate::module
