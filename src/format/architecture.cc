#include "format/architecture.h"

#include <algorithm>
#include <array>

#include "format/by_length.h"

namespace ggufgate {
namespace {

constexpr std::array kArchitectures = {
#define GGUFGATE_ARCHITECTURE(name, attention, heads_divide, embeddings, divisors) \
  ArchitectureInfo{name, attention, heads_divide, embeddings, divisors, false},
#define GGUFGATE_IMAGE_ARCHITECTURE(name) ArchitectureInfo{name, false, false, false, "", true},
#include "format/architectures.def"
#undef GGUFGATE_IMAGE_ARCHITECTURE
#undef GGUFGATE_ARCHITECTURE
};

constexpr auto NameOf(const ArchitectureInfo* info) { return info->name; }

constexpr auto kSorted = [] {
  std::array<const ArchitectureInfo*, kArchitectures.size()> sorted{};
  std::ranges::transform(kArchitectures, sorted.begin(),
                         [](const ArchitectureInfo& info) { return &info; });
  std::ranges::sort(sorted, ByLength{}, NameOf);
  return sorted;
}();

}  // namespace

std::span<const ArchitectureInfo> AllArchitectures() { return kArchitectures; }

const ArchitectureInfo* FindArchitecture(std::string_view name) {
  const auto found = std::ranges::lower_bound(kSorted, name, ByLength{}, NameOf);
  return found != kSorted.end() && NameOf(*found) == name ? *found : nullptr;
}

}  // namespace ggufgate
