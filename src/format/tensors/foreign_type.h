#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ggufgate {

// TypeOwner is who gave a tensor type its number: ggml once, or a fork.
enum class TypeOwner : std::uint8_t {
#define GGUFGATE_TYPE_OWNER(name, text, runs) k##name,
#include "format/tensors/type_owners.def"
#undef GGUFGATE_TYPE_OWNER
};

struct TypeOwnerInfo {
  std::string_view text;  // for people, behind the name of a type: " of bitnet.cpp"
  bool runs;              // a program of today loads the type
};

[[nodiscard]] const TypeOwnerInfo& InfoOf(TypeOwner owner);
[[nodiscard]] std::size_t TypeOwnerCount();

// ForeignType is a type of one owner, whose number the reference loader refuses.
struct ForeignType {
  std::uint32_t id;
  std::string_view name;
  TypeOwner owner;
  // The layout: no tensor is measured where block_elements is 0.
  std::uint32_t block_elements = 0;
  std::uint32_t block_bytes = 0;
  std::uint32_t row_bytes = 0;          // in addition, for each row
  std::uint32_t tensor_bytes = 0;       // in addition, for each tensor
  std::string_view architectures = {};  // the only ones, with blanks between; empty: any
  std::uint32_t file_type = 0;          // general.file_type of its files; 0: not known
};

// ForeignTypesOf are the meanings of a number, empty where nothing is known of it.
[[nodiscard]] std::span<const ForeignType> ForeignTypesOf(std::uint32_t id);

}  // namespace ggufgate
