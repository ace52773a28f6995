// Lies about what llama.cpp does not survive of an architecture, as src/format/contracts say: a
// small model of two layers, whole but for the shapes of its tensors, with one thing wrong.

#include <array>
#include <limits>
#include <string>

#include "format/contract.h"
#include "format/tensor_type.h"
#include "mutate/compose.h"
#include "mutate/known_key.h"
#include "mutate/lie_context.h"
#include "mutate/mutations.h"
#include "mutate/repair.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kRoom = std::uint64_t{16} << 10;
constexpr std::uint64_t kWidth = 8;

Tensor Floats(std::string_view name) {
  Tensor tensor{
      .name = name, .dimension_count = 1, .type = static_cast<std::uint32_t>(TensorType::kF32)};
  tensor.dims[0] = kWidth;
  return tensor;
}

bool SetU32(Bench& bench, std::string_view key, std::uint32_t value) {
  return SetEntry(bench.draft, NumberEntry(bench.scratch, key, value));
}

// SetU32s sets an array of one number for each of the two layers.
bool SetU32s(Bench& bench, std::string_view key, std::uint32_t first, std::uint32_t second) {
  std::uint32_t next = first;
  return SetEntry(bench.draft, ArrayEntry<std::uint32_t>(bench.scratch, key, 2, [&] {
                    const std::uint32_t now = next;
                    next = second;
                    return now;
                  }));
}

// AddRequired adds a tensor of the contract, one in each layer where the name asks for it, but for
// the one called `without`.
bool AddRequired(Bench& bench, std::string_view pattern, std::string_view without) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return pattern == without || AddLyingTensor(bench, Floats(pattern));
  }
  for (const std::string_view layer : {"0", "1"}) {
    const std::string_view name =
        Joined(bench.scratch, {pattern.substr(0, star), layer, pattern.substr(star + 1)});
    if (name.empty() || (name != without && !AddLyingTensor(bench, Floats(name)))) return false;
  }
  return true;
}

bool SetKeys(Bench& bench, const Architecture& architecture) {
  struct Number {
    std::string_view name;
    std::uint32_t value;
  };
  constexpr std::array kNumbers = {
      Number{"block_count", 2},           Number{"context_length", 16},
      Number{"embedding_length", kWidth}, Number{"feed_forward_length", 16},
      Number{"attention.head_count", 2},  Number{"attention.head_count_kv", 1}};
  for (const Number& number : kNumbers) {
    if (!SetU32(bench, KeyFor(bench, architecture, number.name), number.value)) return false;
  }
  return true;
}

// BecomeModel makes the file one form of the tiny model of an architecture; nothing when there is
// no room for it.
std::optional<Architecture> BecomeModel(Bench& bench, std::string_view name, ContractForm form,
                                        std::string_view without = {}) {
  const Contract* contract = FindContract(name);
  if (contract == nullptr || !MakeRoom(bench, kRoom)) return std::nullopt;
  bench.draft.entries.Clear();
  bench.draft.tensors.Clear();
  bench.draft.alignment = kDefaultAlignment;
  const Architecture architecture{.name = name, .info = FindArchitecture(name)};
  if (!SetArchitecture(bench, name) || !SetKeys(bench, architecture)) return std::nullopt;
  for (const ContractLine& line : ContractLines(*contract)) {
    const std::optional<ContractTensor> tensor = TensorOf(line);
    if (!tensor || !tensor->required || !tensor->forms.Has(form)) continue;
    if (!AddRequired(bench, tensor->name, without)) return std::nullopt;
  }
  return architecture;
}

// TellNumber sets one number of a model in which it is wrong.
bool TellNumber(Bench& bench, std::string_view architecture, std::string_view name,
                std::uint32_t value) {
  const auto model = BecomeModel(bench, architecture, ContractForm::kDense);
  if (!model) return false;
  const std::string_view key = KeyFor(bench, *model, name);
  return SetU32(bench, key, value) && Tell(bench, key, Part::kValue);
}

bool TellNumbers(Bench& bench, std::string_view architecture, std::string_view name,
                 std::uint32_t first, std::uint32_t second) {
  const auto model = BecomeModel(bench, architecture, ContractForm::kDense);
  if (!model) return false;
  const std::string_view key = KeyFor(bench, *model, name);
  return SetU32s(bench, key, first, second) && Tell(bench, key, Part::kValue);
}

}  // namespace

bool LieExpertRouting(Bench& bench) {
  return TellNumber(bench, "llama", "expert_count",
                    static_cast<std::uint32_t>(1 + bench.random.Below(64)));
}

bool LieLayerCounts(Bench& bench) {
  return TellNumber(bench, "llama", "nextn_predict_layers",
                    static_cast<std::uint32_t>(3 + bench.random.Below(64)));
}

bool LieHeadWidths(Bench& bench) {
  return TellNumbers(bench, "llama", "attention.head_count_kv", 1, 2);
}

bool LieRopeDimensions(Bench& bench) {
  return TellNumber(bench, "qwen3", "rope.dimension_count", bench.random.OneIn(2) ? 2 : 6);
}

bool LieSlidingWindow(Bench& bench) {
  return TellNumbers(bench, "gemma2", "attention.sliding_window_pattern", 0, 0);
}

bool LieStateDimensions(Bench& bench) {
  return TellNumber(bench, "jamba", "ssm.inner_size",
                    static_cast<std::uint32_t>(17 + bench.random.Below(64)));
}

bool LieArchitectureCondition(Bench& bench) {
  const auto model = BecomeModel(bench, "gemma-embedding", ContractForm::kDense);
  if (!model) return false;
  const std::string_view key = KeyFor(bench, *model, "dense_2_feat_in");
  const auto width = static_cast<std::uint32_t>(kWidth + 1 + bench.random.Below(64));
  return SetU32s(bench, KeyFor(bench, *model, "attention.sliding_window_pattern"), 1, 0) &&
         SetU32(bench, key, width) && Tell(bench, key, Part::kValue);
}

bool LieEpsilon(Bench& bench) {
  const auto model = BecomeModel(bench, "llama", ContractForm::kDense);
  if (!model) return false;
  const std::string_view key = KeyFor(bench, *model, "attention.layer_norm_rms_epsilon");
  const float value = bench.random.OneIn(2) ? -1.0F : std::numeric_limits<float>::quiet_NaN();
  return SetEntry(bench.draft, NumberEntry(bench.scratch, key, value)) &&
         Tell(bench, key, Part::kValue);
}

bool LieTensorRole(Bench& bench) {
  constexpr std::string_view kNorm = "output_norm.weight";
  if (!BecomeModel(bench, "llama", ContractForm::kDense, kNorm)) return false;
  Tensor norm = Floats(kNorm);
  norm.type = static_cast<std::uint32_t>(TensorType::kF16);
  return AddLyingTensor(bench, norm) && TellTensor(bench, TensorPart::kType);
}

bool LieTensorUsed(Bench& bench) {
  constexpr std::string_view kBeside = "blk.1.attn_norm.weight";
  if (!BecomeModel(bench, "phi3", ContractForm::kWholeDense, kBeside)) return false;
  return AddLyingTensor(bench, Floats("blk.0.attn_qkv.weight")) &&
         AddLyingTensor(bench, Floats(kBeside)) && TellTensor(bench, TensorPart::kName);
}

bool LieTensorEmpty(Bench& bench) {
  constexpr std::string_view kEmpty = "blk.0.ffn_down.weight";
  const auto model = BecomeModel(bench, "llama", ContractForm::kDense, kEmpty);
  if (!model || !SetU32(bench, KeyFor(bench, *model, "feed_forward_length"), 0)) return false;
  Tensor empty = Floats(kEmpty);
  empty.dims[0] = 0;
  if (!bench.draft.tensors.Add(empty)) return false;
  LayOut(bench.draft);
  return TellTensor(bench, TensorPart::kDimensions);
}

}  // namespace ggufgate::mutate
