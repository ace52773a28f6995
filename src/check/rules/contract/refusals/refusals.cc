// Files of known architectures that llama.cpp refuses: keys or tensors are absent, or shapes
// contradict the hyper-parameters. The lines of the contract:
//
//   required FORMS KEY…             keys without which a form is refused
//   tensor NAME … FORMS required    the same for tensors
//   next NAME…                      the same for a layer that predicts further tokens
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
#include "check/rules/contract/refusals/absent_tensors.h"
#include "check/rules/contract/tensors/shapes.h"
#include "check/rules/contract/tensors/tensor_patterns.h"
#include "check/rules/rule_functions.h"
#include "format/contracts/contract.h"

namespace ggufgate {
namespace {

void ReportAbsent(const Context& context, const std::string& name, Wording wording, Sink& sink) {
  const MetadataEntry& entry = *context.document.Find("general.architecture");
  sink.Add({.where = entry.ValueRange(),
            .subject = MetadataSubject(context.document, entry),
            .observed = TextFact(name),
            .wording = wording});
}

constexpr std::string_view kSectionsKey = "rope.dimension_sections";
constexpr std::uint64_t kSections = 4;  // time, height, width, and a spare one
constexpr std::uint64_t kOllamaSections = 3;

// IsOfOllama is true of the architectures whose sections Ollama writes otherwise, or not at all:
// its engine does without them.
bool IsOfOllama(std::string_view architecture) {
  return architecture == "qwen35" || architecture == "qwen35moe";
}

// --- keys
// ------------------------------------------------------------------------------------------

struct AbsentKeys {
  std::vector<std::string> names;
};

// AddFirst adds the keys that the loader reads before the architecture's keys
// (llama_model_base::load_hparams and llama_vocab::impl::load of v0.5.0). A file without tensors
// counts as a model if it has context_length.
void AddFirst(const Context& context, const LoaderContract& contract,
              std::vector<std::string>& names) {
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
    if (!has(key)) names.push_back(std::string(contract.architecture()) + "." + std::string(key));
  }
}

AbsentKeys FindAbsentKeys(const Context& context) {
  AbsentKeys absent;
  if (!IsWhole(context.document) || IsFurtherShard(context.document)) return absent;
  const LoaderContract* contract = context.contract();
  if (contract == nullptr) return absent;
  AddFirst(context, *contract, absent.names);
  if (ContractOfModel(context) == nullptr) return absent;
  const LoaderParameters& parameters = LoaderParametersOf(context);
  const std::vector<ContractForm> forms = FormsLike(*contract, parameters);
  const CompressedKinds kinds(context, parameters);
  for (const ContractLine& line : contract->Lines("required")) {
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
      absent.names.push_back((alone ? "" : std::string(contract->architecture()) + ".") +
                             std::string(key));
    }
  }
  return absent;
}

// MisfitArray is an array that the loader copies only if it has `wanted` elements.
struct MisfitArray {
  const MetadataEntry* entry;
  std::uint64_t wanted;
};

// MisfitArraysOf returns the arrays of another length. Longer sections break
// per-layer-array-length.
std::vector<MisfitArray> MisfitArraysOf(const Context& context) {
  std::vector<MisfitArray> found;
  const LoaderContract* contract = ContractOfModel(context);
  if (contract == nullptr) return found;
  const auto find = [&](std::string_view name) -> const MetadataEntry* {
    const bool read = std::ranges::any_of(contract->Lines("key"),
                                          [&](const auto& line) { return line.name == name; });
    const MetadataEntry* entry = read ? context.parameters.Find(name) : nullptr;
    return entry != nullptr && entry->type == ValueType::kArray ? entry : nullptr;
  };
  const MetadataEntry* sections = find(kSectionsKey);
  if (sections != nullptr && HasShape(*sections, KeyShape::kIntegers) &&
      sections->count < kSections) {
    found.push_back({sections, kSections});
  }
  // dots3note has the same key, and its loader accepts any length.
  const MetadataEntry* types = find("attention.indexer.types");
  if (types != nullptr && contract->architecture() == "hy_v4" &&
      HasShape(*types, KeyShape::kIntegers) && context.parameters.Find("block_count") != nullptr) {
    const LoaderParameters& parameters = LoaderParametersOf(context);
    const auto layers = static_cast<std::uint64_t>(parameters.layers());
    if (types->count != layers) found.push_back({types, layers});
  }
  return found;
}

// --- tensors -------------------------------------------------------------------------------------

// NextLayer is a layer that nextn_predict_layers announces, and that the file lacks or has in part.
struct NextLayer {
  std::uint64_t number;
  std::string absent;  // the first required tensor that is absent
};

struct MisshapenTensor {
  const TensorInfo* tensor;
  ShapeFault fault;
};

struct Shapes {
  std::vector<MisshapenTensor> misshapen;
  bool all_known = false;  // the shape of each tensor follows from the keys
};

std::vector<NextLayer> FindNextLayers(const Context& context) {
  std::vector<NextLayer> without;
  const LoaderContract* contract = ContractOfModel(context);
  if (contract == nullptr || HasOtherShards(context.document)) return without;
  const LoaderParameters& parameters = LoaderParametersOf(context);
  const Number first = parameters.FirstNextLayer();
  if (first == parameters.all_layers()) return without;
  std::unordered_set<std::string_view> names;
  for (const TensorInfo& tensor : context.document.tensors) names.insert(tensor.name);
  for (const ContractLine& line : contract->Lines("next")) {
    if (line.fields == kMakesNone) continue;
    for (Number i = first; i < parameters.all_layers(); ++i) {
      std::string_view fields = line.fields;
      while (!fields.empty()) {
        std::string name(TakeField(fields));
        name.replace(name.find('*'), 1, std::to_string(static_cast<std::uint64_t>(i)));
        if (names.contains(name)) continue;
        without.push_back({static_cast<std::uint64_t>(i), std::move(name)});
        break;
      }
    }
  }
  return without;
}

const std::vector<NextLayer>& NextLayersOf(const Context& context) {
  return context.cache.Get<std::vector<NextLayer>>([&] { return FindNextLayers(context); });
}

Shapes FindShapes(const Context& context) {
  Shapes found;
  const LoaderContract* contract = ContractOfModel(context);
  if (contract == nullptr) return found;
  const LoaderParameters& parameters = LoaderParametersOf(context);
  const ContractShapes& shapes = ContractShapesOf(context);
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

bool LacksNextLayer(const Context& context) { return !NextLayersOf(context).empty(); }

const std::vector<std::string>& AbsentKeysOf(const Context& context) {
  return context.cache.Get<AbsentKeys>([&] { return FindAbsentKeys(context); }).names;
}

void CheckHyperparameterMissing(const Context& context, Sink& sink) {
  const bool of_ollama = IsOfOllama(context.parameters.architecture());
  for (const std::string& name : AbsentKeysOf(context)) {
    const bool ollama = of_ollama && name.ends_with(kSectionsKey);
    ReportAbsent(
        context, name,
        ollama ? HyperparameterMissingWording::kOllama : HyperparameterMissingWording::kKey, sink);
  }
  for (const MisfitArray& array : MisfitArraysOf(context)) {
    const bool ollama = of_ollama && array.entry->count == kOllamaSections;
    sink.Add({.where = array.entry->ValueRange(),
              .subject = MetadataSubject(context.document, *array.entry),
              .observed = array.entry->count,
              .allowed = array.wanted,
              .wording = ollama ? HyperparameterMissingWording::kOllamaLength
                                : HyperparameterMissingWording::kLength});
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
