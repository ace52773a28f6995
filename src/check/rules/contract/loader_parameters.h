#pragma once

// The hyper-parameters of a file as llama.cpp reads them: every key with the value that it takes
// where the key is absent. Not for users of the library.
//
// Source: llama_model_base::load_hparams in src/llama-model.cpp of llama.cpp v0.5.0, and
// src/llama-hparams.h.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "parse/document.h"

namespace ggufgate {

// Number holds products of three u32 without wrapping.
__extension__ using Number = __int128;

// AsInt is what a u32 is to code that keeps it in an int.
[[nodiscard]] constexpr Number AsInt(Number value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

// LayerOf is the number in "blk.N.…", within the most layers that a model may have.
[[nodiscard]] std::optional<Number> LayerOf(std::string_view tensor);

// IsLoaderParameter is true of the keys that LoaderParameters finds: those of the architecture, and
// those of xIELU, which are asked for without it.
[[nodiscard]] bool IsLoaderParameter(std::string_view key, std::string_view architecture);

class LoaderParameters {
 public:
  // Views the document, whose architecture is `architecture`. Takes n log n in its keys.
  LoaderParameters(const Document& document, std::string_view architecture);

  // Find gives the entry of `{arch}.` and `name`, or of `name` alone, nullptr when there is none.
  [[nodiscard]] const MetadataEntry* Find(std::string_view name) const;
  [[nodiscard]] bool Has(std::string_view name) const { return Find(name) != nullptr; }

  // Readable tells whether the loader takes the type of a key that is there; where it does not, it
  // refuses the file, and what it would make of the value is no question.
  [[nodiscard]] bool Readable(std::string_view name) const;

  // Value is the number of a key, `absent` without the key. Of an array it is the first element.
  [[nodiscard]] Number Value(std::string_view name, Number absent = 0) const;
  // At is the number of a key in a layer: the element of an array, or the one number for all.
  [[nodiscard]] Number At(std::string_view name, Number layer, Number absent = 0) const;
  // SignedAt is the same as the loader reads it into an int.
  [[nodiscard]] Number SignedAt(std::string_view name, Number layer) const;
  // Most is the greatest number of a key in any layer.
  [[nodiscard]] Number Most(std::string_view name, Number absent = 0) const;
  // Count is the number of elements of an array, 0 for anything else.
  [[nodiscard]] Number Count(std::string_view name) const;
  [[nodiscard]] bool IsArray(std::string_view name) const;
  [[nodiscard]] bool HasArrays() const;  // any of the architecture's
  [[nodiscard]] float Real(std::string_view name, float absent) const;
  [[nodiscard]] std::string_view Text(std::string_view name, std::string_view absent) const;

  // Dimension is one of a tensor by name, 0 where there is no such tensor. Linear in the tensors.
  [[nodiscard]] Number Dimension(std::string_view tensor, std::size_t dimension) const;

  // HasExperts tells whether a layer, or any layer, has a tensor of experts ("_exps"); Tensors is
  // the number of all tensors. Of a first shard they are what the others may have: some layer has
  // experts, and there are as many tensors as the file says that all shards have.
  [[nodiscard]] bool HasExperts(Number layer) const;
  [[nodiscard]] bool HasExperts() const;
  [[nodiscard]] Number Tensors() const;
  [[nodiscard]] const Document& document() const { return document_; }

  [[nodiscard]] std::string_view architecture() const { return architecture_; }
  // all_layers is block_count, within 1 to 512; layers is what is left without those that predict
  // further tokens, at least 1.
  [[nodiscard]] Number all_layers() const { return all_layers_; }
  [[nodiscard]] Number layers() const { return layers_; }

  // What load_hparams() computes. Heads and widths are of layer `layer`.
  [[nodiscard]] Number Embedding() const { return Value("embedding_length"); }
  [[nodiscard]] Number Heads(Number layer = 0) const { return At("attention.head_count", layer); }
  [[nodiscard]] Number KeyValueHeads(Number layer = 0) const;
  [[nodiscard]] Number KeyWidth() const;        // of a head
  [[nodiscard]] Number ValueWidth() const;      // of a head
  [[nodiscard]] Number Rotated() const;         // dimensions of a head that rotary embedding turns
  [[nodiscard]] Number WindowKeyWidth() const;  // the same of layers with a sliding window
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
  std::vector<bool> layers_with_experts_;
};

}  // namespace ggufgate
