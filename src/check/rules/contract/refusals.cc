// What llama.cpp refuses of an architecture it knows: keys and tensors that are absent, and shapes
// that do not follow from the hyper-parameters. The lines of the contract:
//
//   required FORMS KEY…             keys without which a form is refused
//   tensor NAME … FORMS required    the same of tensors
//   shape DIM,DIM NAME…             see shapes.h

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "check/hyper_parameters.h"
#include "check/rules/contract/conditions.h"
#include "check/rules/contract/shapes.h"
#include "check/rules/contract/tensor_patterns.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"
#include "format/contracts/contract.h"

namespace ggufgate {
namespace {

using Forms = std::vector<ContractForm>;

// FormsLike are the forms of an architecture that have experts, or have none, as the file does; all
// where there are none such.
Forms FormsLike(const Contract& contract, const LoaderParameters& parameters) {
  const ContractForms all = FormsOf(contract);
  const bool experts = parameters.Value("expert_count") > 0;
  Forms alike;
  Forms others;
  for (std::size_t i = 0; i < kContractFormCount; ++i) {
    const auto form = static_cast<ContractForm>(i);
    if (!all.Has(form)) continue;
    const bool has = form == ContractForm::kExperts || form == ContractForm::kWholeExperts;
    (has == experts ? alike : others).push_back(form);
  }
  return alike.empty() ? others : alike;
}

// IsLite: of these, models of some sizes have queries that are not compressed, and the loader asks
// for other keys and tensors. Source: llama.cpp v0.5.0, asked with each number of layers.
bool IsLite(const Context& context, const LoaderParameters& parameters) {
  const std::string_view architecture = parameters.architecture();
  if (architecture != "deepseek2" && architecture != "mistral4") return false;
  const Number layers = parameters.all_layers();
  if (layers == 26 || layers == 27) return true;
  return layers == 48 && VocabularyOf(context).token_count == 128256;
}

// IsOfCompressedQueries tells whether only models that are not lite have a key or tensor.
bool IsOfCompressedQueries(std::string_view name) {
  return name == "attention.q_lora_rank" || name.starts_with("blk.*.attn_q_");
}

void ReportAbsent(const Context& context, std::string name, Sink& sink) {
  const MetadataEntry& entry = *context.document.Find("general.architecture");
  sink.Add({.where = entry.ValueRange(),
            .subject = MetadataSubject(context.document, entry),
            .observed = TextFact(std::move(name))});
}

// --- tensors -------------------------------------------------------------------------------------

// Layers are the patterns of the tensors of each layer "blk.N.".
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

  // Without gives the layers that lack a tensor for which no other stands in: another layer has it,
  // and all that they have.
  [[nodiscard]] std::vector<std::size_t> Without(std::string_view pattern) const {
    std::vector<std::size_t> without;
    const auto found = std::ranges::find(patterns_, pattern);
    const auto index = static_cast<std::uint16_t>(found - patterns_.begin());
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
  Missing(const Context& context, const Contract& contract, const LoaderParameters& parameters)
      : context_(context),
        patterns_(TensorPatternsOf(context)),
        contract_(contract),
        shapes_(contract, parameters, VocabularyOf(context).token_count),
        lite_(IsLite(context, parameters)),
        layer_count_(static_cast<std::size_t>(parameters.layers())) {
    std::vector<std::size_t> counts(patterns_.patterns().size());
    for (std::size_t i = 0; i < context.document.tensors.size(); ++i) {
      if (patterns_.IndexOf(i) != TensorPatterns::kNone) ++counts[patterns_.IndexOf(i)];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) counts_[patterns_.patterns()[i]] += counts[i];
  }

  // Of gives the names that a form requires and the file has not.
  [[nodiscard]] std::vector<std::string> Of(ContractForm form) {
    std::vector<std::string> missing;
    for (const ContractLine& line : ContractLines(contract_, "tensor")) {
      if (!line.fields.ends_with(" required")) continue;  // most are not, and are not read
      const std::optional<ContractTensor> tensor = TensorOf(line);
      if (tensor && tensor->forms.Has(form)) Add(tensor->name, missing);
    }
    return missing;
  }

  // HasMoreThan tells whether the file has a weight that stands in one form and not in another: it
  // may stand in for what the other requires.
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
  void Add(std::string_view name, std::vector<std::string>& missing) {
    if (lite_ && IsOfCompressedQueries(name)) return;
    const std::size_t star = name.find('*');
    if (star == std::string_view::npos) {
      // What a layer of one number has, a tiny model says of that model alone.
      if (!counts_.contains(name) && PatternOf(name) == name) missing.emplace_back(name);
      return;
    }
    const auto count = counts_.find(name);
    if (count == counts_.end()) {
      if (!shapes_.IsEmpty(name)) missing.emplace_back(name);
      return;
    }
    if (count->second == layer_count_ || !name.starts_with("blk.*.")) return;
    if (!layers_) layers_.emplace(context_, patterns_, layer_count_);
    for (const std::size_t layer : layers_->Without(name)) {
      missing.push_back(std::string(name).replace(star, 1, std::to_string(layer)));
    }
  }

  const Context& context_;
  const TensorPatterns& patterns_;
  const Contract& contract_;
  ContractShapes shapes_;
  bool lite_;
  std::size_t layer_count_;
  std::unordered_map<std::string_view, std::size_t> counts_;  // by pattern
  std::optional<Layers> layers_;  // only where some layer lacks something
};

}  // namespace

void CheckHyperparameterMissing(const Context& context, Sink& sink) {
  const Contract* contract = ContractOfModel(context);
  if (contract == nullptr) return;
  const LoaderParameters parameters(context.document, contract->architecture);
  const Forms forms = FormsLike(*contract, parameters);
  for (const ContractLine& line : ContractLines(*contract, "required")) {
    std::string_view fields = line.fields;
    const std::optional<ContractForms> of = ContractForms::Read(TakeField(fields));
    if (!of || !std::ranges::all_of(forms, [&](ContractForm form) { return of->Has(form); })) {
      continue;
    }
    while (!fields.empty()) {
      const std::string_view key = TakeField(fields);
      if (parameters.Has(key)) continue;
      if (IsOfCompressedQueries(key) && IsLite(context, parameters)) continue;
      // The keys of xIELU are asked for without the architecture.
      const bool alone = key.starts_with("xielu.");
      ReportAbsent(context,
                   (alone ? "" : std::string(contract->architecture) + ".") + std::string(key),
                   sink);
    }
  }
}

void CheckTensorMissing(const Context& context, Sink& sink) {
  const Contract* contract = ContractOfModel(context);
  // The other shards have the rest.
  if (contract == nullptr || HasOtherShards(context.document)) return;
  const LoaderParameters parameters(context.document, contract->architecture);
  Missing missing(context, *contract, parameters);
  std::vector<std::string> fewest;
  std::optional<ContractForm> plain;
  for (const ContractForm form : FormsLike(*contract, parameters)) {
    if (plain && !missing.HasMoreThan(*plain, form)) continue;
    std::vector<std::string> of_form = missing.Of(form);
    if (of_form.empty()) return;
    if (!plain || of_form.size() < fewest.size()) fewest = std::move(of_form);
    if (!plain) plain = form;
  }
  for (std::string& name : fewest) ReportAbsent(context, std::move(name), sink);
}

void CheckShapeRefused(const Context& context, Sink& sink) {
  const Contract* contract = ContractOfModel(context);
  if (contract == nullptr) return;
  const LoaderParameters parameters(context.document, contract->architecture);
  const Vocabulary& vocabulary = VocabularyOf(context);
  std::optional<std::uint64_t> tokens;
  if (vocabulary.has_tokens) tokens = vocabulary.token_count;
  const ContractShapes shapes(*contract, parameters, tokens);
  const TensorPatterns& patterns = TensorPatternsOf(context);
  std::vector<const ContractShapes::Shape*> shape_of;  // by pattern
  for (const std::string& pattern : patterns.patterns()) shape_of.push_back(shapes.Find(pattern));
  // Layers are alike unless a key says a number for each: then one shape is asked about once.
  std::vector<const TensorInfo*> sound(shape_of.size(), nullptr);
  const std::vector<TensorInfo>& tensors = context.document.tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::uint16_t pattern = patterns.IndexOf(i);
    if (pattern == TensorPatterns::kNone || shape_of[pattern] == nullptr) continue;
    const TensorInfo& tensor = tensors[i];
    const TensorInfo* before = sound[pattern];
    if (before != nullptr && before->dimension_count == tensor.dimension_count &&
        before->dims == tensor.dims) {
      continue;
    }
    if (const std::optional<ShapeFault> fault = shapes.FaultOf(*shape_of[pattern], tensor)) {
      const bool there = fault->dimension < tensor.dimension_count;
      sink.Add({.where = there ? tensor.DimensionRange(fault->dimension) : tensor.NameRange(),
                .subject = TensorSubject(context.document, tensor),
                .observed = there ? tensor.dims.at(fault->dimension) : std::uint64_t{1},
                .allowed = TextFact(fault->wanted),
                .other = std::uint64_t{fault->dimension}});
    } else if (!parameters.HasArrays()) {
      sound[pattern] = &tensor;
    }
  }
}

}  // namespace ggufgate
