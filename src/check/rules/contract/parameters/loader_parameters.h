#pragma once

// The hyper-parameters of a file as llama.cpp reads them, with its default values for absent keys.
// Not for users of the library.
//
// Source: llama_model_base::load_hparams in src/llama-model.cpp of llama.cpp v0.5.0, and
// src/llama-hparams.h.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "parse/document.h"

namespace ggufgate {

struct Context;

// Number holds products of three u32 without overflow.
__extension__ using Number = __int128;

// AsInt converts a u32 as code that stores it in an int does.
[[nodiscard]] constexpr Number AsInt(Number value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

// LayerOf returns the number in "blk.N.…", if it is within the maximum number of layers.
[[nodiscard]] std::optional<Number> LayerOf(std::string_view tensor);

// IsLoaderParameter returns whether LoaderParameters finds a key: keys of the architecture, and
// those of xIELU, which have no architecture in front.
[[nodiscard]] bool IsLoaderParameter(std::string_view key, std::string_view architecture);

class LoaderParameters {
 public:
  // Views the document, whose architecture is `architecture`. Takes n log n in its keys.
  LoaderParameters(const Document& document, std::string_view architecture);

  // Find returns the entry of `{arch}.` and `name`, or of `name` alone, or nullptr.
  [[nodiscard]] const MetadataEntry* Find(std::string_view name) const;
  [[nodiscard]] bool Has(std::string_view name) const { return Find(name) != nullptr; }

  // Readable returns whether the loader accepts the type of a key. If not, it refuses the file, and
  // the value does not matter.
  [[nodiscard]] bool Readable(std::string_view name) const;

  // Value returns the number of a key, the first element of an array, or `absent` without the key.
  [[nodiscard]] Number Value(std::string_view name, Number absent = 0) const;
  // At returns the number of a key for a layer: the element of an array, or the one number for all.
  [[nodiscard]] Number At(std::string_view name, Number layer, Number absent = 0) const;
  // SignedAt is the same as the loader reads it into an int.
  [[nodiscard]] Number SignedAt(std::string_view name, Number layer) const;
  // Most returns the greatest number of a key in any layer.
  [[nodiscard]] Number Most(std::string_view name, Number absent = 0) const;
  // Count returns the number of elements of an array, 0 for other types.
  [[nodiscard]] Number Count(std::string_view name) const;
  [[nodiscard]] bool IsArray(std::string_view name) const;
  [[nodiscard]] bool HasArrays() const;  // any key of the architecture
  [[nodiscard]] float Real(std::string_view name, float absent) const;
  [[nodiscard]] std::string_view Text(std::string_view name, std::string_view absent) const;

  // Dimension returns a dimension of a tensor, 0 if there is no such tensor. Linear in the tensors.
  [[nodiscard]] Number Dimension(std::string_view tensor, std::size_t dimension) const;

  // HasExperts returns whether a layer, or any layer, has a tensor of experts ("_exps"). Tensors
  // returns the number of all tensors. For a first shard they assume the other shards: some layer
  // has experts, and the number of tensors is the total that the file states for all shards.
  [[nodiscard]] bool HasExperts(Number layer) const;
  [[nodiscard]] bool HasExperts() const;
  [[nodiscard]] Number Tensors() const;
  [[nodiscard]] const Document& document() const { return document_; }

  [[nodiscard]] std::string_view architecture() const { return architecture_; }
  // all_layers is block_count, limited to 1 to 512. layers excludes those that predict further
  // tokens, and is at least 1.
  [[nodiscard]] Number all_layers() const { return all_layers_; }
  [[nodiscard]] Number layers() const { return layers_; }
  // FirstNextLayer returns the first layer that predicts further tokens, or all_layers.
  [[nodiscard]] Number FirstNextLayer() const { return first_next_layer_; }

  // The results of load_hparams(). Heads and widths are those of layer `layer`.
  [[nodiscard]] Number Embedding() const { return Value("embedding_length"); }
  [[nodiscard]] Number Heads(Number layer = 0) const { return At("attention.head_count", layer); }
  [[nodiscard]] Number KeyValueHeads(Number layer = 0) const;
  [[nodiscard]] Number KeyWidth() const;        // per head
  [[nodiscard]] Number ValueWidth() const;      // per head
  [[nodiscard]] Number Rotated() const;         // rotated dimensions of a head
  [[nodiscard]] Number WindowKeyWidth() const;  // the same for layers with a sliding window
  [[nodiscard]] Number WindowValueWidth() const;
  [[nodiscard]] Number WindowRotated() const;

 private:
  struct Entry {
    std::string_view name;  // without the architecture
    const MetadataEntry* entry;
  };

  [[nodiscard]] Number WidthOf(std::string_view name) const;
  [[nodiscard]] std::optional<Number> Element(const MetadataEntry& entry, Number index) const;

  const Document& document_;
  std::string_view architecture_;
  std::vector<Entry> entries_;  // sorted by name
  Number all_layers_ = 1;
  Number layers_ = 1;
  Number first_next_layer_ = 1;
  std::vector<bool> layers_with_experts_;
};

// LoaderParametersOf returns those of the file's own architecture. They do not depend on a loader's
// release.
[[nodiscard]] const LoaderParameters& LoaderParametersOf(const Context& context);

}  // namespace ggufgate
