#include "check/rules/contract/refusals/absent_tensors.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "check/rules/contract/conditions/conditions.h"
#include "check/rules/contract/parameters/compressed_kinds.h"
#include "check/rules/contract/tensors/shapes.h"
#include "check/rules/contract/tensors/tensor_patterns.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"

namespace ggufgate {
namespace {

struct AbsentTensors {
  std::vector<std::string> names;
};

// FamilyOf returns the part of a layer that has a tensor: "ffn" of "blk.*.ffn_up.weight". All norms
// are one family, because a norm of one part may replace that of another (grok).
std::string_view FamilyOf(std::string_view pattern) {
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
    for (std::vector<std::uint16_t>& layer : layers_) std::ranges::sort(layer);
  }

  // IndexOf returns an index for Has(). No layer has the index of an unknown pattern.
  [[nodiscard]] std::uint16_t IndexOf(std::string_view pattern) const {
    return static_cast<std::uint16_t>(std::ranges::find(patterns_, pattern) - patterns_.begin());
  }

  // Has returns whether a layer has a tensor.
  [[nodiscard]] bool Has(std::size_t layer, std::uint16_t index) const {
    return std::ranges::binary_search(layers_.at(layer), index);
  }

  // OnlyWith returns the layers whose weights of a family all have one of these patterns, in
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

class Missing {
 public:
  struct Absent {
    std::vector<std::string> names;
    // Those that other layers have. Further forms do not explain this, if all layers are alike.
    std::vector<std::string> in_some_layers;
  };

  Missing(const Context& context, const Contract& contract, const LoaderParameters& parameters)
      : context_(context),
        patterns_(TensorPatternsOf(context)),
        contract_(contract),
        shapes_(contract, parameters, VocabularyOf(context).token_count),
        kinds_(context, parameters),
        layer_count_(static_cast<std::size_t>(parameters.layers())),
        has_arrays_(parameters.HasArrays()) {
    std::vector<std::size_t> counts(patterns_.patterns().size());
    for (std::size_t i = 0; i < context.document.tensors.size(); ++i) {
      if (patterns_.IndexOf(i) != TensorPatterns::kNone) ++counts[patterns_.IndexOf(i)];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) counts_[patterns_.patterns()[i]] += counts[i];
    constexpr std::string_view kDenseLayers = "leading_dense_block_count";
    for (const ContractLine& line : ContractLines(contract, "key")) {
      const std::optional<ContractKey> key = KeyOf(line);
      if (!key || key->name != kDenseLayers || key->value != "1") continue;
      dense_layers_ = static_cast<std::size_t>(
          std::clamp(parameters.Value(kDenseLayers), Number{0}, Number{layer_count_}));
    }
  }

  // Of returns the names that a form requires and the file lacks.
  [[nodiscard]] Absent Of(ContractForm form) {
    Absent missing;
    std::vector<std::string_view> of_kinds;
    std::vector<std::string_view> of_all;
    required_.clear();
    plain_layers_.clear();
    if (!layers_) layers_.emplace(context_, patterns_, layer_count_);
    for (const ContractLine& line : ContractLines(contract_, "tensor")) {
      if (!line.fields.ends_with(" required")) continue;  // skip most lines early
      const std::optional<ContractTensor> tensor = TensorOf(line);
      if (!tensor || !tensor->forms.Has(form)) continue;
      (LayerKindOf(tensor->name) ? of_kinds : of_all).push_back(tensor->name);
      required_.insert(PatternOf(tensor->name));
    }
    for (const std::string_view name : of_all) Add(name, missing);
    AddOfKind(LayerKind::kDense, of_kinds, missing);
    AddOfKind(LayerKind::kExperts, of_kinds, missing);
    return missing;
  }

  // HasMoreThan returns whether the file has a weight of `form` that `other` lacks. It may replace
  // a tensor that `other` requires.
  [[nodiscard]] bool HasMoreThan(ContractForm other, ContractForm form) const {
    std::unordered_set<std::string_view> in_other;
    for (const ContractLine& line : ContractLines(contract_, "tensor")) {
      const std::optional<ContractTensor> tensor = TensorOf(line);
      if (tensor && tensor->forms.Has(other)) in_other.insert(tensor->name);
    }
    for (const ContractLine& line : ContractLines(contract_, "tensor")) {
      const std::optional<ContractTensor> tensor = TensorOf(line);
      if (tensor && tensor->forms.Has(form) && !in_other.contains(tensor->name) &&
          tensor->name.ends_with(".weight") && counts_.contains(PatternOf(tensor->name))) {
        return true;
      }
    }
    return false;
  }

 private:
  // PlainLayers returns the layers without a weight of a family that the form does not require.
  // Only such a weight can be a substitute for one that is absent. With a number per layer, layers
  // may lack tensors that others need.
  const std::vector<std::size_t>& PlainLayers(std::string_view family) {
    const auto [found, is_new] = plain_layers_.try_emplace(std::string(family));
    if (is_new && !has_arrays_) found->second = layers_->OnlyWith(family, required_);
    return found->second;
  }

  // LayersThatNeed returns the layers that lack a tensor and have no substitute, increasing.
  [[nodiscard]] std::vector<std::size_t> LayersThatNeed(std::string_view pattern) {
    std::vector<std::size_t> layers = layers_->Without(pattern);
    const std::uint16_t index = layers_->IndexOf(pattern);
    for (const std::size_t layer : PlainLayers(FamilyOf(pattern))) {
      if (!layers_->Has(layer, index)) layers.push_back(layer);
    }
    std::ranges::sort(layers);
    layers.erase(std::ranges::unique(layers).begin(), layers.end());
    return layers;
  }

  enum class LayerKind : std::uint8_t { kDense, kExperts };

  // LayerKindOf returns the kind of layers whose feed-forward network has a tensor, if its name has
  // a fixed number. The model of the contract has a dense layer 0 and a layer 1 with experts. A
  // file has `leading_dense_block_count` dense layers. Measured with 5 layers, 3 and 0 of them
  // dense, in the 21 architectures of v0.5.0 that have the key and such names.
  [[nodiscard]] std::optional<LayerKind> LayerKindOf(std::string_view name) const {
    if (!dense_layers_) return std::nullopt;
    if (name.starts_with("blk.0.ffn_")) return LayerKind::kDense;
    if (name.starts_with("blk.1.ffn_") || name.starts_with("blk.1.exp_probs_b.")) {
      return LayerKind::kExperts;
    }
    return std::nullopt;
  }

  // AddOfKind adds the tensors that layers of a kind lack. A layer that has other tensors of its
  // kind may have a substitute.
  void AddOfKind(LayerKind kind, const std::vector<std::string_view>& names, Absent& missing) {
    std::vector<std::string> patterns;
    for (std::string_view name : names) {
      if (LayerKindOf(name) != kind) continue;
      name = kinds_.Instead(name);
      if (!name.empty() && !shapes_.IsEmpty(PatternOf(name))) patterns.push_back(PatternOf(name));
    }
    if (patterns.empty()) return;
    const std::vector<std::size_t> bare = LayersWithNone(kind, patterns);
    for (const std::string& pattern : patterns) {
      const bool nowhere = !counts_.contains(pattern);
      const std::vector<std::size_t> need = LayersThatNeed(pattern);
      for (std::size_t layer = Begin(kind); layer < End(kind); ++layer) {
        if (nowhere || std::ranges::binary_search(bare, layer) ||
            std::ranges::binary_search(need, layer)) {
          missing.names.push_back(
              std::string(pattern).replace(pattern.find('*'), 1, std::to_string(layer)));
        }
      }
    }
  }

  // LayersWithNone returns the layers of a kind that have none of these tensors, increasing.
  [[nodiscard]] std::vector<std::size_t> LayersWithNone(
      LayerKind kind, const std::vector<std::string>& patterns) const {
    std::vector<std::uint16_t> indexes;
    for (const std::string& pattern : patterns) indexes.push_back(layers_->IndexOf(pattern));
    std::vector<std::size_t> bare;
    for (std::size_t layer = Begin(kind); layer < End(kind); ++layer) {
      if (std::ranges::none_of(indexes, [&](std::uint16_t i) { return layers_->Has(layer, i); })) {
        bare.push_back(layer);
      }
    }
    return bare;
  }

  [[nodiscard]] std::size_t Begin(LayerKind kind) const {
    return kind == LayerKind::kDense ? 0 : *dense_layers_;
  }
  [[nodiscard]] std::size_t End(LayerKind kind) const {
    return kind == LayerKind::kDense ? *dense_layers_ : layer_count_;
  }

  void Add(std::string_view name, Absent& missing) {
    name = kinds_.Instead(name);
    if (name.empty()) return;
    const std::size_t star = name.find('*');
    if (star == std::string_view::npos) {
      // Another name with a fixed layer number holds only for that tiny model.
      if (!counts_.contains(name) && PatternOf(name) == name) missing.names.emplace_back(name);
      return;
    }
    const auto count = counts_.find(name);
    if (count == counts_.end()) {
      if (!shapes_.IsEmpty(name)) missing.names.emplace_back(name);
      return;
    }
    if (count->second == layer_count_ || !name.starts_with("blk.*.")) return;
    for (const std::size_t layer : LayersThatNeed(name)) {
      missing.names.push_back(std::string(name).replace(star, 1, std::to_string(layer)));
      if (!has_arrays_) missing.in_some_layers.push_back(missing.names.back());
    }
  }

  const Context& context_;
  const TensorPatterns& patterns_;
  const Contract& contract_;
  ContractShapes shapes_;
  CompressedKinds kinds_;
  std::size_t layer_count_;
  bool has_arrays_;
  std::unordered_set<std::string> required_;                                // by the form: patterns
  std::unordered_map<std::string, std::vector<std::size_t>> plain_layers_;  // by family, increasing
  std::unordered_map<std::string_view, std::size_t> counts_;                // by pattern
  std::optional<Layers> layers_;             // only if some layer lacks a tensor
  std::optional<std::size_t> dense_layers_;  // nullopt: the contract has no such key
};

AbsentTensors FindAbsentTensors(const Context& context) {
  const Contract* contract = ContractOfModel(context);
  // Other shards may have the rest.
  if (contract == nullptr || HasOtherShards(context.document)) return {};
  const LoaderParameters parameters(context.document, contract->architecture);
  Missing missing(context, *contract, parameters);
  AbsentTensors fewest;
  std::vector<std::string> in_some_layers;  // of the plain form
  std::optional<ContractForm> plain;
  for (const ContractForm form : FormsLike(*contract, parameters)) {
    if (plain && !missing.HasMoreThan(*plain, form)) continue;
    Missing::Absent of_form = missing.Of(form);
    if (of_form.names.empty()) return {std::move(in_some_layers)};
    if (!plain || of_form.names.size() < fewest.names.size()) {
      fewest.names = std::move(of_form.names);
    }
    if (plain) continue;
    plain = form;
    in_some_layers = std::move(of_form.in_some_layers);
  }
  return fewest;
}

}  // namespace

std::vector<ContractForm> FormsLike(const Contract& contract, const LoaderParameters& parameters) {
  const ContractForms all = FormsOf(contract);
  const bool experts = parameters.Value("expert_count") > 0;
  std::vector<ContractForm> alike;
  std::vector<ContractForm> others;
  for (std::size_t i = 0; i < kContractFormCount; ++i) {
    const auto form = static_cast<ContractForm>(i);
    if (!all.Has(form)) continue;
    const bool has = form == ContractForm::kExperts || form == ContractForm::kWholeExperts;
    (has == experts ? alike : others).push_back(form);
  }
  return alike.empty() ? others : alike;
}

const std::vector<std::string>& AbsentTensorsOf(const Context& context) {
  return context.cache.Get<AbsentTensors>([&] { return FindAbsentTensors(context); }).names;
}

}  // namespace ggufgate
