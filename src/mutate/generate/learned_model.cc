#include "mutate/generate/learned_model.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "format/tensors/file_type.h"
#include "mutate/generate/learned_data.h"
#include "mutate/generate/learned_vocabulary.h"

namespace ggufgate::mutate {
namespace {

// --- metadata ------------------------------------------------------------------------------------

// PutElement appends one element of a key's value. A test checks that all texts of the table can be
// parsed.
void PutElement(ValueType type, std::string_view text, Encoder& out) {
  const std::int64_t integer = ReadInteger(text).value_or(0);
  switch (type) {
    case ValueType::kF32:
      out.Put(static_cast<float>(ReadDecimal(text).value_or(0)));
      return;
    case ValueType::kF64:
      out.Put(ReadDecimal(text).value_or(0));
      return;
    default:
      break;
  }
  switch (InfoOf(type).scalar_bytes) {
    case 1:
      out.Put(static_cast<std::uint8_t>(integer));
      return;
    case 2:
      out.Put(static_cast<std::uint16_t>(integer));
      return;
    case 4:
      out.Put(static_cast<std::uint32_t>(integer));
      return;
    default:
      out.Put(static_cast<std::uint64_t>(integer));
      return;
  }
}

void SetKey(const ContractKey& key, std::string_view architecture, Model& model) {
  std::string name;
  if (key.after_architecture) name.append(architecture).append(".");
  name.append(key.name);
  Encoder payload(model.byte_order);
  if (key.is_array) {
    const auto commas = std::ranges::count(key.value, ',');
    payload.Put(static_cast<std::uint32_t>(key.type)).Put(static_cast<std::uint64_t>(commas) + 1);
  }
  for (std::string_view rest = key.value; !rest.empty();) {
    PutElement(key.type, TakeField(rest, ','), payload);
  }
  model.SetRaw(name, key.is_array ? ValueType::kArray : key.type, payload.Take());
}

// FileTypeOf returns the first file type number of a tensor type, or nullopt.
std::optional<std::uint32_t> FileTypeOf(TensorType type) {
  constexpr std::uint32_t kNumbers = 64;  // more than exist
  for (std::uint32_t number = 0; number < kNumbers; ++number) {
    if (MainTypeOf(number) == type) return number;
  }
  return std::nullopt;
}

// --- tensors -------------------------------------------------------------------------------------

// Parts of the names of matrices that llama-quantize does not quantise: they are small, or they are
// not used in products but added, convolved or looked up. Source: llama.cpp v0.5.0,
// tensor_allows_quantization in src/llama-quant.cpp.
constexpr std::array<std::string_view, 21> kKept = {"norm",
                                                    "ffn_gate_inp",
                                                    "tid2eid",
                                                    "altup",
                                                    "laurel",
                                                    "per_layer_model_proj",
                                                    "position_embd",
                                                    "token_types",
                                                    "conv",
                                                    "indexer.k_proj",
                                                    "indexer.q_proj",
                                                    "time_mix_first",
                                                    "time_mix_w",
                                                    "time_mix_v",
                                                    "time_mix_a",
                                                    "time_mix_g",
                                                    "time_mix_decay_w",
                                                    "time_mix_lerp",
                                                    "attn_rel_b",
                                                    "ssm_a",
                                                    "ssm_d"};

bool IsWeightMatrix(std::string_view name, std::size_t dimension_count) {
  return dimension_count >= 2 && name.ends_with(".weight") &&
         std::ranges::none_of(kKept, [name](std::string_view part) {
           return name.find(part) != std::string_view::npos;
         });
}

// HasSibling returns whether a form has the sibling of a ".weight", such as its ".bias".
bool HasSibling(const LearnedPlan& plan, std::string_view weight, std::string_view ending) {
  const std::string_view stem = weight.substr(0, weight.rfind('.'));
  for (const ContractLine& line : ContractLines(*plan.contract, "tensor")) {
    const std::optional<ContractTensor> other = TensorOf(line);
    if (other && other->forms.Has(plan.form) && other->name.starts_with(stem) &&
        other->name.substr(stem.size()) == ending) {
      return true;
    }
  }
  return false;
}

// TakesRows returns whether the loader looks up rows of a matrix because there is no embedding.
bool TakesRows(const LearnedPlan& plan, std::string_view name) {
  bool rows = false;
  bool embedding = false;
  for (const ContractLine& line : ContractLines(*plan.contract)) {
    std::string_view fields = line.fields;
    if (line.word == "rows") rows = rows || TakeField(fields) == name;
    const std::optional<ContractTensor> other = TensorOf(line);
    if (other && other->name == "token_embd.weight" && other->forms.Has(plan.form))
      embedding = true;
  }
  return rows && !embedding;
}

class TensorMaker {
 public:
  TensorMaker(const LearnedPlan& plan, std::uint64_t tokens, Model& model)
      : plan_(plan), tokens_(tokens), model_(model) {}

  void Add(const ContractTensor& tensor, std::uint64_t layers) {
    if (!tensor.InEachLayer()) return AddOne(tensor, std::string(tensor.name));
    const std::size_t star = tensor.name.find('*');
    for (std::uint64_t layer = 0; layer < layers; ++layer) {
      std::string name(tensor.name);
      AddOne(tensor, name.replace(star, 1, std::to_string(layer)));
    }
  }

 private:
  void AddOne(const ContractTensor& tensor, std::string_view name) {
    const std::span<const std::uint64_t> learned = tensor.Dimensions();
    std::vector<std::uint64_t> dims(learned.begin(), learned.end());
    std::ranges::replace(dims, ContractTensor::kTokens, tokens_);
    const TensorType type = CanTake(plan_, tensor.name, dims) ? plan_.type : tensor.type;
    FillLearned(model_.Add(name, type, std::move(dims)));
  }

  const LearnedPlan& plan_;
  std::uint64_t tokens_;
  Model& model_;
};

}  // namespace

// An NVFP4 tensor with a scale and a bias fails an assertion of llama.cpp v0.5.0
// (src/llama-graph.cpp, build_ffn). Measured with llama, mistral3 and nemotron_h, when they make a
// context.
bool CanTake(const LearnedPlan& plan, std::string_view name, std::span<const std::uint64_t> dims) {
  if (!IsWeightMatrix(name, dims.size())) return false;
  const TensorTypeInfo* info = FindTensorType(static_cast<std::uint32_t>(plan.type));
  if (info == nullptr || dims.front() % info->block_elements != 0) return false;
  if (!RepackedOn(plan.type, dims[1]).empty() && TakesRows(plan, name)) return false;
  return plan.type != TensorType::kNVFP4 || !HasSibling(plan, name, ".scale") ||
         !HasSibling(plan, name, ".bias");
}

std::optional<ContractForm> SimplestForm(const Contract& contract, bool experts, bool whole) {
  const ContractForms forms = FormsOf(contract);
  constexpr std::array kSimplestFirst = {ContractForm::kDense, ContractForm::kExperts,
                                         ContractForm::kWholeDense, ContractForm::kWholeExperts};
  for (const ContractForm form : kSimplestFirst) {
    const bool has_experts = form == ContractForm::kExperts || form == ContractForm::kWholeExperts;
    const bool is_whole = form == ContractForm::kWholeDense || form == ContractForm::kWholeExperts;
    if (forms.Has(form) && (has_experts || !experts) && (is_whole || !whole)) return form;
  }
  return std::nullopt;
}

Model MakeLearned(const LearnedPlan& plan) {
  const Contract& contract = *plan.contract;
  Model model;
  model.Set(kArchitectureKey, contract.architecture);
  if (const auto number = FileTypeOf(plan.type)) model.Set("general.file_type", *number);
  model.Set("general.quantization_version", std::uint32_t{2});
  std::uint64_t layers = 0;
  for (const ContractLine& line : ContractLines(contract, "key")) {
    const std::optional<ContractKey> key = KeyOf(line);
    if (!key || !key->forms.Has(plan.form)) continue;
    SetKey(*key, contract.architecture, model);
    const bool counts_layers = key->after_architecture && key->name == "block_count";
    if (counts_layers) layers = static_cast<std::uint64_t>(ReadInteger(key->value).value_or(0));
  }
  TensorMaker tensors(plan, AddVocabulary(model, plan.vocabulary), model);
  for (const ContractLine& line : ContractLines(contract, "tensor")) {
    const std::optional<ContractTensor> tensor = TensorOf(line);
    if (!tensor) continue;
    // llama.cpp requires the number of types if it knows a vector per type, even if the file has
    // none.
    if (tensor->name == "token_types.weight") {
      model.Set("tokenizer.ggml.token_type_count", static_cast<std::uint32_t>(tensor->dims[1]));
    }
    if (tensor->forms.Has(plan.form)) tensors.Add(*tensor, layers);
  }
  return model;
}

std::size_t MatricesOf(const Model& model, TensorType type) {
  return static_cast<std::size_t>(
      std::ranges::count_if(model.tensors, [type](const Model::Tensor& tensor) {
        return tensor.dims.size() >= 2 && tensor.type_id == static_cast<std::uint32_t>(type);
      }));
}

}  // namespace ggufgate::mutate
