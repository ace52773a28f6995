// Lies about conditions that crash llama.cpp, from src/format/contracts: a small model of two
// layers with one fault. The shapes of its tensors may be wrong too.

#include <array>
#include <limits>
#include <string>

#include "format/contracts/contract.h"
#include "format/tensors/tensor_type.h"
#include "mutate/build/compose.h"
#include "mutate/build/known_key.h"
#include "mutate/build/records.h"
#include "mutate/lies/lie_context.h"
#include "mutate/mutations/mutations.h"
#include "mutate/repair/repair.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kModelRoom = std::uint64_t{16} << 10;
constexpr std::uint64_t kWidth = 8;
constexpr std::uint64_t kRoomForTable = std::uint64_t{2} << 10;  // keys and one tensor
constexpr std::uint64_t kUsedExperts = 2;

Tensor Floats(std::string_view name) {
  Tensor tensor{
      .name = name, .dimension_count = 1, .type = static_cast<std::uint32_t>(TensorType::kF32)};
  tensor.dims[0] = kWidth;
  return tensor;
}

// SetU32s sets an array with one number for each of the two layers.
bool SetU32s(MutationContext& context, std::string_view key, std::uint32_t first,
             std::uint32_t second) {
  std::uint32_t next = first;
  return SetEntry(context.draft, ArrayEntry<std::uint32_t>(context.arena, key, 2, [&] {
                    const std::uint32_t now = next;
                    next = second;
                    return now;
                  }));
}

// AddRequired adds a tensor of the contract, for each layer if the name has a layer, except the
// tensor `without`.
bool AddRequired(MutationContext& context, std::string_view pattern, std::string_view without) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return pattern == without || AddLyingTensor(context, Floats(pattern));
  }
  for (const std::string_view layer : {"0", "1"}) {
    const std::string_view name =
        Joined(context.arena, {pattern.substr(0, star), layer, pattern.substr(star + 1)});
    if (name.empty() || (name != without && !AddLyingTensor(context, Floats(name)))) return false;
  }
  return true;
}

bool SetKeys(MutationContext& context, const Architecture& architecture) {
  struct Number {
    std::string_view name;
    std::uint32_t value;
  };
  constexpr std::array kNumbers = {
      Number{"block_count", 2},           Number{"context_length", 16},
      Number{"embedding_length", kWidth}, Number{"feed_forward_length", 16},
      Number{"attention.head_count", 2},  Number{"attention.head_count_kv", 1}};
  for (const Number& number : kNumbers) {
    if (!SetNumber<std::uint32_t>(context, KeyFor(context, architecture, number.name),
                                  number.value))
      return false;
  }
  return true;
}

// Begin removes everything except the keys that every model of an architecture has. It returns
// nullopt if there are fewer than `room` bytes.
std::optional<Architecture> Begin(MutationContext& context, std::string_view name,
                                  std::uint64_t room) {
  if (!MakeRoom(context, room)) return std::nullopt;
  context.draft.entries.Clear();
  context.draft.tensors.Clear();
  context.draft.alignment = kDefaultAlignment;
  const Architecture architecture{.name = name, .info = FindArchitecture(name)};
  if (!SetArchitecture(context, name) || !SetKeys(context, architecture)) return std::nullopt;
  return architecture;
}

// BecomeModel turns the file into one form of the tiny model of an architecture; nullopt without
// room.
std::optional<Architecture> BecomeModel(MutationContext& context, std::string_view name,
                                        ContractForm form, std::string_view without = {}) {
  const Contract* contract = FindContract(name);
  const auto architecture = Begin(context, name, kModelRoom);
  if (contract == nullptr || !architecture) return std::nullopt;
  for (const ContractLine& line : ContractLines(*contract, "tensor")) {
    const std::optional<ContractTensor> tensor = TensorOf(line);
    if (!tensor || !tensor->required || !tensor->forms.Has(form)) continue;
    if (!AddRequired(context, tensor->name, without)) return std::nullopt;
  }
  return architecture;
}

// TellNumber makes a model with one wrong number.
bool TellNumber(MutationContext& context, std::string_view architecture, std::string_view name,
                std::uint32_t value) {
  const auto model = BecomeModel(context, architecture, ContractForm::kDense);
  if (!model) return false;
  const std::string_view key = KeyFor(context, *model, name);
  return TellEntry(context, NumberEntry<std::uint32_t>(context.arena, key, value), Part::kValue);
}

bool TellNumbers(MutationContext& context, std::string_view architecture, std::string_view name,
                 std::uint32_t first, std::uint32_t second) {
  const auto model = BecomeModel(context, architecture, ContractForm::kDense);
  if (!model) return false;
  const std::string_view key = KeyFor(context, *model, name);
  return SetU32s(context, key, first, second) && Tell(context, key, Part::kValue);
}

// AddExpertTable adds a valid table of experts by token to one of the two layers.
bool AddExpertTable(MutationContext& context, std::uint32_t experts, std::uint64_t tokens) {
  const MutableBytes numbers = context.arena.Take(kUsedExperts * tokens * sizeof(std::uint32_t));
  if (numbers.empty()) return false;
  for (MutableBytes rest = numbers; !rest.empty(); rest = rest.subspan(sizeof(std::uint32_t))) {
    const auto expert = static_cast<std::uint32_t>(context.random.Below(experts));
    Store(expert, context.draft.encoding.order, rest);
  }
  Tensor table{.name = context.random.OneIn(2) ? "blk.0.ffn_gate_tid2eid.weight"
                                               : "blk.1.ffn_gate_tid2eid.weight",
               .dimension_count = 2,
               .type = static_cast<std::uint32_t>(TensorType::kI32),
               .data = numbers};
  table.dims[0] = kUsedExperts;
  table.dims[1] = tokens;
  if (!context.draft.tensors.Add(table)) return false;
  LayOut(context.draft);
  return true;
}

}  // namespace

bool LieExpertRouting(MutationContext& context) {
  return TellNumber(context, "llama", "expert_count",
                    static_cast<std::uint32_t>(1 + context.random.Below(64)));
}

bool LieLayerCounts(MutationContext& context) {
  return TellNumber(context, "llama", "nextn_predict_layers",
                    static_cast<std::uint32_t>(3 + context.random.Below(64)));
}

bool LieHeadWidths(MutationContext& context) {
  return TellNumbers(context, "llama", "attention.head_count_kv", 1, 2);
}

bool LieRopeDimensions(MutationContext& context) {
  return TellNumber(context, "qwen3", "rope.dimension_count", context.random.OneIn(2) ? 2 : 6);
}

bool LieSlidingWindow(MutationContext& context) {
  return TellNumbers(context, "gemma2", "attention.sliding_window_pattern", 0, 0);
}

bool LieStateDimensions(MutationContext& context) {
  const auto model = BecomeModel(context, "jamba", ContractForm::kDense);
  if (!model) return false;
  const std::string_view key = KeyFor(context, *model, "ssm.inner_size");
  const auto width = static_cast<std::uint32_t>(2 * kWidth + 1 + context.random.Below(64));
  return SetU32s(context, KeyFor(context, *model, "attention.head_count_kv"), 1, 0) &&
         TellEntry(context, NumberEntry<std::uint32_t>(context.arena, key, width), Part::kValue);
}

bool LieArchitectureCondition(MutationContext& context) {
  const auto model = BecomeModel(context, "gemma-embedding", ContractForm::kDense);
  if (!model) return false;
  const std::string_view key = KeyFor(context, *model, "dense_2_feat_in");
  const auto width = static_cast<std::uint32_t>(kWidth + 1 + context.random.Below(64));
  return SetU32s(context, KeyFor(context, *model, "attention.sliding_window_pattern"), 1, 0) &&
         TellEntry(context, NumberEntry<std::uint32_t>(context.arena, key, width), Part::kValue);
}

bool LieEpsilon(MutationContext& context) {
  const auto model = BecomeModel(context, "llama", ContractForm::kDense);
  if (!model) return false;
  const std::string_view key = KeyFor(context, *model, "attention.layer_norm_rms_epsilon");
  const float value = context.random.OneIn(2) ? -1.0F : std::numeric_limits<float>::quiet_NaN();
  return TellEntry(context, NumberEntry(context.arena, key, value), Part::kValue);
}

bool LiePoolingType(MutationContext& context) {
  return TellNumber(context, "llama", "pooling_type",
                    static_cast<std::uint32_t>(5 + context.random.Below(1000)));
}

bool LieRopeScalingType(MutationContext& context) {
  const auto model = BecomeModel(context, "llama", ContractForm::kDense);
  if (!model) return false;
  constexpr std::array<std::string_view, 4> kWords = {"llama3", "dynamic", "Linear", ""};
  const std::string_view key = KeyFor(context, *model, "rope.scaling.type");
  return TellEntry(context, TextEntry(context.arena, key, context.random.Pick(kWords)),
                   Part::kValue);
}

bool LieExpertGating(MutationContext& context) {
  const auto model = BecomeModel(context, "smallthinker", ContractForm::kExperts);
  const auto set = [&](std::string_view name, std::uint32_t value) {
    return SetNumber(context, KeyFor(context, *model, name), value);
  };
  if (!model || !set("expert_count", 4) || !set("expert_used_count", kUsedExperts)) return false;
  const std::string_view key = KeyFor(context, *model, "expert_gating_func");
  const auto value = static_cast<std::uint32_t>(5 + context.random.Below(1000));
  return TellEntry(context, NumberEntry(context.arena, key, value), Part::kValue);
}

bool LieTensorRole(MutationContext& context) {
  constexpr std::string_view kNorm = "output_norm.weight";
  if (!BecomeModel(context, "llama", ContractForm::kDense, kNorm)) return false;
  Tensor norm = Floats(kNorm);
  norm.type = static_cast<std::uint32_t>(TensorType::kF16);
  return AddLyingTensor(context, norm) && TellTensor(context, TensorPart::kType);
}

// The first two layers of the model look up two experts for each token.
bool LieExpertIndex(MutationContext& context) {
  const auto model = Begin(context, "deepseek4", kRoomForTable);
  const auto experts = static_cast<std::uint32_t>(context.random.Between(2, 64));
  if (!model ||
      !SetNumber<std::uint32_t>(context, KeyFor(context, *model, "hash_layer_count"), 2) ||
      !SetNumber<std::uint32_t>(context, KeyFor(context, *model, "expert_used_count"),
                                kUsedExperts) ||
      !SetNumber(context, KeyFor(context, *model, "expert_count"), experts))
    return false;
  const std::uint64_t tokens = context.random.Between(1, 40);
  if (!AddExpertTable(context, experts, tokens) || !context.Write()) return false;
  const std::uint64_t number = context.random.Below(kUsedExperts * tokens);
  const std::uint64_t at = context.placement.data[0] + number * sizeof(std::uint32_t);
  const std::array<std::uint32_t, 4> wrong = {
      experts, UINT32_MAX, INT32_MAX,
      experts + static_cast<std::uint32_t>(context.random.Below(UINT32_MAX - experts))};
  context.Put(at, context.random.Pick(wrong));
  return true;
}

bool LieTensorUsed(MutationContext& context) {
  constexpr std::string_view kBeside = "blk.1.attn_norm.weight";
  if (!BecomeModel(context, "phi3", ContractForm::kWholeDense, kBeside)) return false;
  return AddLyingTensor(context, Floats("blk.0.attn_qkv.weight")) &&
         AddLyingTensor(context, Floats(kBeside)) && TellTensor(context, TensorPart::kName);
}

bool LieTensorUnfit(MutationContext& context) {
  constexpr std::string_view kUnfit = "blk.0.attn_q_norm.weight";
  if (!BecomeModel(context, "mpt", ContractForm::kDense, kUnfit)) return false;
  return AddLyingTensor(context, Floats(kUnfit)) && TellTensor(context, TensorPart::kName);
}

bool LieTensorEmpty(MutationContext& context) {
  constexpr std::string_view kEmpty = "blk.0.ffn_down.weight";
  const auto model = BecomeModel(context, "llama", ContractForm::kDense, kEmpty);
  if (!model ||
      !SetNumber<std::uint32_t>(context, KeyFor(context, *model, "feed_forward_length"), 0))
    return false;
  Tensor empty = Floats(kEmpty);
  empty.dims[0] = 0;
  if (!context.draft.tensors.Add(empty)) return false;
  LayOut(context.draft);
  return TellTensor(context, TensorPart::kDimensions);
}

}  // namespace ggufgate::mutate
