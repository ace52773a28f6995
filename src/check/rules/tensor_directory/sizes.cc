// Rules about dimensions and types, and the sizes that follow from them. Each rule reports only
// facts that the rules before it do not report for the same tensor.

#include <algorithm>
#include <optional>
#include <string>

#include "bytes/checked.h"
#include "check/rules/rule_functions.h"
#include "check/rules/tensor_directory/foreign_types.h"
#include "format/loader_limits.h"

namespace ggufgate {
namespace {

bool HasNegativeDimension(const TensorInfo& tensor) {
  return std::ranges::any_of(tensor.dims, [](std::uint64_t dim) { return dim > kMaximumSize; });
}

// DimensionsText prints dimensions: "[4096, 32000]".
std::string DimensionsText(const TensorInfo& tensor) {
  std::string text = "[";
  for (const std::uint64_t dim : tensor.Dimensions()) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(dim);
  }
  return text + "]";
}

// DividesByDimensions tells whether the loader divides by the dimensions of tensors. Releases of
// llama.cpp before August 2026 do so.
bool DividesByDimensions(const Context& context) {
  const LoaderContract* const contract = context.contract();
  if (contract == nullptr) return false;
  const ContractLines lines = contract->Lines("load");
  return std::ranges::any_of(lines.begin(), lines.end(), [](const ContractLine& line) {
    return line.fields == kDividesByDimensions;
  });
}

// ForEach calls `look(tensor, extent)` for every tensor in file order.
template <typename Look>
void ForEach(const Context& context, Look look) {
  for (std::size_t i = 0; i < context.document.tensors.size(); ++i) {
    look(context.document.tensors.at(i), context.extents.at(i));
  }
}

}  // namespace

// The parser itself reports a tensor with more dimensions than it can read.
void CheckTensorDimensions(const Context& context, Sink& sink) {
  if (context.policy.profile == Profile::kDiffusion) return;
  const bool warn = context.policy.profile == Profile::kGate;
  for (const TensorInfo& tensor : context.document.tensors) {
    if (tensor.dimension_count <= kMaximumDimensions) continue;
    sink.Add({.where = tensor.DimensionCountRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{tensor.dimension_count},
              .allowed = std::uint64_t{kMaximumDimensions},
              .wording = warn ? TensorDimensionsWording::kTooManyForLlamaCpp
                              : TensorDimensionsWording::kTooMany,
              .at_most = warn ? Severity::kWarning : Severity::kError});
  }
}

void CheckTensorDimensionNegative(const Context& context, Sink& sink) {
  for (const TensorInfo& tensor : context.document.tensors) {
    for (std::size_t i = 0; i < tensor.dimension_count; ++i) {
      if (tensor.dims.at(i) <= kMaximumSize) continue;
      sink.Add({.where = tensor.DimensionRange(i),
                .subject = TensorSubject(context.document, tensor),
                .observed = tensor.dims.at(i),
                .allowed = kMaximumSize,
                .other = std::uint64_t{i}});
    }
  }
}

void CheckTensorDimensionZero(const Context& context, Sink& sink) {
  std::optional<bool> divides;  // only files with such a tensor depend on the release
  for (const TensorInfo& tensor : context.document.tensors) {
    for (std::size_t i = 1; i < tensor.dimension_count; ++i) {
      if (tensor.dims.at(i) != 0) continue;
      if (!divides) divides = DividesByDimensions(context);
      sink.Add({.where = tensor.DimensionRange(i),
                .subject = TensorSubject(context.document, tensor),
                .observed = std::uint64_t{0},
                .allowed = std::uint64_t{1},
                .other = std::uint64_t{i},
                .at_least = *divides ? Severity::kError : Severity::kOff});
    }
  }
}

void CheckTensorRowEmpty(const Context& context, Sink& sink) {
  for (const TensorInfo& tensor : context.document.tensors) {
    if (tensor.dims.front() != 0) continue;
    sink.Add({.where = tensor.DimensionRange(0),
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{0},
              .allowed = std::uint64_t{1}});
  }
}

void CheckTensorElementsOverflow(const Context& context, Sink& sink) {
  ForEach(context, [&](const TensorInfo& tensor, const Extent& extent) {
    if (extent.elements || HasNegativeDimension(tensor)) return;
    sink.Add({.where = tensor.DimensionsRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = TextFact(DimensionsText(tensor)),
              .allowed = kMaximumSize});
  });
}

void CheckTensorBytesOverflow(const Context& context, Sink& sink) {
  ForEach(context, [&](const TensorInfo& tensor, const Extent& extent) {
    if (extent.bytes || !extent.elements || !extent.whole_blocks) return;
    sink.Add({.where = tensor.DimensionsRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = *extent.elements,
              .allowed = kMaximumSize,
              .other = TextFact(extent.type->name)});
  });
}

void CheckTensorPaddingOverflow(const Context& context, Sink& sink) {
  if (!context.document.alignment) return;
  const std::uint64_t alignment = *context.document.alignment;
  ForEach(context, [&](const TensorInfo& tensor, const Extent& extent) {
    if (!extent.bytes || extent.padded) return;
    sink.Add({.where = tensor.DimensionsRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = *extent.bytes,
              .allowed = alignment});
  });
}

void CheckTensorTotalOverflow(const Context& context, Sink& sink) {
  std::uint64_t total = 0;
  bool over = false;
  ForEach(context, [&](const TensorInfo& tensor, const Extent& extent) {
    if (over || !extent.padded) return;
    total += *extent.padded;  // both below 2^63: no overflow
    over = total > kMaximumTotal;
    if (!over) return;
    sink.Add({.where = tensor.DimensionsRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = total,
              .allowed = kMaximumTotal});
  });
}

void CheckTensorType(const Context& context, Sink& sink) {
  ForEach(context, [&](const TensorInfo& tensor, const Extent& extent) {
    if (extent.type != nullptr) return;
    // Ollama converts its own type when it loads the model: its sizes are known then.
    const bool loads = context.policy.for_ollama && extent.bytes.has_value();
    sink.Add({.where = tensor.TypeRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{tensor.type_id},
              .cause = CauseOfType(context, tensor.type_id),
              .at_most = loads ? Severity::kNote : Severity::kError});
  });
}

// Sources: gguf-py/gguf/constants.py (GGML_QUANT_SIZES: 4 + 4 + 32) and gguf-tools' gguflib.c.
void CheckTensorTypeDisputed(const Context& context, Sink& sink) {
  constexpr std::uint64_t kOfOthers = 40;
  for (const TensorInfo& tensor : context.document.tensors) {
    if (TensorType{tensor.type_id} != TensorType::kQ8_1) continue;
    const TensorTypeInfo* type = FindTensorType(tensor.type_id);
    sink.Add({.where = tensor.TypeRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{type->block_bytes},
              .allowed = kOfOthers,
              .other = TextFact(type->name)});
  }
}

void CheckTensorRowBlocks(const Context& context, Sink& sink) {
  ForEach(context, [&](const TensorInfo& tensor, const Extent& extent) {
    if (extent.type == nullptr || extent.whole_blocks) return;
    sink.Add({.where = tensor.dimension_count > 0 ? tensor.DimensionRange(0)
                                                  : tensor.DimensionCountRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = tensor.dims.front(),
              .allowed = std::uint64_t{extent.type->block_elements},
              .other = TextFact(extent.type->name)});
  });
}

void CheckLimitExceeded(const Context& context, Sink& sink) {
  const std::uint64_t limit = context.policy.limits.tensor_elements;
  ForEach(context, [&](const TensorInfo& tensor, const Extent& extent) {
    if (!extent.elements || *extent.elements <= limit) return;
    sink.Add({.where = tensor.DimensionsRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = *extent.elements,
              .allowed = limit,
              .wording = LimitExceededWording::kElements});
  });
}

}  // namespace ggufgate
