#include "check/rules/contract/refusals/absent_tensors.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "check/rules/contract/conditions/conditions.h"
#include "check/rules/contract/parameters/compressed_kinds.h"
#include "check/rules/contract/parameters/formula_words.h"
#include "check/rules/contract/refusals/layers.h"
#include "check/rules/contract/tensors/shapes.h"
#include "check/rules/contract/tensors/tensor_patterns.h"
#include "check/rules/rule_functions.h"

namespace ggufgate {
namespace {

struct AbsentTensors {
  std::vector<std::string> names;
};

// LayersWithKeys returns the number of layers that need tensors of keys: the last shared_kv_layers
// of gemma4 use the keys of other layers. The loaders of other architectures require the tensors in
// all layers. Measured on v0.5.0.
std::size_t LayersWithKeys(const LoaderParameters& parameters) {
  const Number layers = parameters.layers();
  if (parameters.architecture() != "gemma4") return static_cast<std::size_t>(layers);
  const Number shared = parameters.Value("attention.shared_kv_layers");
  return static_cast<std::size_t>(layers - std::clamp(shared, Number{0}, layers));
}

bool IsOfKeys(std::string_view name) {
  return name == "blk.*.attn_k.weight" || name == "blk.*.attn_k_norm.weight";
}

class Missing {
 public:
  struct Absent {
    std::vector<std::string> names;
    // Those that other layers have. Further forms do not explain this, if all layers are alike.
    std::vector<std::string> in_some_layers;
  };

  Missing(const Context& context, const LoaderContract& contract,
          const LoaderParameters& parameters)
      : patterns_(TensorPatternsOf(context)),
        contract_(contract),
        shapes_(ContractShapesOf(context)),
        kinds_(context, parameters),
        layer_count_(static_cast<std::size_t>(parameters.layers())),
        key_layers_(LayersWithKeys(parameters)),
        uses_rope_factors_(formula::UsesRopeFactors(parameters)),
        has_arrays_(parameters.HasArrays()),
        layers_(context, patterns_, layer_count_) {
    std::vector<std::size_t> counts(patterns_.patterns().size());
    for (std::size_t i = 0; i < context.document.tensors.size(); ++i) {
      if (patterns_.IndexOf(i) != TensorPatterns::kNone) ++counts[patterns_.IndexOf(i)];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) counts_[patterns_.patterns()[i]] += counts[i];
    constexpr std::string_view kDenseLayers = "leading_dense_block_count";
    for (const ContractLine& line : contract.Lines("key")) {
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
    for (const ContractLine& line : contract_.Lines("tensor")) {
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
    for (const ContractLine& line : contract_.Lines("tensor")) {
      const std::optional<ContractTensor> tensor = TensorOf(line);
      if (tensor && tensor->forms.Has(other)) in_other.insert(tensor->name);
    }
    for (const ContractLine& line : contract_.Lines("tensor")) {
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
    if (is_new && !has_arrays_) found->second = layers_.OnlyWith(family, required_);
    return found->second;
  }

  // LayersThatNeed returns the layers that lack a tensor of another layer and have no substitute,
  // increasing.
  [[nodiscard]] std::vector<std::size_t> LayersThatNeed(std::string_view pattern) {
    std::vector<std::size_t> layers = layers_.Without(pattern);
    const std::uint16_t index = layers_.IndexOf(pattern);
    if (!layers_.AnyHas(index)) return layers;
    for (const std::size_t layer : PlainLayers(FamilyOf(pattern))) {
      if (!layers_.Has(layer, index)) layers.push_back(layer);
    }
    std::ranges::sort(layers);
    layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
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
    if (patterns.empty() || layers_.AreEmpty()) return;
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

  // LayersWithNone returns the layers of a kind without any of the tensors, increasing.
  [[nodiscard]] std::vector<std::size_t> LayersWithNone(
      LayerKind kind, const std::vector<std::string>& patterns) const {
    std::vector<std::uint16_t> indexes;
    for (const std::string& pattern : patterns) indexes.push_back(layers_.IndexOf(pattern));
    std::vector<std::size_t> bare;
    for (std::size_t layer = Begin(kind); layer < End(kind); ++layer) {
      if (std::ranges::none_of(indexes, [&](std::uint16_t i) { return layers_.Has(layer, i); })) {
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
      if (name == "rope_freqs.weight" && !uses_rope_factors_) return;
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
      if (layer >= key_layers_ && IsOfKeys(name)) continue;
      missing.names.push_back(std::string(name).replace(star, 1, std::to_string(layer)));
      if (!has_arrays_) missing.in_some_layers.push_back(missing.names.back());
    }
  }

  const TensorPatterns& patterns_;
  const LoaderContract& contract_;
  const ContractShapes& shapes_;
  CompressedKinds kinds_;
  std::size_t layer_count_;
  std::size_t key_layers_;  // the later ones need no tensors of keys
  bool uses_rope_factors_;
  bool has_arrays_;
  Layers layers_;
  std::unordered_set<std::string> required_;                                // by the form: patterns
  std::unordered_map<std::string, std::vector<std::size_t>> plain_layers_;  // by family, increasing
  std::unordered_map<std::string_view, std::size_t> counts_;                // by pattern
  std::optional<std::size_t> dense_layers_;  // nullopt: the contract has no such key
};

AbsentTensors FindAbsentTensors(const Context& context) {
  const LoaderContract* contract = ContractOfModel(context);
  // Other shards may have the rest.
  if (contract == nullptr || HasOtherShards(context.document)) return {};
  const LoaderParameters& parameters = LoaderParametersOf(context);
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

std::vector<ContractForm> FormsLike(const LoaderContract& contract,
                                    const LoaderParameters& parameters) {
  const ContractForms all = FormsOf(contract.Lines("key"));
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
