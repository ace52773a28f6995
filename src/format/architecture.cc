#include "format/architecture.h"

#include <algorithm>
#include <array>

#include "format/by_length.h"

namespace ggufgate {
namespace {

constexpr std::array kArchitectures = {
#define GGUFGATE_ARCHITECTURE(name, attention, heads_divide, embeddings, divisors) \
  ArchitectureInfo{name, attention, heads_divide, embeddings, divisors},
#include "format/architectures.def"
#undef GGUFGATE_ARCHITECTURE
};

constexpr auto kSorted = [] {
  auto architectures = kArchitectures;
  std::ranges::sort(architectures, ByLength{}, &ArchitectureInfo::name);
  return architectures;
}();

}  // namespace

std::span<const ArchitectureInfo> AllArchitectures() { return kArchitectures; }

const ArchitectureInfo* FindArchitecture(std::string_view name) {
  const auto found =
      std::ranges::lower_bound(kSorted, name, ByLength{}, &ArchitectureInfo::name);
  return found != kSorted.end() && found->name == name ? &*found : nullptr;
}

}  // namespace ggufgate
