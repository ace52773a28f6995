#pragma once

// The hyper-parameters of one file, and its kind, as several rules want them. Not for users of the
// library.

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

  // Empty when the file names no architecture, or names it by something that is no string.
  [[nodiscard]] std::string_view architecture() const { return architecture_; }
  // What is known of the architecture; nullptr when nothing is.
  [[nodiscard]] const ArchitectureInfo* info() const { return info_; }

  // Find gives the entry of `{arch}.` and `name`, nullptr when there is none. Linear in the keys: a
  // bounded number of calls for one rule.
  [[nodiscard]] const MetadataEntry* Find(std::string_view name) const;

  // Unsigned is the value of a scalar integer that is not negative.
  [[nodiscard]] std::optional<std::uint64_t> Unsigned(std::string_view name) const;

  // Layers is block_count where it is one that a loader takes: 1 to kMostLayers.
  [[nodiscard]] std::optional<std::uint64_t> Layers() const;
  // LayersThatRead are those without the last ones that predict further tokens
  // (nextn_predict_layers): at least 1. All of them where the key would leave none, for then
  // llama.cpp v0.5.0 ends by an assertion or refuses the file.
  [[nodiscard]] std::optional<std::uint64_t> LayersThatRead() const;

 private:
  const Document& document_;
  std::string_view architecture_;
  const ArchitectureInfo* info_;
};

// The kind of a file follows from facts that loaders read. llama.cpp reads `general.type` only to
// load an adapter: it loads a model with any value of it. So the key can add a rule, and removes
// none.

// ClaimsAdapter is true where a key says that the file is an adapter.
[[nodiscard]] bool ClaimsAdapter(const Document& document);

// HasOtherShards is true of one of several shards: tensors that it lacks are in the others. It has
// both keys, each a u16, and `split.no` is less than `split.count`. llama.cpp refuses other values,
// and ignores `split.no` if `split.count` is below 2.
[[nodiscard]] bool HasOtherShards(const Document& document);
// IsFurtherShard is true of those after the first: the metadata of the first count for all.
[[nodiscard]] bool IsFurtherShard(const Document& document);

// IsHalf tells whether a tensor is half of a pair of a LoRA adapter.
[[nodiscard]] bool IsHalf(const TensorInfo& tensor);
// IsSidecar is true if all tensors of a file belong to a LoRA adapter (halves and norms), to an
// importance matrix, or to a control vector. It is false of a file without tensors.
[[nodiscard]] bool IsSidecar(const Document& document);

// HasAllMetadata tells whether the metadata were read to their end: whether a key that was not
// found is not there.
[[nodiscard]] bool HasAllMetadata(const Document& document);

// IsWhole tells whether the metadata and the directory were read to their end.
[[nodiscard]] bool IsWhole(const Document& document);

// DividesByHeads tells whether llama.cpp divides by the heads of the first layer while it reads the
// hyper-parameters or makes the tensors (src/models/phimoe.cpp, olmo2.cpp, gemma2.cpp, gemma3.cpp:
// the last two in the sizes that scale attention by the width of a head). divisors.cc.
[[nodiscard]] bool DividesByHeads(const HyperParameters& parameters);

}  // namespace ggufgate
