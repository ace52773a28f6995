#pragma once

// The tensors of the layers of a file. Not for users of the library.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "check/rules/context.h"
#include "check/rules/contract/parameters/loader_parameters.h"
#include "check/rules/contract/tensors/tensor_patterns.h"

namespace ggufgate {

// FamilyOf returns the part of a layer that has a tensor: "ffn" of "blk.*.ffn_up.weight". All norms
// are one family, because a norm of one part may replace that of another (grok).
[[nodiscard]] inline std::string_view FamilyOf(std::string_view pattern) {
  constexpr std::string_view kLayer = "blk.*.";
  if (!pattern.starts_with(kLayer)) return {};
  pattern.remove_prefix(kLayer.size());
  if (pattern.find("norm") != std::string_view::npos) return "norm";
  return pattern.substr(0, pattern.find_first_of("._"));
}

// Layers has the patterns of the tensors of each layer "blk.N.".
class Layers {
 public:
  Layers(const Context& context, const TensorPatterns& patterns, std::size_t count)
      : patterns_(patterns.patterns()), layers_(count) {
    const std::vector<TensorInfo>& tensors = context.document.tensors;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const std::optional<Number> layer = LayerOf(tensors[i].name);
      if (!layer || *layer >= Number{count} || patterns.IndexOf(i) == TensorPatterns::kNone) {
        continue;
      }
      layers_[static_cast<std::size_t>(*layer)].push_back(patterns.IndexOf(i));
    }
    // A layer may have many tensors of one pattern, and few patterns bound the time of a search.
    for (std::vector<std::uint16_t>& layer : layers_) {
      std::ranges::sort(layer);
      layer.erase(std::unique(layer.begin(), layer.end()), layer.end());
    }
  }

  // IndexOf returns an index for Has(). No layer has the index of an unknown pattern.
  [[nodiscard]] std::uint16_t IndexOf(std::string_view pattern) const {
    return static_cast<std::uint16_t>(std::ranges::find(patterns_, pattern) - patterns_.begin());
  }

  // Has returns whether a layer has a tensor.
  [[nodiscard]] bool Has(std::size_t layer, std::uint16_t index) const {
    return std::ranges::binary_search(layers_.at(layer), index);
  }

  // AnyHas returns whether a layer has a tensor. Those that predict further tokens are not counted.
  [[nodiscard]] bool AnyHas(std::uint16_t index) const {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      if (Has(i, index)) return true;
    }
    return false;
  }

  // AreEmpty returns whether no layer has a tensor, as in a draft model of the further layers.
  [[nodiscard]] bool AreEmpty() const {
    return std::ranges::all_of(layers_, [](const auto& layer) { return layer.empty(); });
  }

  // OnlyWith returns the layers whose weights of a family all have a pattern in `weights`, in
  // increasing order.
  [[nodiscard]] std::vector<std::size_t> OnlyWith(
      std::string_view family, const std::unordered_set<std::string>& weights) const {
    std::vector<bool> known;
    for (const std::string& pattern : patterns_) {
      known.push_back(!pattern.ends_with(".weight") || FamilyOf(pattern) != family ||
                      weights.contains(pattern));
    }
    std::vector<std::size_t> only;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      if (std::ranges::all_of(layers_[i], [&](std::uint16_t index) { return known.at(index); })) {
        only.push_back(i);
      }
    }
    return only;
  }

  // Without returns the layers, in increasing order, that lack a tensor without a substitute:
  // another layer has the tensor and everything that they have.
  [[nodiscard]] std::vector<std::size_t> Without(std::string_view pattern) const {
    std::vector<std::size_t> without;
    const std::uint16_t index = IndexOf(pattern);
    const std::vector<std::uint16_t>* model = nullptr;
    for (const std::vector<std::uint16_t>& layer : layers_) {
      if (std::ranges::binary_search(layer, index) &&
          (model == nullptr || layer.size() > model->size())) {
        model = &layer;
      }
    }
    for (std::size_t i = 0; model != nullptr && i < layers_.size(); ++i) {
      const bool lacks = !std::ranges::binary_search(layers_[i], index);
      if (lacks && std::ranges::includes(*model, layers_[i])) without.push_back(i);
    }
    return without;
  }

 private:
  const std::vector<std::string>& patterns_;
  std::vector<std::vector<std::uint16_t>> layers_;
};

}  // namespace ggufgate
