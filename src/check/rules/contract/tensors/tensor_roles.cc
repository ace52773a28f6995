// Rules about the role of a tensor in the graph of its architecture: types that run, and tensors
// that are optional for the loader but not for the graph. The lines of the contract:
//
//   role ROLE NAME…        the types that run; "*" is a number
//   sought REASON NAME…    the loader looks it up, but no operation of a form that runs reads it
//   unfit NAME…            the same, and the loader crashes on each form that has it
//   scaled NAME…           NVFP4 does not run together with a scale and a bias
//   rows NAME NAME         without the second, rows are looked up in the first
//   used NAME|NAME… NAME   every layer that has the second needs one of the first
//   used NAMES NAME NAME   the same in layers that have the third; with "!" before it, that lack it

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "check/hyper_parameters.h"
#include "check/rules/contract/conditions/conditions.h"
#include "check/rules/contract/parameters/formula_words.h"
#include "check/rules/contract/parameters/loader_parameters.h"
#include "check/rules/contract/tensors/roles.h"
#include "check/rules/contract/tensors/tensor_patterns.h"
#include "check/rules/rule_functions.h"
#include "format/contracts/contract.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate {
namespace {

struct NamedRole {
  std::string_view pattern;
  const Role* role;
};

using Names = std::unordered_set<std::string_view>;

Names NamesOf(const LoaderContract& contract, std::string_view word) {
  Names names;
  for (const ContractLine& line : contract.Lines(word)) {
    for (std::string_view fields = line.fields; !fields.empty();) names.insert(TakeField(fields));
  }
  return names;
}

std::vector<NamedRole> FindRoles(const LoaderContract& contract) {
  std::vector<NamedRole> roles;
  for (const ContractLine& line : contract.Lines("role")) {
    std::string_view fields = line.fields;
    const Role& role = RoleNamed(TakeField(fields));
    while (!fields.empty()) roles.push_back({TakeField(fields), &role});
  }
  for (const ContractLine& line : contract.Lines("sought")) {
    std::string_view fields = line.fields;
    if (TakeField(fields) == kSizeless) continue;  // the loader refuses each file with it
    while (!fields.empty()) {
      const std::string_view name = TakeField(fields);
      roles.push_back({name, &UnmeasuredRole(name)});
    }
  }
  for (const std::string_view name : NamesOf(contract, "unfit")) {
    roles.push_back({name, &RoleNamed("any")});
  }
  std::ranges::sort(roles, {}, &NamedRole::pattern);
  return roles;
}

struct Roles {
  std::vector<NamedRole> list;  // sorted by pattern
};

const std::vector<NamedRole>& RolesOf(const Context& context) {
  return context.cache.Get<Roles>([&] { return Roles{FindRoles(*ContractOfModel(context))}; }).list;
}

const Role* RoleOf(const std::vector<NamedRole>& roles, std::string_view pattern) {
  const auto found = std::ranges::lower_bound(roles, pattern, {}, &NamedRole::pattern);
  return found != roles.end() && found->pattern == pattern ? found->role : nullptr;
}

std::string LayerName(std::string_view pattern, std::string_view number) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return std::string(pattern);
  return std::string(pattern.substr(0, star)) + std::string(number) +
         std::string(pattern.substr(star + 1));
}

// NumberIn returns the part of a name that matches the "*" of a pattern; nullopt if the name does
// not match.
std::optional<std::string_view> NumberIn(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return name == pattern ? std::optional<std::string_view>("") : std::nullopt;
  }
  const std::string_view tail = pattern.substr(star + 1);
  if (name.size() <= star + tail.size() || !name.ends_with(tail) ||
      !name.starts_with(pattern.substr(0, star))) {
    return std::nullopt;
  }
  return name.substr(star, name.size() - star - tail.size());
}

bool HasOneOf(const Names& names, std::string_view patterns, std::string_view number) {
  while (!patterns.empty()) {
    if (names.contains(LayerName(TakeField(patterns, '|'), number))) return true;
  }
  return false;
}

// CheckScaled: the graph would apply the scale after the bias. build_ffn of llama-graph.cpp asserts
// against that.
void CheckScaled(const Context& context, const LoaderContract& contract, Sink& sink) {
  constexpr auto kType = static_cast<std::uint32_t>(TensorType::kNVFP4);
  const std::vector<TensorInfo>& tensors = context.document.tensors;
  if (std::ranges::find(tensors, kType, &TensorInfo::type_id) == tensors.end()) return;
  const Names scaled = NamesOf(contract, "scaled");
  const TensorPatterns& patterns = TensorPatternsOf(context);
  Names names;
  for (const TensorInfo& tensor : tensors) names.insert(tensor.name);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].type_id != kType || patterns.IndexOf(i) == TensorPatterns::kNone) continue;
    if (!scaled.contains(patterns.patterns()[patterns.IndexOf(i)])) continue;
    const std::string stem(tensors[i].name.substr(0, tensors[i].name.rfind('.')));
    if (!names.contains(stem + ".scale") || !names.contains(stem + ".bias")) continue;
    sink.Add({.where = tensors[i].TypeRange(),
              .subject = TensorSubject(context.document, tensors[i]),
              .observed = TextFact(FindTensorType(kType)->name),
              .allowed =
                  TextFact("a type other than NVFP4, because the tensor has a scale and a bias")});
  }
}

// CheckRows: the CPU backend repacks this matrix for products only. The graph that looks up its
// rows then finds no backend, and an assertion fails (ggml_backend_sched_split_graph of
// ggml-backend.cpp).
void CheckRows(const Context& context, const LoaderContract& contract, Sink& sink) {
  const std::vector<TensorInfo>& tensors = context.document.tensors;
  const auto named = [&](std::string_view name) {
    return std::ranges::find(tensors, name, &TensorInfo::name);
  };
  for (const ContractLine& line : contract.Lines("rows")) {
    std::string_view embedding = line.fields;
    const auto matrix = named(TakeField(embedding));
    if (matrix == tensors.end() || named(embedding) != tensors.end()) continue;
    const TensorTypeInfo* type = FindTensorType(matrix->type_id);
    if (type == nullptr) continue;
    const std::string_view processors = RepackedOn(type->type, matrix->dims[1]);
    if (processors.empty()) continue;
    sink.Add(
        {.where = matrix->TypeRange(),
         .subject = TensorSubject(context.document, *matrix),
         .observed = TextFact(type->name),
         .allowed = TextFact("a type that is not repacked, such as F16, because the model has no "
                             "token_embd.weight (repacked on " +
                             std::string(processors) + ")"),
         // A published model, codeshell-7b-chat, runs on x86-64 alone.
         .at_most = processors == kArmAlone ? Severity::kWarning : Severity::kError});
  }
}

constexpr std::string_view kRopeFactors = "rope_freqs.weight";  // refused if no layer uses it

// UnknownTensors: `indexes` of tensors with unknown names. The others are in layers that predict
// further tokens: all of them, if the loader makes no tensors of such layers, or else the scales.
struct UnknownTensors {
  std::vector<std::size_t> indexes;
  std::vector<std::size_t> of_next_layers;
  std::vector<std::size_t> scales_of_next_layers;
  bool all_predict = false;  // rule layer-counts reports that
};

// IsSharedScale: a scale of a tensor that all kinds of layers have.
bool IsSharedScale(std::string_view name) {
  return (name.ends_with(".scale") || name.ends_with(".input_scale")) &&
         name.find(".nextn.") == std::string_view::npos;
}

// NextLayers: the tensors that a loader makes in layers that predict further tokens.
enum class NextLayers : std::uint8_t {
  kNone,
  kWithoutScales,  // measured with llama.cpp v0.5.0 where such layers have separate tensors
  kLikeOthers,     // deepseek4, and most architectures of b10361 (llama.cpp#27736)
};

NextLayers NextLayersOf(const LoaderContract& contract) {
  for (const ContractLine& line : contract.Lines("next")) {
    if (line.fields == kMakesNone) return NextLayers::kNone;
    if (line.fields.find(".nextn.") == std::string_view::npos) return NextLayers::kLikeOthers;
  }
  return NextLayers::kWithoutScales;
}

UnknownTensors FindUnknownTensors(const Context& context) {
  UnknownTensors unknown;
  const LoaderContract* contract = ContractOfModel(context);
  if (contract == nullptr) return unknown;
  const std::vector<NamedRole>& roles = RolesOf(context);
  const TensorPatterns& patterns = TensorPatternsOf(context);
  std::vector<bool> known;  // by pattern
  for (const std::string& pattern : patterns.patterns()) {
    known.push_back(RoleOf(roles, pattern) != nullptr);
  }
  const LoaderParameters& parameters = LoaderParametersOf(context);
  const NextLayers next = NextLayersOf(*contract);
  // Once per file: a file may repeat the name, and have many layers.
  const bool uses_rope_factors = formula::UsesRopeFactors(parameters);
  const Number first = parameters.FirstNextLayer();
  const Number end = parameters.all_layers();
  unknown.all_predict = first == 0;
  for (std::size_t i = 0; i < context.document.tensors.size(); ++i) {
    const std::string_view name = context.document.tensors[i].name;
    const std::uint16_t pattern = patterns.IndexOf(i);
    const bool is_unused = !uses_rope_factors && name == kRopeFactors;
    if ((pattern != TensorPatterns::kNone && !known[pattern]) || is_unused) {
      unknown.indexes.push_back(i);
      continue;
    }
    const std::optional<Number> layer = first < end ? LayerOf(name) : std::nullopt;
    if (!layer || *layer < first || *layer >= end) continue;
    if (next == NextLayers::kNone) {
      unknown.of_next_layers.push_back(i);
    } else if (next == NextLayers::kWithoutScales && IsSharedScale(name)) {
      unknown.scales_of_next_layers.push_back(i);
    }
  }
  return unknown;
}

// UnknownTensorsOf: the loader counts the tensors that it looked up, and compares
// (llama_model_loader::done_getting_tensors). Rule tensor-shape reports layers beyond the last.
const UnknownTensors& UnknownTensorsOf(const Context& context) {
  return context.cache.Get<UnknownTensors>([&] { return FindUnknownTensors(context); });
}

}  // namespace

void CheckTensorRole(const Context& context, Sink& sink) {
  const LoaderContract* contract = ContractOfModel(context);
  if (contract == nullptr) return;
  const std::vector<NamedRole>& roles = RolesOf(context);
  const TensorPatterns& patterns = TensorPatternsOf(context);
  std::vector<const Role*> asked;  // by pattern
  for (const std::string& pattern : patterns.patterns()) asked.push_back(RoleOf(roles, pattern));
  const std::vector<TensorInfo>& tensors = context.document.tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TensorInfo& tensor = tensors[i];
    const std::uint16_t pattern = patterns.IndexOf(i);
    const Role* role = pattern != TensorPatterns::kNone ? asked[pattern] : nullptr;
    const TensorTypeInfo* type = FindTensorType(tensor.type_id);
    if (type == nullptr || tensor.type_id == static_cast<std::uint32_t>(TensorType::kF32)) continue;
    if (role == nullptr || role->takes(static_cast<TensorType>(tensor.type_id))) continue;
    sink.Add({.where = tensor.TypeRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = TextFact(type->name),
              .allowed = TextFact(role->runs)});
  }
  CheckScaled(context, *contract, sink);
  // Another shard may have the embedding for the rows.
  if (!HasOtherShards(context.document)) CheckRows(context, *contract, sink);
}

namespace {

// IsOfProjector: the names of encoders for pictures and sound, and of what leads to the model. No
// model without a projector has them.
bool IsOfProjector(std::string_view name) {
  return name.starts_with("v.") || name.starts_with("a.") || name.starts_with("mm.");
}

// KeepsProjectorInside: models whose projector Ollama's converter writes into the same file, and
// its engine reads from there (ollama/ollama, model/models: those with a part for pictures).
bool KeepsProjectorInside(std::string_view architecture) {
  constexpr std::array<std::string_view, 8> kNames = {
      "gemma3", "gemma4", "llama4", "mistral3", "qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe"};
  return std::ranges::find(kNames, architecture) != kNames.end();
}

// ReportFirst reports the first of some tensors, with their number.
void ReportFirst(const Context& context, std::span<const std::size_t> indexes,
                 TensorUnknownWording wording, Sink& sink) {
  if (indexes.empty()) return;
  const TensorInfo& tensor = context.document.tensors[indexes.front()];
  sink.Add({.where = tensor.NameRange(),
            .subject = TensorSubject(context.document, tensor),
            .observed = TextFact(context.parameters.architecture()),
            .other = std::uint64_t{indexes.size()},
            .wording = wording});
}

}  // namespace

void CheckTensorUnknown(const Context& context, Sink& sink) {
  const std::vector<std::size_t>& unknown = UnknownTensorsOf(context).indexes;
  const bool joined = KeepsProjectorInside(context.parameters.architecture());
  if (joined) {
    std::vector<std::size_t> of_projector;
    std::ranges::copy_if(unknown, std::back_inserter(of_projector), [&](std::size_t index) {
      return IsOfProjector(context.document.tensors[index].name);
    });
    ReportFirst(context, of_projector, TensorUnknownWording::kJoined, sink);
  }
  const bool is_known = !unknown.empty() && RoleOf(RolesOf(context), kRopeFactors) != nullptr;
  for (const std::size_t index : unknown) {
    const TensorInfo& tensor = context.document.tensors[index];
    if (joined && IsOfProjector(tensor.name)) continue;
    sink.Add({.where = tensor.NameRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = TextFact(context.parameters.architecture()),
              .wording = tensor.name == kRopeFactors && is_known ? TensorUnknownWording::kUnused
                                                                 : TensorUnknownWording::kName});
  }
  if (UnknownTensorsOf(context).all_predict) return;
  ReportFirst(context, UnknownTensorsOf(context).of_next_layers, TensorUnknownWording::kNextLayer,
              sink);
  ReportFirst(context, UnknownTensorsOf(context).scales_of_next_layers,
              TensorUnknownWording::kNextScale, sink);
}

bool HasUnknownTensor(const Context& context) {
  const UnknownTensors& unknown = UnknownTensorsOf(context);
  return !unknown.indexes.empty() || !unknown.of_next_layers.empty() ||
         !unknown.scales_of_next_layers.empty();
}

void CheckTensorUnfit(const Context& context, Sink& sink) {
  const LoaderContract* contract = ContractOfModel(context);
  if (contract == nullptr) return;
  const Names unfit = NamesOf(*contract, "unfit");
  if (unfit.empty()) return;
  const std::string_view ending = IsRefusedAtLoad(context) ? "refuses the file"
                                  : MayBeRefused(context)  ? "refuses the file or crashes"
                                                           : "crashes";
  const TensorPatterns& patterns = TensorPatternsOf(context);
  const std::vector<TensorInfo>& tensors = context.document.tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::uint16_t pattern = patterns.IndexOf(i);
    if (pattern == TensorPatterns::kNone || !unfit.contains(patterns.patterns()[pattern])) continue;
    sink.Add({.where = tensors[i].NameRange(),
              .subject = TensorSubject(context.document, tensors[i]),
              .observed = TextFact(std::string(contract->architecture())),
              .other = TextFact(ending)});
  }
}

void CheckTensorEmpty(const Context& context, Sink& sink) {
  const LoaderContract* contract = ContractOfModel(context);
  if (contract == nullptr) return;
  std::optional<LoaderParameters> parameters;
  for (const TensorInfo& tensor : context.document.tensors) {
    const auto dims = std::span(tensor.dims).first(tensor.dimension_count);
    const auto empty = std::ranges::find(dims, 0U);
    if (empty == dims.end() || tensor.name.find(".ffn_") == std::string_view::npos) continue;
    if (!parameters) parameters.emplace(context.document, contract->architecture());
    // If the width is not 0, the loader refuses the shape of the tensor.
    const Number layer = LayerOf(tensor.name).value_or(0);
    if (parameters->At("feed_forward_length", layer) != 0) continue;
    const auto number = static_cast<std::size_t>(empty - dims.begin());
    sink.Add({.where = tensor.DimensionRange(number),
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{0},
              .allowed = std::uint64_t{1},
              .other = std::uint64_t{number}});
  }
}

void CheckTensorUsed(const Context& context, Sink& sink) {
  const LoaderContract* contract = ContractOfModel(context);
  if (contract == nullptr || HasOtherShards(context.document)) return;  // another shard may have it
  Names names;
  for (const ContractLine& line : contract->Lines("used")) {
    const std::vector<TensorInfo>& tensors = context.document.tensors;
    if (names.empty()) {
      for (const TensorInfo& tensor : tensors) names.insert(tensor.name);
    }
    std::string_view where = line.fields;
    const std::string_view wanted = TakeField(where);
    const std::string_view beside = TakeField(where);
    const bool lacking = where.starts_with('!');
    if (lacking) where.remove_prefix(1);
    for (const TensorInfo& tensor : tensors) {
      const std::optional<std::string_view> number = NumberIn(tensor.name, beside);
      if (!number || HasOneOf(names, wanted, *number)) continue;
      if (!where.empty() && HasOneOf(names, where, *number) == lacking) continue;
      std::string_view first = wanted;
      sink.Add({.where = tensor.NameRange(),
                .subject = TensorSubject(context.document, tensor),
                .observed = TextFact(LayerName(TakeField(first, '|'), *number))});
    }
  }
}

}  // namespace ggufgate
