// Rules that compare the tensors with the metadata.

#include <algorithm>
#include <bitset>
#include <string>

#include "check/hyper_parameters.h"
#include "check/rules/data_layout/data_layout.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "format/loader_limits.h"
#include "format/tensors/file_type.h"

namespace ggufgate {
namespace {

std::string ShapeText(std::span<const std::uint64_t> dims) {
  std::string text = "[";
  for (const std::uint64_t dim : dims) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(dim);
  }
  return text + "]";
}

// VocabularyIs returns whether `size` is the number of tokens, by the file's list or by its key. It
// is true if the file has neither.
bool VocabularyIs(const Context& context, const HyperParameters& parameters, std::uint64_t size) {
  const MetadataEntry* tokens = context.document.Find("tokenizer.ggml.tokens");
  const std::optional<std::uint64_t> stated = parameters.Unsigned("vocab_size");
  const bool listed = tokens != nullptr && tokens->type == ValueType::kArray;
  return (listed && tokens->count == size) || stated == size || (!listed && !stated);
}

// VocabularySize returns the expected size, for messages.
std::uint64_t VocabularySize(const Context& context, const HyperParameters& parameters) {
  const MetadataEntry* tokens = context.document.Find("tokenizer.ggml.tokens");
  if (tokens != nullptr && tokens->type == ValueType::kArray) return tokens->count;
  return parameters.Unsigned("vocab_size").value_or(0);
}

void CheckEmbeddings(const Context& context, const HyperParameters& parameters, Sink& sink) {
  const std::vector<TensorInfo>& tensors = context.document.tensors;
  const auto tensor = std::ranges::find(tensors, "token_embd.weight", &TensorInfo::name);
  const std::optional<std::uint64_t> width = parameters.Unsigned("embedding_length");
  if (tensor == tensors.end() || !width || !parameters.info()->embeddings) return;
  const bool flat = std::ranges::all_of(std::span(tensor->dims).subspan(2),
                                        [](std::uint64_t dim) { return dim == 1; });
  if (flat && tensor->dims.at(0) == *width &&
      VocabularyIs(context, parameters, tensor->dims.at(1))) {
    return;
  }
  std::array<std::uint64_t, 2> expected = {*width, VocabularySize(context, parameters)};
  if (expected.at(1) == 0) expected.at(1) = tensor->dims.at(1);
  sink.Add({.where = tensor->DimensionsRange(),
            .subject = TensorSubject(context.document, *tensor),
            .observed = TextFact(ShapeText(tensor->Dimensions())),
            .allowed = TextFact(ShapeText(expected)),
            .wording = TensorShapeWording::kEmbeddings});
}

// BlockOf returns N of `blk.N.`; nullopt for other names. Numbers beyond any layer are capped.
std::optional<std::uint64_t> BlockOf(std::string_view name) {
  constexpr std::string_view kPrefix = "blk.";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const std::size_t end = name.find('.');
  if (end == 0 || end == std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  for (const char c : name.substr(0, end)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = std::min(number * 10 + static_cast<std::uint64_t>(c - '0'), kMostLayers);
  }
  return number;
}

// Blocks has the block numbers of all tensors.
struct Blocks {
  std::bitset<kMostLayers> seen = {};
  const TensorInfo* first_beyond = nullptr;
  std::uint64_t beyond = 0;
};

Blocks BlocksOf(const Document& document, std::uint64_t layers) {
  Blocks blocks;
  for (const TensorInfo& tensor : document.tensors) {
    const std::optional<std::uint64_t> block = BlockOf(tensor.name);
    if (!block) continue;
    if (*block < layers) {
      blocks.seen.set(*block);
    } else if (blocks.beyond++ == 0) {
      blocks.first_beyond = &tensor;
    }
  }
  return blocks;
}

void CheckMissingBlocks(const Context& context, const HyperParameters& parameters,
                        const Blocks& blocks, std::uint64_t layers, Sink& sink) {
  // The file may lack the layers that predict further tokens.
  const std::uint64_t needed = parameters.LayersThatRead().value_or(layers);
  // This architecture runs the same layers several times, and the file has them once.
  if (parameters.architecture() == "hrm_text") return;
  // If widths differ between layers, a layer may have width 0, and then no tensor.
  const MetadataEntry* widths = parameters.Find("feed_forward_length");
  if (widths != nullptr && widths->type == ValueType::kArray) return;

  std::uint64_t missing = 0;
  std::uint64_t first = 0;
  for (std::uint64_t block = 0; block < needed; ++block) {
    if (!blocks.seen.test(block) && missing++ == 0) first = block;
  }
  // If no name has a block, the names have another form, as in T5.
  if (missing == 0 || blocks.seen.none()) return;
  // A draft model may have only the layers that predict further tokens.
  if (missing == needed && blocks.first_beyond == nullptr) return;
  const MetadataEntry& entry = *parameters.Find("block_count");
  sink.Add({.where = entry.ValueRange(),
            .subject = MetadataSubject(context.document, entry),
            .observed = first,
            .allowed = layers,
            .other = missing,
            .wording = TensorShapeWording::kBlockMissing});
}

}  // namespace

void CheckTensorShape(const Context& context, Sink& sink) {
  const Document& document = context.document;
  const HyperParameters& parameters = context.parameters;
  if (parameters.info() == nullptr || !IsWhole(document)) return;
  if (HasOtherShards(document) || IsSidecar(document)) return;
  CheckEmbeddings(context, parameters, sink);

  const std::optional<std::uint64_t> layers = parameters.Layers();
  if (!layers) return;
  const Blocks blocks = BlocksOf(document, *layers);
  if (blocks.first_beyond != nullptr) {
    sink.Add({.where = blocks.first_beyond->NameRange(),
              .subject = TensorSubject(document, *blocks.first_beyond),
              .observed = BlockOf(blocks.first_beyond->name).value_or(0),
              .allowed = *layers,
              .other = blocks.beyond,
              .wording = TensorShapeWording::kBlockBeyond});
  }
  CheckMissingBlocks(context, parameters, blocks, *layers, sink);
}

void CheckQuantizationVersionMissing(const Context& context, Sink& sink) {
  const Document& document = context.document;
  // Programs for image models and speech write files without metadata.
  if (document.metadata.empty() || document.metadata.size() < document.metadata_count) return;
  if (document.Find("general.quantization_version") != nullptr) return;
  if (IsFurtherShard(document)) return;
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const TensorTypeInfo* type = context.extents.at(i).type;
    if (type == nullptr || !type->quantised) continue;
    const TensorInfo& tensor = document.tensors.at(i);
    sink.Add({.where = tensor.TypeRange(),
              .subject = TensorSubject(document, tensor),
              .observed = TextFact(type->name)});
    return;
  }
}

void CheckFileTypeMismatch(const Context& context, Sink& sink) {
  const Document& document = context.document;
  const MetadataEntry* entry = document.Find("general.file_type");
  if (entry == nullptr || !IsWhole(document) || document.tensors.empty()) return;
  if (HasOtherShards(document)) return;
  const std::optional<Integer> number = IntegerOf(document, *entry);
  const std::optional<std::uint64_t> file_type = number ? number->Unsigned() : std::nullopt;
  if (!file_type) return;
  const std::optional<TensorType> type = MainTypeOf(*file_type);
  if (!type) return;
  // The numbers of a fork mean other types.
  const bool of_fork =
      IsInForkLayout(context) || std::ranges::any_of(context.extents, [](const Extent& extent) {
        return extent.type == nullptr;
      });
  if (of_fork) return;
  const auto id = static_cast<std::uint32_t>(*type);
  if (std::ranges::find(document.tensors, id, &TensorInfo::type_id) != document.tensors.end()) {
    return;
  }
  const TensorTypeInfo& info = *FindTensorType(id);
  const bool could_have = std::ranges::any_of(document.tensors, [&](const TensorInfo& tensor) {
    return tensor.dimension_count > 1 && tensor.dims.at(0) % info.block_elements == 0;
  });
  sink.Add({.where = entry->ValueRange(),
            .subject = MetadataSubject(document, *entry),
            .observed = *file_type,
            .allowed = TextFact(info.name),
            .at_most = could_have && !IsSidecar(document) ? Severity::kWarning : Severity::kNote});
}

}  // namespace ggufgate
