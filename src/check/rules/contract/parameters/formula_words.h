#pragma once

// Words for the formulas of conditions/families, in addition to those of LoaderParameters.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "check/hyper_parameters.h"
#include "check/rules/contract/parameters/loader_parameters.h"
#include "check/rules/contract/tensors/tensor_patterns.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate::formula {

using P = LoaderParameters;

// AnyLayer returns whether `holds` is true for a layer.
template <typename Holds>
inline bool AnyLayer(const P& p, const Holds& holds) {
  for (Number layer = 0; layer < p.all_layers(); ++layer) {
    if (holds(layer)) return true;
  }
  return false;
}

// Differs returns whether an array has elements that differ.
inline bool Differs(const P& p, std::string_view name) {
  return p.IsArray(name) &&
         AnyLayer(p, [&](Number layer) { return p.At(name, layer) != p.At(name, 0); });
}

// KeyValueHeadsDiffer returns whether layers have different numbers of key-value heads. Without
// head_count_kv, the number of heads applies.
inline bool KeyValueHeadsDiffer(const P& p) {
  return Differs(
      p, p.Has("attention.head_count_kv") ? "attention.head_count_kv" : "attention.head_count");
}

// AnyLayerHas returns whether a layer has a tensor whose name has this ending.
inline bool AnyLayerHas(const P& p, std::string_view ending) {
  return std::ranges::any_of(p.document().tensors, [&](const TensorInfo& tensor) {
    return tensor.name.ends_with(ending) && LayerOf(tensor.name);
  });
}

// HasTensor returns whether the file has a tensor that belongs to no layer.
inline bool HasTensor(const P& p, std::string_view name) {
  return std::ranges::find(p.document().tensors, name, &TensorInfo::name) !=
         p.document().tensors.end();
}

// IsExpertWidthOfNone returns whether the loader divides by an expert_used_count of 0 to get the
// width of an expert.
inline bool IsExpertWidthOfNone(const P& p) {
  return p.Most("expert_feed_forward_length") == 0 && p.Most("expert_used_count") == 0;
}

// AnyTrue is AnyLayer without the layers that predict further tokens.
template <typename Holds>
inline bool AnyTrue(const P& p, const Holds& holds) {
  for (Number layer = 0; layer < p.layers(); ++layer) {
    if (holds(layer)) return true;
  }
  return false;
}

// Windowed returns whether a layer has a sliding window. The key is an array with a value per
// layer, or a number n: every layer except the last of each n has one. 0: all have one
// (llama_hparams::set_swa_pattern).
inline bool Windowed(const P& p, Number layer) {
  constexpr std::string_view kName = "attention.sliding_window_pattern";
  const Number n = p.At(kName, layer);
  if (p.IsArray(kName)) return n != 0;
  return n == 0 || layer % n < n - 1;
}

// UsesRopeFactors returns whether a layer needs rope_freqs.weight: layers of gemma4 with a window
// do not, and a loader that uses it nowhere refuses it. Measured on v0.5.0, v0.4.0 and b10361.
inline bool UsesRopeFactors(const P& p) {
  return p.architecture() != "gemma4" ||
         AnyTrue(p, [&](Number layer) { return !Windowed(p, layer); });
}

// WindowedFullFirst is the same, except that the first of each n layers has no window.
inline bool WindowedFullFirst(const P& p, Number layer) {
  constexpr std::string_view kName = "attention.sliding_window_pattern";
  const Number n = p.At(kName, layer);
  if (p.IsArray(kName)) return n != 0;
  return n == 0 || layer % n != 0;
}

// WindowPeriod returns the n of Windowed() in releases before v0.5.0. They ignore an array, and
// then use the default of the architecture, as without the key. nullopt: its default is unknown.
// Source: load_hparams in src/models of llama.cpp b10361 and v0.4.0.
inline std::optional<Number> WindowPeriod(const P& p) {
  constexpr std::string_view kName = "attention.sliding_window_pattern";
  struct Default {
    std::string_view architecture;
    int period;
  };
  constexpr std::array kDefaults = {
      Default{"afmoe", 4},       Default{"cohere2", 4}, Default{"exaone-moe", 4},
      Default{"exaone4", 4},     Default{"gemma2", 2},  Default{"gemma3", 6},
      Default{"gemma3n", 5},     Default{"gpt-oss", 2}, Default{"gemma-embedding", 6},
      Default{"laguna", 4},      Default{"llama4", 4},  Default{"mellum", 4},
      Default{"modern-bert", 3}, Default{"olmo2", 4},   Default{"plamo3", 8},
      Default{"smallthinker", 4}};
  if (p.Has(kName) && !p.IsArray(kName)) return p.Value(kName);
  const auto found = std::ranges::find(kDefaults, p.architecture(), &Default::architecture);
  return found != kDefaults.end() ? std::optional<Number>(found->period) : std::nullopt;
}

// AllWindowed and NoneWindowed are about the windows that follow from WindowPeriod().
inline bool AllWindowed(const P& p) {
  const std::optional<Number> n = WindowPeriod(p);
  return n && p.layers() > 0 && (*n == 0 || *n > p.layers());
}
inline bool NoneWindowed(const P& p) { return p.layers() > 0 && WindowPeriod(p) == Number{1}; }
// The same if the first of each n layers has no window.
inline bool AllWindowedFullFirst(const P& p) {
  return p.layers() > 0 && WindowPeriod(p) == Number{0};
}
inline bool NoneWindowedFullFirst(const P& p) {
  const std::optional<Number> n = WindowPeriod(p);
  return n && p.layers() > 0 && *n != 0 && (*n == 1 || p.layers() == 1);
}

// WindowedByPeriod returns whether a layer has a window that follows from WindowPeriod().
inline bool WindowedByPeriod(const P& p, Number layer) {
  const std::optional<Number> n = WindowPeriod(p);
  return n && (*n == 0 || layer % *n < *n - 1);
}

// WindowedByValue returns whether a layer has a window in architectures that use a single number
// for all layers. Releases before v0.5.0 do so instead of refusing it.
inline bool WindowedByValue(const P& p, Number layer) {
  return p.At("attention.sliding_window_pattern", layer) != 0;
}

// Turned returns whether the heads of a layer are rotated: the pattern has a value other than 0 for
// the layer, or is too short to have one.
inline bool Turned(const P& p, Number layer) {
  constexpr std::string_view kName = "attention.rope_pattern";
  return layer >= p.Count(kName) || p.At(kName, layer) != 0;
}

// AttentionInterval returns n, if the last of each n layers has keys and values. The numbers are
// the defaults of load_hparams.
inline Number AttentionInterval(const P& p) {
  return p.Value("full_attention_interval", p.architecture() == "minimax-01" ? 8 : 4);
}

// Recurrent returns whether a layer has a state instead of keys and values. The array
// recurrent_layers or the interval defines it. TellsRecurrent returns whether one of them applies
// to some layer.
inline bool Recurrent(const P& p, Number layer) {
  constexpr std::string_view kName = "attention.recurrent_layers";
  if (p.Has(kName)) return p.At(kName, layer) != 0;
  const Number interval = AttentionInterval(p);
  return interval == 0 || (layer + 1) % interval != 0;
}
inline bool TellsRecurrent(const P& p) {
  return p.layers() > 0 && (p.Has("attention.recurrent_layers") || AttentionInterval(p) != 0);
}

// Section returns the size of one of the four parts of a head that rotary embedding rotates
// separately.
inline Number Section(const P& p, Number part) {
  constexpr std::string_view kName = "rope.dimension_sections";
  return part < p.Count(kName) ? p.SignedAt(kName, part) : 0;
}
inline Number Sections(const P& p) {
  return Section(p, 0) + Section(p, 1) + Section(p, 2) + Section(p, 3);
}

// IsLatent returns whether keys and values are stored compressed, in one head for all. The keys for
// the uncompressed widths show it (llama_hparams::is_mla).
inline bool IsLatent(const P& p) {
  return p.Value("attention.key_length_mla") != 0 && p.Value("attention.value_length_mla") != 0;
}

// Experts returns the number that the loader uses: for Hunyuan, 1 counts as 0 (load_hparams).
inline Number Experts(const P& p) {
  const Number count = p.Value("expert_count");
  const bool one_is_none = p.architecture() == "hunyuan-dense" || p.architecture() == "hunyuan_vl";
  return one_is_none && count <= 1 ? 0 : count;
}

// AnyExpertLayer is AnyLayer for the layers that have experts.
template <typename Holds>
inline bool AnyExpertLayer(const P& p, const Holds& holds) {
  return AnyLayer(p, [&](Number layer) { return p.HasExperts(layer) && holds(layer); });
}

// AnyRows returns whether `holds` is true for a tensor "blk.N.`tail`", given the number N and its
// rows.
template <typename Holds>
inline bool AnyRows(const P& p, std::string_view tail, const Holds& holds) {
  return std::ranges::any_of(p.document().tensors, [&](const TensorInfo& tensor) {
    const std::optional<Number> layer = LayerOf(tensor.name);
    return layer && tensor.name.ends_with(tail) &&
           holds(*layer, static_cast<Number>(tensor.dims.at(1)));
  });
}

// AnyLayerWithout returns whether `holds` is true for a layer without tensor "blk.N.`tail`". For a
// first shard it is false: the others may have the tensor.
template <typename Holds>
inline bool AnyLayerWithout(const P& p, std::string_view tail, const Holds& holds) {
  if (HasOtherShards(p.document())) return false;
  std::vector<bool> has(static_cast<std::size_t>(p.all_layers()));
  for (const TensorInfo& tensor : p.document().tensors) {
    const std::optional<Number> layer = LayerOf(tensor.name);
    if (layer && *layer < p.all_layers() && tensor.name.ends_with(tail)) {
      has[static_cast<std::size_t>(*layer)] = true;
    }
  }
  return AnyTrue(p, [&](Number i) { return !has[static_cast<std::size_t>(i)] && holds(i); });
}

// LacksNextLayers returns whether layers predict further tokens, and none of them has a tensor. For
// a first shard it is false.
inline bool LacksNextLayers(const P& p) {
  if (HasOtherShards(p.document()) || p.FirstNextLayer() >= p.all_layers()) return false;
  return std::ranges::none_of(p.document().tensors, [&](const TensorInfo& tensor) {
    const std::optional<Number> layer = LayerOf(tensor.name);
    return layer && *layer >= p.FirstNextLayer() && *layer < p.all_layers();
  });
}

// AnyTyped returns whether `holds` is true for the type of a tensor "blk.N.`tail`".
template <typename Holds>
inline bool AnyTyped(const P& p, std::string_view tail, const Holds& holds) {
  return std::ranges::any_of(p.document().tensors, [&](const TensorInfo& tensor) {
    return LayerOf(tensor.name) && tensor.name.ends_with(tail) &&
           holds(static_cast<TensorType>(tensor.type_id));
  });
}

// RoundsToNone returns whether GGML_PAD, which works only for powers of 2, can round some number of
// tokens to less than one block. Caches have a multiple of 256 tokens.
inline bool RoundsToNone(Number block) {
  constexpr Number kStep = 256;
  if (block < 1) return true;
  for (Number tokens = kStep; tokens <= 16 * kStep; tokens += kStep) {
    if (((tokens + block - 1) & ~(block - 1)) < block) return true;
  }
  return false;
}

inline bool IsPowerOfTwo(Number number) { return number > 0 && (number & (number - 1)) == 0; }

inline bool OneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

}  // namespace ggufgate::formula
