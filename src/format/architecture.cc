#include "format/architecture.h"

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

}  // namespace

std::span<const ArchitectureInfo> AllArchitectures() { return kArchitectures; }

const ArchitectureInfo* FindArchitecture(std::string_view name) {
  const std::uint16_t index = kByName.Find(name);
  return index != kByName.kNone ? &kArchitectures.at(index) : nullptr;
}

}  // namespace ggufgate
