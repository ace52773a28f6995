#pragma once

// The hyper-parameters and the kind of one file, for several rules. Not for users of the library.

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/architecture.h"
#include "parse/document.h"

namespace ggufgate {

// HyperParameters finds keys of the form `{arch}.NAME`. It views the document.
class HyperParameters {
 public:
  explicit HyperParameters(const Document& document);

  // Empty if the architecture is absent or not a string.
  [[nodiscard]] std::string_view architecture() const { return architecture_; }
  // Facts about the architecture; nullptr if it is unknown.
  [[nodiscard]] const ArchitectureInfo* info() const { return info_; }

  // Find returns the entry of `{arch}.` and `name`, or nullptr. Time is linear in the keys, so a
  // rule may make only a bounded number of calls.
  [[nodiscard]] const MetadataEntry* Find(std::string_view name) const;

  // Unsigned returns the value of a scalar integer that is not negative.
  [[nodiscard]] std::optional<std::uint64_t> Unsigned(std::string_view name) const;

  // Layers returns block_count if a loader accepts it: 1 to kMostLayers.
  [[nodiscard]] std::optional<std::uint64_t> Layers() const;
  // LayersThatRead returns the number of layers without those at the end that predict further
  // tokens (nextn_predict_layers): at least 1. If the key would leave no layer, it returns all
  // layers: then llama.cpp v0.5.0 aborts in an assertion or refuses the file.
  [[nodiscard]] std::optional<std::uint64_t> LayersThatRead() const;

 private:
  const Document& document_;
  std::string_view architecture_;
  const ArchitectureInfo* info_;
};

// The kind of a file depends on the facts that loaders read. llama.cpp reads `general.type` only to
// load an adapter. It loads a model regardless of its value. So the key can enable a rule, but
// never disables one.

// ClaimsAdapter returns whether a key declares the file an adapter.
[[nodiscard]] bool ClaimsAdapter(const Document& document);

// HasOtherShards returns whether the file is one of several shards, so that other files may have
// the tensors that it lacks. Such a file has both keys, each a u16, and `split.no` is less than
// `split.count`. llama.cpp refuses other values, and ignores `split.no` if `split.count` is below
// 2.
[[nodiscard]] bool HasOtherShards(const Document& document);
// IsFurtherShard is true for shards after the first. The metadata of the first shard apply to all.
[[nodiscard]] bool IsFurtherShard(const Document& document);

// IsHalf returns whether a tensor is one half of a pair of a LoRA adapter.
[[nodiscard]] bool IsHalf(const TensorInfo& tensor);
// IsSidecar is true if all tensors of a file belong to a LoRA adapter (halves and norms), to an
// importance matrix, or to a control vector. It is false for a file without tensors.
[[nodiscard]] bool IsSidecar(const Document& document);

// HasAllMetadata returns whether the metadata were read to their end. If so, a key that was not
// found is absent.
[[nodiscard]] bool HasAllMetadata(const Document& document);

// IsWhole returns whether the metadata and the directory were read to their end.
[[nodiscard]] bool IsWhole(const Document& document);

// DividesByHeads returns whether llama.cpp divides by the heads of the first layer while it reads
// the hyper-parameters or creates the tensors. Source: src/models/phimoe.cpp, olmo2.cpp,
// gemma2.cpp, gemma3.cpp; the last two only in sizes that scale attention by the head width.
// Defined in divisors.cc.
[[nodiscard]] bool DividesByHeads(const HyperParameters& parameters);

}  // namespace ggufgate
