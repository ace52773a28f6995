// Several programs use one number for different tensor types. The file has signs of its writer: its
// architecture, the sizes of its tensors, its other types and general.file_type.

#include "check/rules/tensor_directory/foreign_types.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "bytes/checked.h"
#include "format/tensors/foreign_type.h"

namespace ggufgate {
namespace {

using Meanings = std::vector<ForeignType>;

// Likelihood is how one sign judges a meaning.
enum class Likelihood : std::uint8_t { kContradicted, kOpen, kConfirmed };

// KeepLikeliest removes the meanings that a sign makes less likely than others.
template <typename Sign>
void KeepLikeliest(Meanings& meanings, Sign sign) {
  std::vector<std::uint64_t> said;
  said.reserve(meanings.size());
  for (const ForeignType& meaning : meanings) {
    said.push_back(static_cast<std::uint64_t>(sign(meaning)));
  }
  const std::uint64_t most = *std::ranges::max_element(said);
  Meanings kept;
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (said[i] == most) kept.push_back(meanings[i]);
  }
  meanings = std::move(kept);
}

// BytesOf is the size of a tensor in a layout; nullopt where it has none.
std::optional<std::uint64_t> BytesOf(const TensorInfo& tensor, const ForeignType& type) {
  std::optional<std::uint64_t> rows = 1;
  for (const std::uint64_t dim : std::span(tensor.dims).subspan(1)) {
    if (rows) rows = CheckedMul(*rows, dim);
  }
  const std::uint64_t row = tensor.dims.front();
  if (!rows || row % type.block_elements != 0) return std::nullopt;
  const auto blocks = CheckedMul(row / type.block_elements, type.block_bytes);
  const auto row_bytes = blocks ? CheckedAdd(*blocks, type.row_bytes) : std::nullopt;
  const auto bytes = row_bytes ? CheckedMul(*row_bytes, *rows) : std::nullopt;
  return bytes ? CheckedAdd(*bytes, type.tensor_bytes) : std::nullopt;
}

// LayoutSays compares the sizes of a meaning with the offsets of the tensors behind.
Likelihood LayoutSays(const Document& document, const ForeignType& type) {
  if (type.block_elements == 0 || !document.alignment) return Likelihood::kOpen;
  Likelihood said = Likelihood::kOpen;
  const std::vector<TensorInfo>& tensors = document.tensors;
  for (std::size_t i = 0; i + 1 < tensors.size(); ++i) {
    if (tensors[i].type_id != type.id || tensors[i + 1].offset < tensors[i].offset) continue;
    const std::optional<std::uint64_t> bytes = BytesOf(tensors[i], type);
    const auto padded = bytes ? CheckedAlignUp(*bytes, *document.alignment) : std::nullopt;
    if (padded != tensors[i + 1].offset - tensors[i].offset) return Likelihood::kContradicted;
    said = Likelihood::kConfirmed;
  }
  return said;
}

Likelihood ArchitectureSays(std::string_view architecture, const ForeignType& type) {
  if (type.architectures.empty()) return Likelihood::kOpen;
  for (std::string_view rest = type.architectures; !rest.empty();) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, blank) == architecture) return Likelihood::kConfirmed;
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
  return Likelihood::kContradicted;
}

// TypesByOwner counts the types of the file that each owner gives a meaning.
std::vector<std::uint64_t> TypesByOwner(const Document& document) {
  std::vector<std::uint64_t> counts(TypeOwnerCount());
  std::unordered_set<std::uint32_t> seen;
  for (const TensorInfo& tensor : document.tensors) {
    if (ForeignTypesOf(tensor.type_id).empty() || !seen.insert(tensor.type_id).second) continue;
    std::unordered_set<TypeOwner> owners;
    for (const ForeignType& meaning : ForeignTypesOf(tensor.type_id)) {
      if (owners.insert(meaning.owner).second) ++counts[static_cast<std::size_t>(meaning.owner)];
    }
  }
  return counts;
}

Meanings FindOwners(const Context& context, std::uint32_t type_id) {
  const auto all = ForeignTypesOf(type_id);
  Meanings meanings(all.begin(), all.end());
  if (meanings.size() < 2) return meanings;
  const Document& document = context.document;
  const std::string_view architecture = context.parameters.architecture();
  const std::vector<std::uint64_t> counts = TypesByOwner(document);
  const MetadataEntry* entry = document.Find("general.file_type");
  const std::uint64_t file_type =
      entry != nullptr ? document.UnsignedOf(*entry).value_or(0) : std::uint64_t{0};
  KeepLikeliest(meanings,
                [&](const ForeignType& type) { return ArchitectureSays(architecture, type); });
  KeepLikeliest(meanings, [&](const ForeignType& type) { return LayoutSays(document, type); });
  KeepLikeliest(meanings, [&](const ForeignType& type) {
    return counts[static_cast<std::size_t>(type.owner)];
  });
  KeepLikeliest(meanings, [&](const ForeignType& type) {
    return type.file_type != 0 && type.file_type == file_type;
  });
  return meanings;
}

// TextOf lists meanings: "I2_S of bitnet.cpp or of ik_llama.cpp".
std::string TextOf(const Meanings& meanings) {
  std::string text;
  std::string_view name;
  for (const ForeignType& meaning : meanings) {
    if (!text.empty()) text += " or";
    if (meaning.name != name) text.append(text.empty() ? "" : " ").append(meaning.name);
    name = meaning.name;
    text += InfoOf(meaning.owner).text;
  }
  return text;
}

Cause CauseOf(const Meanings& meanings, std::uint32_t type_id) {
  const bool runs = std::ranges::any_of(
      meanings, [](const ForeignType& meaning) { return InfoOf(meaning.owner).runs; });
  const bool ollama = meanings.size() == 1 && meanings.front().owner == TypeOwner::kOllama;
  Cause::Kind kind = Cause::Kind::kRemovedType;
  if (runs) kind = ollama ? Cause::Kind::kOllamaType : Cause::Kind::kForeignType;
  return {.kind = kind, .a = type_id, .other = TextOf(meanings)};
}

// CausesByType are made once for each type of the file.
struct CausesByType {
  std::unordered_map<std::uint32_t, Cause> causes;
};

CausesByType FindCauses(const Context& context) {
  CausesByType found;
  for (const TensorInfo& tensor : context.document.tensors) {
    const std::uint32_t id = tensor.type_id;
    if (ForeignTypesOf(id).empty() || found.causes.contains(id)) continue;
    found.causes.emplace(id, CauseOf(FindOwners(context, id), id));
  }
  return found;
}

}  // namespace

Cause CauseOfType(const Context& context, std::uint32_t type_id) {
  const auto& all = context.cache.Get<CausesByType>([&] { return FindCauses(context); });
  const auto found = all.causes.find(type_id);
  if (found != all.causes.end()) return found->second;
  return {.kind = Cause::Kind::kUnknownType, .a = type_id};
}

}  // namespace ggufgate
