#include "mutate/models/running_model.h"

#include <algorithm>

#include "bytes/checked.h"
#include "mutate/build/compose.h"
#include "mutate/build/records.h"
#include "mutate/generate/learned_data.h"
#include "mutate/generate/learned_model.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kMostModelBytes = std::uint64_t{64} << 20;

bool IsNumber(std::string_view segment) {
  return !segment.empty() && segment.find_first_not_of("0123456789") == segment.npos;
}

// Matches returns whether a name matches a pattern, in which "*" is a number.
bool Matches(std::string_view pattern, std::string_view name) {
  while (!pattern.empty() && !name.empty()) {
    const std::string_view wanted = TakeField(pattern, '.');
    const std::string_view segment = TakeField(name, '.');
    if (wanted == "*" ? !IsNumber(segment) : wanted != segment) return false;
  }
  return pattern.empty() && name.empty();
}

// LayerOf returns the number in "blk.N.…", or 0.
std::uint64_t LayerOf(std::string_view name) {
  if (!name.starts_with("blk.")) return 0;
  name.remove_prefix(4);
  return static_cast<std::uint64_t>(ReadInteger(TakeField(name, '.')).value_or(0));
}

// Guess estimates the rows or columns of an attention matrix if the contract does not state them.
// Layers with windows have other widths, so no formula held in all measured models.
struct Guess {
  std::string_view ending;
  std::size_t dimension;
  std::string_view reading;
};
constexpr std::array<Guess, 10> kGuesses = {
    {{".attn_q.weight", 1, "attention.head_count*key_width"},
     {".attn_k.weight", 1, "kv_heads*key_width"},
     {".attn_v.weight", 1, "kv_heads*value_width"},
     {".attn_qkv.weight", 1, "qkv_rows"},
     {".attn_q.bias", 0, "attention.head_count*key_width"},
     {".attn_k.bias", 0, "kv_heads*key_width"},
     {".attn_v.bias", 0, "kv_heads*value_width"},
     {".attn_qkv.bias", 0, "qkv_rows"},
     {".attn_gate.weight", 1, "attention.head_count*key_width"},
     {".attn_output.weight", 0, "attention.head_count*value_width"}}};

std::string_view GuessOf(std::string_view name, std::size_t dimension) {
  const auto found = std::ranges::find_if(kGuesses, [&](const Guess& guess) {
    return guess.dimension == dimension && name.ends_with(guess.ending);
  });
  return found != kGuesses.end() ? found->reading : std::string_view();
}

// HasOtherWidths returns whether a number changed that may determine unexplained dimensions.
bool HasOtherWidths(const Quantities& before, const Quantities& after) {
  constexpr std::array<std::string_view, 3> kWidths = {"embedding_length", "attention.head_count",
                                                       "attention.head_count_kv"};
  return std::ranges::any_of(kWidths,
                             [&](auto name) { return before.At(name, 0) != after.At(name, 0); });
}

// Decimal prints a number in decimal; empty if the arena is full.
std::string_view Decimal(Arena& arena, std::uint64_t number) {
  std::size_t count = 1;
  for (std::uint64_t rest = number; rest >= 10; rest /= 10) ++count;
  const MutableBytes digits = arena.Take(count);
  for (std::size_t at = digits.size(); at > 0; --at, number /= 10) {
    digits[at - 1] = static_cast<std::uint8_t>('0' + number % 10);
  }
  return AsText(digits);
}

// ReadingOf returns the first reading that gives the learned dimension; empty if no reading does.
std::string_view ReadingOf(std::string_view readings, const Quantities& before, std::uint64_t layer,
                           std::uint64_t dimension) {
  while (!readings.empty()) {
    const std::string_view reading = TakeField(readings, '|');
    if (reading != "?" && before.Product(reading, layer) == dimension) return reading;
  }
  return {};
}

std::size_t StoreElement(ValueType type, std::string_view text, MutableBytes out) {
  if (type == ValueType::kF32 || type == ValueType::kF64) {
    const double value = ReadDecimal(text).value_or(0);
    if (type == ValueType::kF64) {
      Store(value, ByteOrder::kLittle, out);
    } else {
      Store(static_cast<float>(value), ByteOrder::kLittle, out);
    }
    return InfoOf(type).scalar_bytes;
  }
  const auto number = static_cast<std::uint64_t>(ReadInteger(text).value_or(0));
  return StoreLowest(number, InfoOf(type).scalar_bytes, out);
}

}  // namespace

void PrepareContracts() { static_cast<void>(AllContracts()); }

const Contract* RunningModel::ContractOf(const Draft& draft) {
  constexpr std::size_t kFewTensors = 4;
  if (draft.tensors.size() < kFewTensors || draft.encoding != Encoding{}) return nullptr;
  const auto entry = std::ranges::find(draft.entries, kArchitectureKey, &Entry::key);
  if (entry == draft.entries.end()) return nullptr;
  const std::string_view name = TextOf(*entry).value_or(std::string_view());
  const Contract* const contract = FindContract(name);
  if (contract == nullptr) return nullptr;
  const Quantities quantities(draft.entries.Things(), name, 0);
  const bool asked = quantities.Find("context_length") != nullptr &&
                     quantities.Find("embedding_length") != nullptr &&
                     quantities.Find("block_count") != nullptr;
  return asked ? contract : nullptr;
}

RunningModel::RunningModel(MutationContext& context, const Contract& contract,
                           const LearnedVocabularies& vocabularies)
    : context_(context), contract_(contract), vocabularies_(vocabularies) {}

Entry* RunningModel::Find(std::string_view name) const {
  for (Entry& entry : context_.draft.entries) {
    if (KeyIs(entry.key, contract_.architecture, name)) return &entry;
  }
  return nullptr;
}

std::optional<std::uint64_t> RunningModel::Number(std::string_view name) const {
  const Entry* const entry = Find(name);
  if (entry == nullptr || !Is(*entry, ValueType::kU32)) return std::nullopt;
  return UnsignedOf(*entry);
}

bool RunningModel::HasCondition(std::string_view slug) const {
  for (const ContractLine& line : ContractLines(contract_, "condition")) {
    if (line.name == slug) return true;
  }
  return false;
}

bool RunningModel::HasArrays() const {
  return std::ranges::any_of(context_.draft.entries, [&](const Entry& entry) {
    return entry.key.starts_with(contract_.architecture) && IsArray(entry) &&
           !entry.key.ends_with("dimension_sections");
  });
}

bool RunningModel::AllLayersAlike() const {
  for (const ContractLine& line : ContractLines(contract_, "tensor")) {
    const std::optional<ContractTensor> tensor = TensorOf(line);
    if (tensor && tensor->forms.Has(form_) && tensor->name.find("blk.") != std::string_view::npos &&
        !tensor->InEachLayer()) {
      return false;
    }
  }
  return true;
}

std::uint64_t RunningModel::Tokens() const {
  const Entry* const tokens = Find("/tokenizer.ggml.tokens");
  return tokens != nullptr && IsArray(*tokens) ? CountOf(*tokens) : 0;
}

bool RunningModel::AddKey(const ContractKey& key) {
  constexpr std::size_t kMostElementBytes = 8;
  Arena& arena = context_.arena;
  const std::string_view name =
      key.after_architecture ? Joined(arena, {contract_.architecture, ".", key.name}) : key.name;
  const auto commas = static_cast<std::uint64_t>(std::ranges::count(key.value, ','));
  std::string_view rest = key.value;
  const auto next = [&](MutableBytes out) {
    return StoreElement(key.type, TakeField(rest, ','), out);
  };
  Entry entry{.key = name, .type = IdOf(key.is_array ? ValueType::kArray : key.type)};
  if (key.is_array) {
    entry.value = ArrayValueOf(arena, key.type, commas + 1, kMostElementBytes, next);
  } else {
    const MutableBytes room = arena.Take(InfoOf(key.type).scalar_bytes);
    if (!room.empty()) next(room);
    entry.value = room;
  }
  if (learned_count_ == kMostKeys || !AddEntry(context_.draft, entry)) return false;
  learned_.at(learned_count_++) = entry;
  return true;
}

bool RunningModel::SetVocabulary(const LearnedVocabularies::Vocabulary& vocabulary) {
  constexpr std::string_view kTypeCount = "tokenizer.ggml.token_type_count";
  Draft& draft = context_.draft;
  draft.entries.Keep([&](const Entry& entry) {
    return !entry.key.starts_with("tokenizer.") || entry.key == kTypeCount;
  });
  return std::ranges::all_of(vocabulary.keys.metadata, [&](const Model::Entry& one) {
    return AddEntry(draft, {.key = one.key, .type = one.type, .value = one.payload});
  });
}

bool RunningModel::AddTensor(const ContractTensor& tensor, std::string_view name) {
  Tensor made{.name = name,
              .dimension_count = static_cast<std::uint32_t>(tensor.dimension_count),
              .type = static_cast<std::uint32_t>(tensor.type)};
  for (std::size_t i = 0; i < tensor.dimension_count; ++i) {
    const bool tokens = tensor.dims.at(i) == ContractTensor::kTokens;
    made.dims.at(i) = tokens ? learned_tokens_ : tensor.dims.at(i);
  }
  return !name.empty() && context_.draft.tensors.Add(made);
}

bool RunningModel::AddTensors() {
  const std::uint64_t layers = Number("block_count").value_or(0);
  for (const ContractLine& line : ContractLines(contract_, "tensor")) {
    const std::optional<ContractTensor> tensor = TensorOf(line);
    if (!tensor) continue;
    // llama.cpp requires the number of types if it knows a vector per type, even if the file has
    // none.
    if (tensor->name == "token_types.weight") {
      const auto types = static_cast<std::uint32_t>(tensor->dims[1]);
      if (!SetNumber(context_, "tokenizer.ggml.token_type_count", types)) return false;
    }
    if (!tensor->forms.Has(form_)) continue;
    if (!tensor->InEachLayer() && !AddTensor(*tensor, tensor->name)) return false;
    const std::size_t star = tensor->name.find('*');
    for (std::uint64_t layer = 0; tensor->InEachLayer() && layer < layers; ++layer) {
      const std::string_view number = Decimal(context_.arena, layer);
      const std::string_view name = Joined(
          context_.arena, {tensor->name.substr(0, star), number, tensor->name.substr(star + 1)});
      if (!AddTensor(*tensor, name)) return false;
    }
  }
  return true;
}

bool RunningModel::SetLayers(std::uint64_t layers) {
  Draft& draft = context_.draft;
  // Makes all tensors again, in the types of the contract. Choose other types afterwards.
  draft.tensors.Clear();
  return SetNumber(context_, Find("block_count")->key, static_cast<std::uint32_t>(layers)) &&
         AddTensors();
}

bool RunningModel::Begin() {
  Draft& draft = context_.draft;
  Random& random = context_.random;
  draft.Clear();
  draft.has_counts = true;
  std::array<ContractForm, kContractFormCount> forms{};
  std::size_t count = 0;
  const ContractForms all = FormsOf(contract_);
  for (std::size_t i = 0; i < kContractFormCount; ++i) {
    if (all.Has(static_cast<ContractForm>(i))) forms.at(count++) = static_cast<ContractForm>(i);
  }
  if (count == 0) return false;
  form_ = forms.at(random.Below(count));
  const auto& vocabulary = vocabularies_.Of(
      FindVocabulary(contract_.vocabulary).value_or(TokenizerKind::kSentencePiece));
  learned_tokens_ = vocabulary.tokens;
  if (!AddText(context_, kArchitectureKey, contract_.architecture) ||
      !AddNumber(context_, "general.quantization_version", std::uint32_t{2})) {
    return false;
  }
  for (const ContractLine& line : ContractLines(contract_, "key")) {
    const std::optional<ContractKey> key = KeyOf(line);
    if (key && key->forms.Has(form_) && !AddKey(*key)) return false;
  }
  return SetVocabulary(vocabulary) && AddTensors();
}

// ShapeByGuess does the same for a tensor without a formula in the contract.
bool RunningModel::ShapeByGuess(Tensor& tensor, const Quantities& before,
                                const Quantities& after) const {
  const std::uint64_t layer = LayerOf(tensor.name);
  for (std::size_t i = 0; i < tensor.dimension_count; ++i) {
    const std::string_view reading =
        ReadingOf(GuessOf(tensor.name, i), before, layer, tensor.dims.at(i));
    if (reading.empty() && tensor.dims.at(i) > 1 && HasOtherWidths(before, after)) return false;
    if (!reading.empty()) tensor.dims.at(i) = after.Product(reading, layer).value_or(0);
    if (tensor.dims.at(i) == 0) return false;
  }
  return true;
}

// ShapeOne gives a tensor the dimensions that follow from the keys. Unexplained dimensions stay.
bool RunningModel::ShapeOne(Tensor& tensor, const Quantities& before,
                            const Quantities& after) const {
  const std::uint64_t layer = LayerOf(tensor.name);
  for (const ContractLine& line : ContractLines(contract_, "shape")) {
    std::string_view names = line.fields;
    std::string_view formulas = TakeField(names);
    bool meant = false;
    while (!meant && !names.empty()) meant = Matches(TakeField(names), tensor.name);
    if (!meant) continue;
    Tensor shaped = tensor;
    bool explained = true;
    for (std::size_t i = 0; i < tensor.dimension_count && explained; ++i) {
      const std::string_view readings = formulas.empty() ? "1" : TakeField(formulas, ',');
      std::string_view reading = ReadingOf(readings, before, layer, tensor.dims.at(i));
      const bool told = readings.find('?') == std::string_view::npos;
      if (reading.empty() && told) explained = false;
      if (reading.empty() && !told) {
        reading = ReadingOf(GuessOf(tensor.name, i), before, layer, tensor.dims.at(i));
        if (reading.empty() && HasOtherWidths(before, after)) return false;
      }
      if (reading.empty()) continue;
      const std::optional<std::uint64_t> dimension = after.Product(reading, layer);
      if (!dimension || *dimension == 0) return false;
      shaped.dims.at(i) = *dimension;
    }
    if (!explained) continue;
    tensor.dims = shaped.dims;
    return true;
  }
  return ShapeByGuess(tensor, before, after);
}

bool RunningModel::Finish() {
  Draft& draft = context_.draft;
  const Quantities before(std::span{learned_}.first(learned_count_), contract_.architecture,
                          learned_tokens_);
  const Quantities after(draft.entries.Things(), contract_.architecture, Tokens());
  std::uint64_t total = 0;
  for (Tensor& tensor : draft.tensors) {
    if (!ShapeOne(tensor, before, after)) return false;
    const auto dims = std::span(tensor.dims).first(tensor.dimension_count);
    const LearnedPlan plan{.contract = &contract_, .form = form_, .type = TensorType{tensor.type}};
    if (tensor.type != static_cast<std::uint32_t>(TensorType::kF32) &&
        TensorType{tensor.type} != TensorType::kI32 && !CanTake(plan, tensor.name, dims)) {
      tensor.type = static_cast<std::uint32_t>(TensorType::kF32);
    }
    const TensorTypeInfo& type = *FindTensorType(tensor.type);
    std::uint64_t elements = 1;
    for (const std::uint64_t dim : dims) elements = CheckedMul(elements, dim).value_or(UINT64_MAX);
    if (elements > kMostModelBytes || elements % type.block_elements != 0) return false;
    const std::uint64_t size = elements / type.block_elements * type.block_bytes;
    total += size + kDefaultAlignment;
    if (total > context_.room()) return false;
    const MutableBytes data = context_.arena.Take(static_cast<std::size_t>(size));
    if (data.empty()) return false;
    FillLearned(tensor.name, type.type, data);
    tensor.data = data;
  }
  return true;
}

}  // namespace ggufgate::mutate
