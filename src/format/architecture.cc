#include "format/architecture.h"

#include <algorithm>
#include <array>

#include "format/name_table.h"

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

constexpr std::string_view NameAt(std::uint16_t index) { return kArchitectures.at(index).name; }

constexpr NameTable<NameAt, kArchitectures.size()> kByName;
static_assert(kByName.unique(), "an architecture occurs once in architectures.def");

constexpr auto kNewer = std::to_array<std::string_view>({
#define GGUFGATE_NEWER_ARCHITECTURE(name) name,
#include "format/newer_architectures.def"
#undef GGUFGATE_NEWER_ARCHITECTURE
});
static_assert(std::ranges::is_sorted(kNewer));

}  // namespace

std::span<const ArchitectureInfo> AllArchitectures() { return kArchitectures; }

const ArchitectureInfo* FindArchitecture(std::string_view name) {
  const std::uint16_t index = kByName.Find(name);
  return index != kByName.kNone ? &kArchitectures.at(index) : nullptr;
}

bool IsNewerArchitecture(std::string_view name) { return std::ranges::binary_search(kNewer, name); }

}  // namespace ggufgate
