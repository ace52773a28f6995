#pragma once

// What the exports of the module share: the one file that an instance is about, and the text that
// was asked for last.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gate/steps/judging.h"
#include "parse/regions.h"

// Defines a function that JavaScript may call by its name.
#define GGUFGATE_EXPORT(type, name, ...)                                 \
  extern "C" __attribute__((export_name(#name))) type name(__VA_ARGS__); \
  type name(__VA_ARGS__)

namespace ggufgate::module {

struct Session {
  std::unique_ptr<Judging> judging;
  std::string text;             // see gate_text()
  std::vector<Region> regions;  // made when they are first asked for
};

[[nodiscard]] Session& Current();

// Answer keeps a text for gate_text() and gives its length.
std::uint32_t Answer(std::string text);

}  // namespace ggufgate::module
