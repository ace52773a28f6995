#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mutate/file/draft.h"

namespace ggufgate::mutate {

// KeyIs returns whether a key has this name after its architecture. A name that begins with "/" has
// no architecture in front.
[[nodiscard]] bool KeyIs(std::string_view key, std::string_view architecture,
                         std::string_view name);

// Quantities are the numbers that determine the dimensions of tensors: the hyper-parameters of a
// model, and the words of lines "shape" (format/contracts/contract.h). The code is independent of
// the gate's, so that each tests the other.
class Quantities {
 public:
  // Views its arguments.
  Quantities(std::span<const Entry> entries, std::string_view architecture, std::uint64_t tokens)
      : entries_(entries), architecture_(architecture), tokens_(tokens) {}

  [[nodiscard]] const Entry* Find(std::string_view name) const;
  // At returns the number of a key for a layer; nullopt without the key.
  [[nodiscard]] std::optional<std::uint64_t> At(std::string_view name, std::uint64_t layer) const;
  // Product returns the value of a reading such as "2*attention.head_count*key_width". It returns
  // nullopt if the value is unknown or exceeds the limit of a dimension.
  [[nodiscard]] std::optional<std::uint64_t> Product(std::string_view reading,
                                                     std::uint64_t layer) const;

 private:
  [[nodiscard]] std::optional<std::uint64_t> Quantity(std::string_view word,
                                                      std::uint64_t layer) const;
  [[nodiscard]] std::uint64_t Width(std::string_view name) const;
  [[nodiscard]] std::uint64_t KeyValueHeads(std::uint64_t layer) const;

  std::span<const Entry> entries_;
  std::string_view architecture_;
  std::uint64_t tokens_;
};

}  // namespace ggufgate::mutate
