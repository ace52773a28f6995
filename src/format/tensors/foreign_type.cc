#include "format/tensors/foreign_type.h"

#include <algorithm>
#include <array>

namespace ggufgate {
namespace {

constexpr std::array kOwners = {
#define GGUFGATE_TYPE_OWNER(name, text, runs) TypeOwnerInfo{text, runs},
#include "format/tensors/type_owners.def"
#undef GGUFGATE_TYPE_OWNER
};

constexpr std::array kForeignTypes = {
#define GGUFGATE_FOREIGN_TYPE(id, name, owner) ForeignType{id, name, TypeOwner::k##owner},
#define GGUFGATE_SHARED_TYPE(id, name, owner, elements, bytes, row, tensor, architectures, ftype) \
  ForeignType{id, name, TypeOwner::k##owner, elements, bytes, row, tensor, architectures, ftype},
#include "format/tensors/foreign_types.def"
#undef GGUFGATE_SHARED_TYPE
#undef GGUFGATE_FOREIGN_TYPE
};

static_assert(std::ranges::is_sorted(kForeignTypes, {}, &ForeignType::id));

}  // namespace

const TypeOwnerInfo& InfoOf(TypeOwner owner) { return kOwners.at(static_cast<std::size_t>(owner)); }

std::size_t TypeOwnerCount() { return kOwners.size(); }

std::span<const ForeignType> ForeignTypesOf(std::uint32_t id) {
  return std::ranges::equal_range(kForeignTypes, id, {}, &ForeignType::id);
}

}  // namespace ggufgate
