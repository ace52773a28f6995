// Files of known architectures that llama.cpp refuses: keys or tensors are absent, or shapes
// contradict the hyper-parameters. The lines of the contract:
//
//   required FORMS KEY…             keys without which a form is refused
//   tensor NAME … FORMS required    the same for tensors
//   next NAME                       the same for a layer that predicts further tokens
//   shape DIM,DIM NAME…             see shapes.h

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "check/hyper_parameters.h"
#include "check/rules/contract/conditions/conditions.h"
#include "check/rules/contract/parameters/compressed_kinds.h"
#include "check/rules/contract/tensors/shapes.h"
#include "check/rules/contract/tensors/tensor_patterns.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tokenizer/vocabulary_view.h"
#include "format/contracts/contract.h"

namespace ggufgate {
namespace {

using Forms = std::vector<ContractForm>;

// FormsLike returns the forms of an architecture that, like the file, have experts or do not. If
// there are none, it returns all forms.
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

void ReportAbsent(const Context& context, const std::string& name, Wording wording, Sink& sink) {
  const MetadataEntry& entry = *context.document.Find("general.architecture");
  sink.Add({.where = entry.ValueRange(),
            .subject = MetadataSubject(context.document, entry),
            .observed = TextFact(name),
            .wording = wording});
}

// --- keys
// ------------------------------------------------------------------------------------------

struct AbsentKeys {
  std::vector<std::string> names;
};

// AddFirst adds the keys that the loader reads before the architecture's keys
// (llama_model_base::load_hparams and llama_vocab::impl::load of v0.5.0). A file without tensors
// counts as a model if it has context_length.
void AddFirst(const Context& context, const Contract& contract, std::vector<std::string>& names) {
  constexpr std::array<std::string_view, 3> kFirst = {"context_length", "embedding_length",
                                                      "block_count"};
  const auto has = [&](std::string_view key) { return context.parameters.Find(key) != nullptr; };
  if (IsSidecar(context.document)) return;
  if (!HasMostTensors(context, contract)) {
    if (!has(kFirst.front())) return;
  } else if (context.document.Find("tokenizer.ggml.model") == nullptr) {
    names.emplace_back("tokenizer.ggml.model");
  }
  for (const std::string_view key : kFirst) {
    if (!has(key)) names.push_back(std::string(contract.architecture) + "." + std::string(key));
  }
}

AbsentKeys FindAbsentKeys(const Context& context) {
  AbsentKeys absent;
  if (!IsWhole(context.document) || IsFurtherShard(context.document)) return absent;
  const Contract* contract = FindContract(context.parameters.architecture());
  if (contract == nullptr) return absent;
  AddFirst(context, *contract, absent.names);
  if (ContractOfModel(context) == nullptr) return absent;
  const LoaderParameters parameters(context.document, contract->architecture);
  const Forms forms = FormsLike(*contract, parameters);
  const CompressedKinds kinds(context, parameters);
  for (const ContractLine& line : ContractLines(*contract, "required")) {
    std::string_view fields = line.fields;
    const std::optional<ContractForms> of = ContractForms::Read(TakeField(fields));
    if (!of || !std::ranges::all_of(forms, [&](ContractForm form) { return of->Has(form); })) {
      continue;
    }
    while (!fields.empty()) {
      const std::string_view key = TakeField(fields);
      if (parameters.Has(key) || kinds.Instead(key).empty()) continue;
      // The keys of xIELU have no architecture in front.
      const bool alone = key.starts_with("xielu.");
      absent.names.push_back((alone ? "" : std::string(contract->architecture) + ".") +
                             std::string(key));
    }
  }
  return absent;
}

// --- tensors -------------------------------------------------------------------------------------

struct AbsentTensors {
  std::vector<std::string> names;
};

// NextLayer is a layer that nextn_predict_layers announces and the file lacks.
struct NextLayer {
  std::uint64_t number;
  std::string absent;  // a required tensor of that layer
};

struct MisshapenTensor {
  const TensorInfo* tensor;
  ShapeFault fault;
};

struct Shapes {
  std::vector<MisshapenTensor> misshapen;
  bool all_known = false;  // the shape of each tensor follows from the keys
};

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

  // Without returns the layers that lack a tensor without a substitute: another layer has the
  // tensor and everything that they have.
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
        kinds_(context, parameters),
        layer_count_(static_cast<std::size_t>(parameters.layers())) {
    std::vector<std::size_t> counts(patterns_.patterns().size());
    for (std::size_t i = 0; i < context.document.tensors.size(); ++i) {
      if (patterns_.IndexOf(i) != TensorPatterns::kNone) ++counts[patterns_.IndexOf(i)];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) counts_[patterns_.patterns()[i]] += counts[i];
  }

  // Of returns the names that a form requires and the file lacks.
  [[nodiscard]] std::vector<std::string> Of(ContractForm form) {
    std::vector<std::string> missing;
    for (const ContractLine& line : ContractLines(contract_, "tensor")) {
      if (!line.fields.ends_with(" required")) continue;  // skip most lines early
      const std::optional<ContractTensor> tensor = TensorOf(line);
      if (tensor && tensor->forms.Has(form)) Add(tensor->name, missing);
    }
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
  void Add(std::string_view name, std::vector<std::string>& missing) {
    name = kinds_.Instead(name);
    if (name.empty()) return;
    const std::size_t star = name.find('*');
    if (star == std::string_view::npos) {
      // A name with a fixed layer number holds only for that tiny model.
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
  CompressedKinds kinds_;
  std::size_t layer_count_;
  std::unordered_map<std::string_view, std::size_t> counts_;  // by pattern
  std::optional<Layers> layers_;                              // only if some layer lacks a tensor
};

AbsentTensors FindAbsentTensors(const Context& context) {
  const Contract* contract = ContractOfModel(context);
  // Other shards may have the rest.
  if (contract == nullptr || HasOtherShards(context.document)) return {};
  const LoaderParameters parameters(context.document, contract->architecture);
  Missing missing(context, *contract, parameters);
  AbsentTensors fewest;
  std::optional<ContractForm> plain;
  for (const ContractForm form : FormsLike(*contract, parameters)) {
    if (plain && !missing.HasMoreThan(*plain, form)) continue;
    std::vector<std::string> of_form = missing.Of(form);
    if (of_form.empty()) return {};
    if (!plain || of_form.size() < fewest.names.size()) fewest.names = std::move(of_form);
    if (!plain) plain = form;
  }
  return fewest;
}

const std::vector<std::string>& AbsentTensorsOf(const Context& context) {
  return context.cache.Get<AbsentTensors>([&] { return FindAbsentTensors(context); }).names;
}

std::vector<NextLayer> FindNextLayers(const Context& context) {
  std::vector<NextLayer> without;
  const Contract* contract = ContractOfModel(context);
  if (contract == nullptr || HasOtherShards(context.document)) return without;
  const LoaderParameters parameters(context.document, contract->architecture);
  if (parameters.layers() == parameters.all_layers()) return without;
  std::unordered_set<std::string_view> names;
  for (const TensorInfo& tensor : context.document.tensors) names.insert(tensor.name);
  for (const ContractLine& line : ContractLines(*contract, "next")) {
    const std::size_t star = line.fields.find('*');
    for (Number i = parameters.layers(); i < parameters.all_layers(); ++i) {
      const auto number = static_cast<std::uint64_t>(i);
      std::string name = std::string(line.fields).replace(star, 1, std::to_string(number));
      if (!names.contains(name)) without.push_back({number, std::move(name)});
    }
  }
  return without;
}

const std::vector<NextLayer>& NextLayersOf(const Context& context) {
  return context.cache.Get<std::vector<NextLayer>>([&] { return FindNextLayers(context); });
}

Shapes FindShapes(const Context& context) {
  Shapes found;
  const Contract* contract = ContractOfModel(context);
  if (contract == nullptr) return found;
  const LoaderParameters parameters(context.document, contract->architecture);
  const Vocabulary& vocabulary = VocabularyOf(context);
  std::optional<std::uint64_t> tokens;
  if (vocabulary.has_tokens) tokens = vocabulary.token_count;
  const ContractShapes shapes(*contract, parameters, tokens);
  const TensorPatterns& patterns = TensorPatternsOf(context);
  std::vector<const ContractShapes::Shape*> shape_of;  // by pattern
  for (const std::string& pattern : patterns.patterns()) shape_of.push_back(shapes.Find(pattern));
  found.all_known = std::ranges::all_of(shape_of, [&](const ContractShapes::Shape* shape) {
    return shape != nullptr && shapes.IsKnown(*shape);
  });
  // Layers are alike, unless a key has a number per layer. So a shape that equals the one before is
  // not checked again.
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
    if (std::optional<ShapeFault> fault = shapes.FaultOf(*shape_of[pattern], tensor)) {
      found.misshapen.push_back({&tensor, std::move(*fault)});
    } else if (!parameters.HasArrays()) {
      sound[pattern] = &tensor;
    }
  }
  return found;
}

const Shapes& ShapesOf(const Context& context) {
  return context.cache.Get<Shapes>([&] { return FindShapes(context); });
}

}  // namespace

const std::vector<std::string>& AbsentKeysOf(const Context& context) {
  return context.cache.Get<AbsentKeys>([&] { return FindAbsentKeys(context); }).names;
}

void CheckHyperparameterMissing(const Context& context, Sink& sink) {
  for (const std::string& name : AbsentKeysOf(context)) {
    // The models of Ollama's library lack the key, and its engine does without.
    const bool ollama =
        name == "qwen35moe.rope.dimension_sections" || name == "qwen35.rope.dimension_sections";
    ReportAbsent(
        context, name,
        ollama ? HyperparameterMissingWording::kOllama : HyperparameterMissingWording::kKey, sink);
  }
}

void CheckTensorMissing(const Context& context, Sink& sink) {
  for (const std::string& name : AbsentTensorsOf(context)) {
    ReportAbsent(context, name, TensorMissingWording::kTensor, sink);
  }
  for (const NextLayer& layer : NextLayersOf(context)) {
    const MetadataEntry& entry = *context.parameters.Find("nextn_predict_layers");
    sink.Add({.where = entry.ValueRange(),
              .subject = MetadataSubject(context.document, entry),
              .observed = TextFact(layer.absent),
              .other = layer.number,
              .wording = TensorMissingWording::kNextLayer});
  }
}

void CheckShapeRefused(const Context& context, Sink& sink) {
  for (const MisshapenTensor& misshapen : ShapesOf(context).misshapen) {
    const TensorInfo& tensor = *misshapen.tensor;
    const ShapeFault& fault = misshapen.fault;
    const bool there = fault.dimension < tensor.dimension_count;
    sink.Add({.where = there ? tensor.DimensionRange(fault.dimension) : tensor.NameRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = there ? tensor.dims.at(fault.dimension) : std::uint64_t{1},
              .allowed = TextFact(fault.wanted),
              .other = std::uint64_t{fault.dimension}});
  }
}

bool HasAbsentTensor(const Context& context) {
  return !AbsentTensorsOf(context).empty() || !NextLayersOf(context).empty();
}

bool HasMisshapenTensor(const Context& context) { return !ShapesOf(context).misshapen.empty(); }

bool KnowsAllShapes(const Context& context) { return ShapesOf(context).all_known; }

}  // namespace ggufgate
