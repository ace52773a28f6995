#pragma once

// The words that the formulas of conditions.def are written in, beside those of LoaderParameters.

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "check/hyper_parameters.h"
#include "check/rules/contract/loader_parameters.h"
#include "check/rules/contract/tensor_patterns.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate::formula {

using P = LoaderParameters;

// AnyLayer is true where `holds` is, of one layer.
template <typename Holds>
inline bool AnyLayer(const P& p, const Holds& holds) {
  for (Number layer = 0; layer < p.all_layers(); ++layer) {
    if (holds(layer)) return true;
  }
  return false;
}

// Differs is true of an array whose elements are not all the same.
inline bool Differs(const P& p, std::string_view name) {
  return p.IsArray(name) &&
         AnyLayer(p, [&](Number layer) { return p.At(name, layer) != p.At(name, 0); });
}

// KeyValueHeadsDiffer is true where layers have different numbers of heads of keys and values;
// those of a file without head_count_kv are its heads.
inline bool KeyValueHeadsDiffer(const P& p) {
  return Differs(
      p, p.Has("attention.head_count_kv") ? "attention.head_count_kv" : "attention.head_count");
}

// AnyTrue is AnyLayer of the layers that do not predict further tokens.
template <typename Holds>
inline bool AnyTrue(const P& p, const Holds& holds) {
  for (Number layer = 0; layer < p.layers(); ++layer) {
    if (holds(layer)) return true;
  }
  return false;
}

// Windowed tells whether a layer has a sliding window: an array says it of each, a number n of all:
// the last of every n layers has none. 0: all have one (llama_hparams::set_swa_pattern).
inline bool Windowed(const P& p, Number layer) {
  constexpr std::string_view kName = "attention.sliding_window_pattern";
  const Number n = p.At(kName, layer);
  if (p.IsArray(kName)) return n != 0;
  return n == 0 || layer % n < n - 1;
}

// WindowedFullFirst is the same where the first of every n layers has no window.
inline bool WindowedFullFirst(const P& p, Number layer) {
  constexpr std::string_view kName = "attention.sliding_window_pattern";
  const Number n = p.At(kName, layer);
  if (p.IsArray(kName)) return n != 0;
  return n == 0 || layer % n != 0;
}

// Turned tells whether the heads of a layer are rotated: those are that the pattern leaves out.
inline bool Turned(const P& p, Number layer) {
  constexpr std::string_view kName = "attention.rope_pattern";
  return layer >= p.Count(kName) || p.At(kName, layer) != 0;
}

// AttentionInterval is n where the last of every n layers has keys and values; the numbers are what
// load_hparams takes without the key.
inline Number AttentionInterval(const P& p) {
  return p.Value("full_attention_interval", p.architecture() == "minimax-01" ? 8 : 4);
}

// Recurrent tells whether a layer has a state instead of keys and values: recurrent_layers says so
// of each, or the interval does. TellsRecurrent: there is an answer, and a layer to ask of.
inline bool Recurrent(const P& p, Number layer) {
  constexpr std::string_view kName = "attention.recurrent_layers";
  if (p.Has(kName)) return p.At(kName, layer) != 0;
  const Number interval = AttentionInterval(p);
  return interval == 0 || (layer + 1) % interval != 0;
}
inline bool TellsRecurrent(const P& p) {
  return p.layers() > 0 && (p.Has("attention.recurrent_layers") || AttentionInterval(p) != 0);
}

// Section is one of the four parts of a head that rotary embedding turns each by its own position.
inline Number Section(const P& p, Number part) {
  constexpr std::string_view kName = "rope.dimension_sections";
  return part < p.Count(kName) ? p.SignedAt(kName, part) : 0;
}
inline Number Sections(const P& p) {
  return Section(p, 0) + Section(p, 1) + Section(p, 2) + Section(p, 3);
}

// IsLatent tells whether keys and values are kept compressed, in one head for all: the widths that
// they have before are said (llama_hparams::is_mla).
inline bool IsLatent(const P& p) {
  return p.Value("attention.key_length_mla") != 0 && p.Value("attention.value_length_mla") != 0;
}

// Experts is how many the loader reckons with: Hunyuan's one is none (load_hparams).
inline Number Experts(const P& p) {
  const Number count = p.Value("expert_count");
  const bool one_is_none = p.architecture() == "hunyuan-dense" || p.architecture() == "hunyuan_vl";
  return one_is_none && count <= 1 ? 0 : count;
}

// AnyExpertLayer is AnyLayer of the layers that have experts.
template <typename Holds>
inline bool AnyExpertLayer(const P& p, const Holds& holds) {
  return AnyLayer(p, [&](Number layer) { return p.HasExperts(layer) && holds(layer); });
}

// AnyRows is true where `holds` is, of a tensor "blk.N.`tail`": the number N and its rows.
template <typename Holds>
inline bool AnyRows(const P& p, std::string_view tail, const Holds& holds) {
  return std::ranges::any_of(p.document().tensors, [&](const TensorInfo& tensor) {
    const std::optional<Number> layer = LayerOf(tensor.name);
    return layer && tensor.name.ends_with(tail) &&
           holds(*layer, static_cast<Number>(tensor.dims.at(1)));
  });
}

// AnyLayerWithout is true where `holds` is, of a layer that has no tensor "blk.N.`tail`". Of a
// first shard it is not: the others may have it.
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

// AnyTyped is true where `holds` is, of the type of a tensor "blk.N.`tail`".
template <typename Holds>
inline bool AnyTyped(const P& p, std::string_view tail, const Holds& holds) {
  return std::ranges::any_of(p.document().tensors, [&](const TensorInfo& tensor) {
    return LayerOf(tensor.name) && tensor.name.ends_with(tail) &&
           holds(static_cast<TensorType>(tensor.type_id));
  });
}

// RoundsToNone is true where some number of tokens, padded to whole blocks by GGML_PAD, is less
// than one block: its arithmetic is for powers of 2. Caches have a multiple of 256 tokens.
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
