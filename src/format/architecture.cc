#include "format/architecture.h"

#include <algorithm>
#include <array>

namespace ggufgate {
namespace {

constexpr std::array kArchitectures = {
#define GGUFGATE_ARCHITECTURE(name, attention, heads_divide, embeddings, divisors) \
  ArchitectureInfo{name, attention, heads_divide, embeddings, divisors},
#include "format/architectures.def"
#undef GGUFGATE_ARCHITECTURE
};

}  // namespace

std::span<const ArchitectureInfo> AllArchitectures() { return kArchitectures; }

const ArchitectureInfo* FindArchitecture(std::string_view name) {
  const auto found = std::ranges::find(kArchitectures, name, &ArchitectureInfo::name);
  return found != kArchitectures.end() ? &*found : nullptr;
}

}  // namespace ggufgate
