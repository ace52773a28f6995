#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "api/c/guarded.h"
#include "bytes/bytes.h"

namespace ggufgate::api {

// NameIndex finds the first record with a name. It views the names.
//
// Abseil's hash is different in each process, so nobody can make a file whose names all have the
// same hash.
class NameIndex {
 public:
  template <typename Records, typename Name>
  NameIndex(const Records& records, Name name) {
    places_.reserve(records.size());
    std::uint64_t place = 0;
    for (const auto& record : records) places_.try_emplace(record.*name, place++);
  }

  [[nodiscard]] std::optional<std::uint64_t> Find(std::string_view name) const {
    const auto found = places_.find(name);
    return found != places_.end() ? std::optional(found->second) : std::nullopt;
  }

 private:
  struct Hash {
    std::size_t operator()(std::string_view name) const {
      return absl::Hash<absl::string_view>()(absl::string_view(name.data(), name.size()));
    }
  };

  std::unordered_map<std::string_view, std::uint64_t, Hash> places_;
};

// FindName returns the index of the name that begins at `name`.
[[nodiscard]] inline ggufgate_status FindName(const NameIndex& names, const char* name,
                                              std::size_t size, std::uint64_t* index) {
  if (!IsMemory(name, size) || index == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  const std::optional<std::uint64_t> found = names.Find(AsText(BytesOf(name, size)));
  if (!found) return GGUFGATE_STATUS_NOT_FOUND;
  *index = *found;
  return GGUFGATE_STATUS_OK;
}

}  // namespace ggufgate::api
