#include "check/rules/contract/tensors/shapes.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "bytes/grouped.h"
#include "check/rules/contract/parameters/formula_words.h"
#include "check/rules/tokenizer/vocabulary_view.h"

namespace ggufgate {

namespace {

// AreSmall returns whether each number fits into a u32. The loader reads no others, and a product
// of three does not overflow.
bool AreSmall(std::initializer_list<Number> numbers) {
  return std::ranges::all_of(numbers,
                             [](Number number) { return number >= 0 && number <= UINT32_MAX; });
}

}  // namespace

bool IsShapeQuantity(std::string_view word) {
  return formula::OneOf(word, {"tokens", "layers", "kv_heads", "key_width", "value_width",
                               "qkv_rows", "embedding_and_kv_rows"});
}

ContractShapes::ContractShapes(const LoaderContract& contract, const LoaderParameters& parameters,
                               std::optional<std::uint64_t> tokens)
    : parameters_(parameters), tokens_(tokens) {
  for (const ContractLine& line : contract.Lines("shape")) {
    std::string_view fields = line.fields;
    const std::string_view dimensions = TakeField(fields);
    while (!fields.empty()) lines_.push_back({TakeField(fields), {dimensions}});
  }
  for (const ContractLine& line : contract.Lines("first")) {
    for (std::string_view fields = line.fields; !fields.empty();) {
      of_first_.push_back(TakeField(fields));
    }
  }
  std::ranges::sort(lines_, [](const Line& a, const Line& b) {
    return a.pattern != b.pattern ? a.pattern < b.pattern : a.shape < b.shape;
  });
  // Merge lines of one pattern.
  std::vector<Line> merged;
  for (Line& line : lines_) {
    if (merged.empty() || merged.back().pattern != line.pattern) {
      merged.push_back(std::move(line));
    } else {
      merged.back().shape.push_back(line.shape.front());
    }
  }
  lines_ = std::move(merged);
}

const ContractShapes::Shape* ContractShapes::Find(std::string_view pattern) const {
  const auto found = std::ranges::lower_bound(lines_, pattern, {}, &Line::pattern);
  return found != lines_.end() && found->pattern == pattern ? &found->shape : nullptr;
}

bool ContractShapes::IsNothing(std::string_view readings) const {
  const Number layers = parameters_.HasArrays() ? parameters_.all_layers() : 1;
  while (!readings.empty()) {
    const std::string_view reading = TakeField(readings, '|');
    if (reading == "?" || reading.find("tokens") != std::string_view::npos) return false;
    for (Number layer = 0; layer < layers; ++layer) {
      // The loader uses 0 for an optional key that is absent.
      if (Product(reading, layer).value_or(0) != 0) return false;
    }
  }
  return true;
}

bool ContractShapes::IsEmpty(std::string_view pattern) const {
  const Shape* const shape = Find(pattern);
  return shape != nullptr && std::ranges::all_of(*shape, [&](std::string_view dimensions) {
           while (!dimensions.empty()) {
             if (IsNothing(TakeField(dimensions, ','))) return true;
           }
           return false;
         });
}

std::optional<Number> ContractShapes::Quantity(std::string_view word, Number layer) const {
  const LoaderParameters& p = parameters_;
  const auto layer_for = [&](std::string_view key) {
    return std::ranges::find(of_first_, key) != of_first_.end() ? 0 : layer;
  };
  const auto kv_heads = [&] { return p.KeyValueHeads(layer_for("attention.head_count_kv")); };
  if (word == "tokens") return tokens_;
  if (word == "layers") return p.layers();
  // Without the key each head has its own keys and values (llama_model_base::load_hparams).
  if (word == "kv_heads" || word == "attention.head_count_kv") return kv_heads();
  if (word == "key_width") return p.KeyWidth();
  if (word == "value_width") return p.ValueWidth();
  if (word == "qkv_rows") {
    const Number heads = p.Heads(layer_for("attention.head_count"));
    if (!AreSmall({heads, kv_heads(), p.KeyWidth(), p.ValueWidth()})) return std::nullopt;
    return (heads + kv_heads()) * p.KeyWidth() + kv_heads() * p.ValueWidth();
  }
  if (word == "embedding_and_kv_rows") {
    if (!AreSmall({kv_heads(), p.ValueWidth(), p.Embedding()})) return std::nullopt;
    return p.Embedding() + 2 * kv_heads() * p.ValueWidth();
  }
  // If one of the two is 0, the loader uses the widths of other models
  // (llama_hparams::n_embd_head_k_mla and n_embd_head_v_mla).
  if (word == "attention.key_length_mla" && !formula::IsLatent(p)) return p.KeyWidth();
  if (word == "attention.value_length_mla" && !formula::IsLatent(p)) return p.ValueWidth();
  if (const std::optional<std::int64_t> number = ReadInteger(word)) return *number;
  // The contract does not state the loader's default for an absent key.
  return p.Has(word) ? std::optional<Number>(p.At(word, layer_for(word))) : std::nullopt;
}

std::optional<Number> ContractShapes::Product(std::string_view reading, Number layer) const {
  std::string_view factors = TakeField(reading, '/');
  Number product = 1;
  while (!factors.empty()) {
    const std::optional<Number> factor = Quantity(TakeField(factors, '*'), layer);
    if (!factor || !AreSmall({*factor})) return std::nullopt;
    product *= *factor;
  }
  if (reading.empty()) return product;
  const std::optional<std::int64_t> divisor = ReadInteger(reading);
  return divisor && *divisor > 0 ? std::optional<Number>(product / *divisor) : std::nullopt;
}

bool ContractShapes::Allows(std::string_view readings, Number layer, Number dimension) const {
  while (!readings.empty()) {
    const std::string_view reading = TakeField(readings, '|');
    const std::optional<Number> wanted = reading == "?" ? std::nullopt : Product(reading, layer);
    if (!wanted || *wanted == dimension) return true;
  }
  return false;
}

bool ContractShapes::IsKnown(const Shape& shape) const {
  for (std::string_view dimensions : shape) {
    while (!dimensions.empty()) {
      for (std::string_view readings = TakeField(dimensions, ','); !readings.empty();) {
        const std::string_view reading = TakeField(readings, '|');
        if (reading == "?" || !Product(reading, 0)) return false;
      }
    }
  }
  return true;
}

std::string ContractShapes::Wanted(std::string_view readings, Number layer) const {
  std::string text;
  std::optional<Number> before;
  while (!readings.empty()) {
    const std::string_view reading = TakeField(readings, '|');
    const std::optional<Number> number = Product(reading, layer);
    if (reading == "1") return "it must be 1";
    if (!number || number == before) continue;
    if (!text.empty()) text += " or ";
    text += std::string(reading) + " is " + GroupedSigned(static_cast<std::int64_t>(*number));
    before = number;
  }
  return text;
}

std::optional<ShapeFault> ContractShapes::FaultIn(std::string_view dimensions,
                                                  const TensorInfo& tensor) const {
  const Number layer = LayerOf(tensor.name).value_or(0);
  for (std::size_t i = 0; i < tensor.dims.size(); ++i) {
    const Number dimension = i < tensor.dimension_count ? Number{tensor.dims.at(i)} : 1;
    const std::string_view readings = dimensions.empty() ? "1" : TakeField(dimensions, ',');
    if (Allows(readings, layer, dimension)) continue;
    return ShapeFault{.dimension = i, .wanted = Wanted(readings, layer)};
  }
  return std::nullopt;
}

std::optional<ShapeFault> ContractShapes::FaultOf(const Shape& shape,
                                                  const TensorInfo& tensor) const {
  std::optional<ShapeFault> first;
  for (const std::string_view dimensions : shape) {
    std::optional<ShapeFault> fault = FaultIn(dimensions, tensor);
    if (!fault) return std::nullopt;
    if (!first) first = std::move(fault);
  }
  return first;
}

const ContractShapes& ContractShapesOf(const Context& context) {
  return context.cache.Get<ContractShapes>([&] {
    const Vocabulary& vocabulary = VocabularyOf(context);
    std::optional<std::uint64_t> tokens;
    if (vocabulary.has_tokens) tokens = vocabulary.token_count;
    return ContractShapes(*context.contract(), LoaderParametersOf(context), tokens);
  });
}

}  // namespace ggufgate
