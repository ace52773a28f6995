// ggufgate-rehearse.so: the library that `ggufgate rehearse MODEL -- COMMAND` starts a command
// with. It replaces the functions of rehearse/driver/interposed.cc in that program. It runs in the
// memory of somebody else, so it allocates nothing and needs the C library only.

#include <cstdlib>

#include "rehearse/driver/interposed.h"
#include "rehearse/driver_record.h"

namespace ggufgate::driver {
namespace {

// The linker calls this before the program begins. A program without the variable was not started
// by a rehearsal, and everything stays as it is.
[[gnu::constructor]] void Begin() {
  const char* const text = std::getenv(kPreloadedVariable);
  if (text == nullptr) return;
  char* rest = nullptr;
  const unsigned long long front_bytes = std::strtoull(text, &rest, 10);
  const bool repacks = *rest == ' ' && std::strtoul(rest, nullptr, 10) != 0;
  ReplaceWeights(kDriverStandIn, kDriverZeros, front_bytes);
  UseNextLookup(!repacks);
}

}  // namespace
}  // namespace ggufgate::driver
