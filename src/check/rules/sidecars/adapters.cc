// Rules about files that change a model: LoRA adapters and control vectors.

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>

#include "bytes/checked.h"
#include "check/hyper_parameters.h"
#include "check/rules/contract/tensors/tensor_patterns.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "format/contracts/contract.h"
#include "format/loader_limits.h"

namespace ggufgate {
namespace {

constexpr std::string_view kLoraA = ".lora_a";
constexpr std::string_view kLoraB = ".lora_b";

// Half is one of the two tensors of a LoRA adapter for a tensor of the model.
struct Half {
  std::string_view base;  // name of the model's tensor
  bool is_b;
  const TensorInfo* tensor;
};

// IsStack: these tensors of models have a third dimension: experts, and heads of latent attention.
bool IsStack(std::string_view base) {
  return base.ends_with("_exps.weight") || base.ends_with("_b.weight");
}

// CheckHalf checks one half alone.
void CheckHalf(const Context& context, const Half& half, Sink& sink) {
  const TensorInfo& tensor = *half.tensor;
  Sink::Report report = {.where = tensor.TypeRange(),
                         .subject = TensorSubject(context.document, tensor)};
  if (!RunsInMatrices(TensorType{tensor.type_id})) {
    const TensorTypeInfo* type = FindTensorType(tensor.type_id);
    report.observed = TextFact(type != nullptr ? type->name : "of an unknown type");
    report.wording = AdapterWording::kKernel;
    sink.Add(report);
  }
  const std::uint64_t layers = tensor.dims.at(2);
  report.where = tensor.DimensionsRange();
  const std::uint64_t more = std::max(tensor.dims.at(3), tensor.dims.at(4));
  if (more > 1 || (layers > 1 && !IsStack(half.base))) {
    report.observed = std::max(layers, more);
    report.wording = AdapterWording::kDimensions;
    sink.Add(std::move(report));
  } else if (layers == 1 && half.base.ends_with("_exps.weight")) {
    report.wording = AdapterWording::kExperts;
    sink.Add(std::move(report));
  }
}

// CheckPair compares the two halves for one tensor. For token embeddings, llama.cpp looks up a row
// of A, which is transposed, and does not compare the ranks.
void CheckPair(const Context& context, const Half& a, const Half& b, Sink& sink) {
  const bool embeddings = a.base.ends_with("token_embd.weight");
  const std::uint64_t rank = a.tensor->dims.at(embeddings ? 0 : 1);
  const std::uint64_t allowed = b.tensor->dims.at(0);
  Sink::Report report = {.where = a.tensor->DimensionsRange(),
                         .subject = TensorSubject(context.document, *a.tensor),
                         .other = TextFact(b.tensor->name)};
  if (rank == 0 && allowed == 0) {
    report.wording = AdapterWording::kRankZero;
    sink.Add(std::move(report));
  } else if (rank != allowed) {
    report.observed = rank;
    report.allowed = allowed;
    report.wording = AdapterWording::kRank;
    if (!embeddings) report.at_most = Severity::kWarning;
    sink.Add(std::move(report));
  } else if (a.tensor->dims.at(2) != b.tensor->dims.at(2)) {
    report.observed = a.tensor->dims.at(2);
    report.allowed = b.tensor->dims.at(2);
    report.wording = AdapterWording::kDepth;
    sink.Add(std::move(report));
  }
}

// CheckTied: a model without output.weight also uses token_embd.weight for the last product.
// llama.cpp applies these halves there too, in the wrong order. If the adapter has halves for
// output.weight, the model has that tensor.
void CheckTied(const Context& context, const Half& embeddings, const std::vector<Half>& halves,
               Sink& sink) {
  if (std::ranges::find(halves, "output.weight", &Half::base) != halves.end()) return;
  sink.Add({.where = embeddings.tensor->NameRange(),
            .subject = TensorSubject(context.document, *embeddings.tensor),
            .wording = AdapterWording::kTied,
            .at_most = Severity::kWarning});
}

// CheckRows: if there is no embedding, some architectures look up rows of a matrix. Then the loader
// uses the halves of that matrix for the embedding, with the wrong order of dimensions. If the
// adapter has halves for the embedding, the model has that tensor.
void CheckRows(const Context& context, const Half& matrix, const std::vector<Half>& halves,
               Sink& sink) {
  const LoaderContract* contract = context.contract();
  if (contract == nullptr) return;
  for (const ContractLine& line : contract->Lines("rows")) {
    std::string_view embedding = line.fields;
    if (TakeField(embedding) != matrix.base) continue;
    if (std::ranges::find(halves, embedding, &Half::base) != halves.end()) continue;
    sink.Add({.where = matrix.tensor->NameRange(),
              .subject = TensorSubject(context.document, *matrix.tensor),
              .other = TextFact(embedding),
              .wording = AdapterWording::kRows,
              .at_most = Severity::kWarning});
  }
}

// CheckUnadapted: after some products, a graph requires that the result is one. With an adapter it
// is a sum (GGML_ASSERT(a->op == GGML_OP_MUL_MAT), ggml_mul_mat_set_prec).
void CheckUnadapted(const Context& context, const Half& half, Sink& sink) {
  const LoaderContract* contract = context.contract();
  if (contract == nullptr) return;
  const std::string pattern = PatternOf(half.base);
  for (const ContractLine& line : contract->Lines("unadapted")) {
    for (std::string_view names = line.fields; !names.empty();) {
      if (TakeField(names) != pattern) continue;
      sink.Add({.where = half.tensor->NameRange(),
                .subject = TensorSubject(context.document, *half.tensor),
                .observed = TextFact(contract->architecture()),
                .wording = AdapterWording::kUnadapted});
    }
  }
}

void CheckHalves(const Context& context, Sink& sink) {
  std::vector<Half> halves;
  for (const TensorInfo& tensor : context.document.tensors) {
    if (!IsHalf(tensor)) continue;
    const bool is_b = tensor.name.ends_with(kLoraB);
    halves.push_back({tensor.name.substr(0, tensor.name.size() - kLoraA.size()), is_b, &tensor});
  }
  std::ranges::sort(halves, [](const Half& a, const Half& b) {
    return a.base != b.base ? a.base < b.base : a.is_b < b.is_b;
  });
  for (auto half = halves.begin(); half != halves.end();) {
    const auto end = std::find_if(half, halves.end(),
                                  [&](const Half& other) { return other.base != half->base; });
    // The halves for one tensor: all are of one kind, or both kinds exist.
    if (half->is_b == (end - 1)->is_b) {
      const std::string_view other = half->is_b ? kLoraA : kLoraB;
      sink.Add({.where = half->tensor->NameRange(),
                .subject = TensorSubject(context.document, *half->tensor),
                .other = TextFact(std::string(half->base) + std::string(other)),
                .wording = AdapterWording::kHalf});
    } else {
      CheckPair(context, *half, *(end - 1), sink);
      if (half->base == "token_embd.weight") CheckTied(context, *half, halves, sink);
      CheckRows(context, *half, halves, sink);
      CheckUnadapted(context, *half, sink);
    }
    std::for_each(half, end, [&](const Half& each) { CheckHalf(context, each, sink); });
    half = end;
  }
}

// CheckRefused warns about files that llama.cpp does not accept as adapters.
void CheckRefused(const Context& context, Sink& sink) {
  const Document& document = context.document;
  const MetadataEntry* type = document.Find("adapter.type");
  if (type != nullptr && type->type == ValueType::kString && TextOf(document, *type) != "lora") {
    sink.Add({.where = type->ElementsRange(),
              .subject = MetadataSubject(document, *type),
              .observed = TextFact(document.StringOf(*type).value_or("")),
              .wording = AdapterWording::kOtherType,
              .at_most = Severity::kWarning});
  }
  const MetadataEntry* tokens = document.Find("adapter.alora.invocation_tokens");
  if (tokens != nullptr && !tokens->IsArrayOf(ValueType::kU32)) {
    sink.Add({.where = tokens->TypeRange(),
              .subject = MetadataSubject(document, *tokens),
              .observed = TextFact(TypeText(*tokens)),
              .wording = AdapterWording::kInvocation,
              .at_most = Severity::kWarning});
  }
  for (const TensorInfo& tensor : document.tensors) {
    if (IsHalf(tensor) || tensor.name.ends_with("_norm.weight")) continue;
    sink.Add({.where = tensor.NameRange(),
              .subject = TensorSubject(document, tensor),
              .wording = AdapterWording::kSuffix,
              .at_most = Severity::kWarning});
  }
}

constexpr std::string_view kDirectionPrefix = "direction.";

// DirectionLayer returns the layer of a direction; nullopt if the name has none.
std::optional<std::uint64_t> DirectionLayer(std::string_view number) {
  std::uint64_t layer = 0;
  const auto [end, error] = std::from_chars(number.data(), std::to_address(number.end()), layer);
  const bool is_layer = error == std::errc() && end == std::to_address(number.end()) && layer >= 1;
  if (!is_layer || layer > kMostLayers) return std::nullopt;
  return layer;
}

void CheckDirection(const Context& context, const TensorInfo& tensor, const TensorInfo& first,
                    Sink& sink) {
  const std::string_view number = tensor.name.substr(kDirectionPrefix.size());
  const std::optional<std::uint64_t> layer = DirectionLayer(number);
  Sink::Report report = {.where = tensor.NameRange(),
                         .subject = TensorSubject(context.document, tensor)};
  if (!layer) {
    report.observed = TextFact(number);
    report.allowed = kMostLayers;
    report.wording = AdapterWording::kDirection;
    sink.Add(std::move(report));
    return;
  }
  const bool flat = std::ranges::all_of(std::span(tensor.dims).subspan(1),
                                        [](std::uint64_t dim) { return dim == 1; });
  report.where = tensor.DimensionsRange();
  if (!flat || tensor.type_id != static_cast<std::uint32_t>(TensorType::kF32)) {
    const TensorTypeInfo* type = FindTensorType(tensor.type_id);
    if (flat) report.where = tensor.TypeRange();
    report.observed = TextFact(type != nullptr ? type->name : "of an unknown type");
    report.allowed = std::uint64_t{tensor.dimension_count};
    report.wording = AdapterWording::kShape;
    sink.Add(std::move(report));
    return;
  }
  // llama.cpp computes the place of a direction in int (common/common.cpp,
  // common_control_vector_load_one).
  const std::uint64_t width = tensor.dims.front();
  if (CheckedMul(width, *layer).value_or(UINT64_MAX) > INT32_MAX) {
    report.observed = width;
    report.allowed = std::uint64_t{INT32_MAX} / *layer;
    report.wording = AdapterWording::kTooWide;
    sink.Add(std::move(report));
  } else if (width != first.dims.front()) {
    report.observed = width;
    report.allowed = first.dims.front();
    report.wording = AdapterWording::kWidth;
    report.at_most = Severity::kWarning;
    sink.Add(std::move(report));
  }
}

}  // namespace

void CheckAdapter(const Context& context, Sink& sink) {
  const Document& document = context.document;
  // After a fault, the other half may be in the unread part. It is never in another file, because
  // llama.cpp opens one file.
  if (!IsWhole(document)) return;
  // Some models have halves among their tensors, and a shard may contain only halves
  // (graniteswitch). llama.cpp treats a file as an adapter only if a key declares it.
  const bool claims = ClaimsAdapter(document);
  if (claims || (IsSidecar(document) && !HasOtherShards(document))) CheckHalves(context, sink);
  if (claims) CheckRefused(context, sink);
  // For control vectors, llama.cpp reads no architecture.
  const TensorInfo* first = nullptr;
  for (const TensorInfo& tensor : document.tensors) {
    if (!tensor.name.starts_with(kDirectionPrefix)) continue;
    if (first == nullptr) first = &tensor;
    CheckDirection(context, tensor, *first, sink);
  }
}

}  // namespace ggufgate
