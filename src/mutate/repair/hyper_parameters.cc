// Removes contradictions between hyper-parameters.

#include <algorithm>
#include <array>
#include <span>

#include "bytes/checked.h"
#include "format/loader_limits.h"
#include "format/tensors/tensor_type.h"
#include "mutate/build/entry_value.h"
#include "mutate/repair/meaning.h"

namespace ggufgate::mutate {
namespace {

std::optional<std::uint64_t> NumberAt(const KnownEntries& known, KeyId id) {
  const Entry* const entry = known.Find(id);
  return entry != nullptr ? UnsignedOf(*entry) : std::nullopt;
}

void DropIfZero(KnownEntries& known, KeyId id) {
  if (NumberAt(known, id) == 0) known.Drop(id);
}

// KeepSoundHeads: if an architecture divides by heads, they must be present, and divide the width.
void KeepSoundHeads(KnownEntries& known, const ArchitectureInfo& info) {
  constexpr KeyId kHeads = IdOf("{arch}.attention.head_count");
  const Entry* const entry = known.Find(kHeads);
  if (entry == nullptr || Is(*entry, ValueType::kArray)) return;
  const std::uint64_t heads = UnsignedOf(*entry).value_or(0);
  const auto width = NumberAt(known, IdOf("{arch}.embedding_length"));
  const bool divides = heads > 0 && (!width || *width % heads == 0);
  const bool stated =
      !info.heads_divide || known.Find(IdOf("{arch}.attention.key_length")) != nullptr;
  if (heads == 0 || (!divides && !stated)) known.Drop(kHeads);
}

void KeepSoundDivisors(KnownEntries& known, const ArchitectureInfo& info) {
  if (info.attention) DropIfZero(known, IdOf("{arch}.attention.head_count_kv"));
  for (std::string_view rest = info.divisors; !rest.empty();) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    const std::string_view name = rest.substr(0, blank);
    for (std::size_t id = 0; id < kKnownKeys.size(); ++id) {
      const KnownKey& key = kKnownKeys[id];
      if (key.of_architecture && key.name == name) DropIfZero(known, static_cast<KeyId>(id));
    }
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
}

constexpr auto kPerLayer = [] {
  constexpr auto kIsPerLayer = [](const KnownKey& key) { return IsPerLayer(key.shape); };
  std::array<KeyId, static_cast<std::size_t>(std::ranges::count_if(kKnownKeys, kIsPerLayer))> ids{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < kKnownKeys.size(); ++i) {
    if (IsPerLayer(kKnownKeys.at(i).shape)) ids.at(count++) = static_cast<KeyId>(i);
  }
  return ids;
}();

// KeepSoundLayers: per-layer arrays must have one element for each layer. The array of sliding
// windows may omit layers that predict further tokens.
void KeepSoundLayers(KnownEntries& known) {
  const auto layers = NumberAt(known, IdOf("{arch}.block_count"));
  const auto further = NumberAt(known, IdOf("{arch}.nextn_predict_layers"));
  constexpr KeyId kPattern = IdOf("{arch}.attention.sliding_window_pattern");
  for (const KeyId id : kPerLayer) {
    const Entry* const entry = known.Find(id);
    if (entry == nullptr || !Is(*entry, ValueType::kArray)) continue;
    const std::uint64_t count = CountOf(*entry);
    const bool fits = layers
                          ? count == *layers || (id == kPattern && further && *further < *layers &&
                                                 count == *layers - *further)
                          : count <= kMostLayers;
    if (!fits) known.Drop(id);
  }
}

// MostUsed returns the most experts that a layer uses; nullopt if a number is negative.
std::optional<std::uint64_t> MostUsed(const Entry& entry) {
  if (!Is(entry, ValueType::kArray)) return UnsignedOf(entry);
  const ValueType type = ElementTypeOf(entry);
  const std::size_t size = InfoOf(type).scalar_bytes;
  std::uint64_t most = 0;
  for (Bytes rest = ElementsOf(entry); rest.size() >= size; rest = rest.subspan(size)) {
    const Integer used = LoadInteger(type, rest, ByteOrder::kLittle).value_or(Integer{});
    if (used.negative) return std::nullopt;
    most = std::max(most, used.magnitude);
  }
  return most;
}

// Largest returns the value of an entry, for an array its largest element; 0 without the entry.
std::uint64_t Largest(const KnownEntries& known, KeyId id) {
  const Entry* const entry = known.Find(id);
  if (entry == nullptr) return 0;
  return MostUsed(*entry).value_or(UINT64_MAX);
}

std::uint64_t Times(std::uint64_t a, std::uint64_t b) {
  return CheckedMul(a, b).value_or(UINT64_MAX);
}

// KeepModestMemory drops numbers that would make a loader allocate much memory. The bounds are far
// below any limit. If all layers together need too much, it drops the number of layers.
void KeepModestMemory(KnownEntries& known) {
  constexpr std::uint64_t kMuch = std::uint64_t{1} << 28;  // bytes
  constexpr std::uint64_t kMany = std::uint64_t{1} << 18;  // of things with up to 4 kB each
  constexpr std::uint64_t kOfToken = 2 * kDefaultContext;  // bytes, for one value of its cache
  for (const KeyId id : {IdOf("{arch}.embedding_length_out"), IdOf("{arch}.vocab_size"),
                         IdOf("{arch}.attention.sliding_window")}) {
    if (Largest(known, id) > kMany) known.Drop(id);
  }
  const std::uint64_t width = Largest(known, IdOf("{arch}.embedding_length"));
  const std::uint64_t heads = std::max(Largest(known, IdOf("{arch}.attention.head_count")),
                                       Largest(known, IdOf("{arch}.attention.head_count_kv")));
  std::uint64_t most = 0;  // bytes per layer
  for (const KeyId id :
       {IdOf("{arch}.attention.key_length"), IdOf("{arch}.attention.value_length"),
        IdOf("{arch}.attention.key_length_swa"), IdOf("{arch}.attention.value_length_swa"),
        IdOf("{arch}.attention.indexer.key_length"), IdOf("{arch}.embedding_length")}) {
    most = std::max(most, Times(Times(heads, Largest(known, id)), kOfToken));
  }
  const std::uint64_t inner = std::max(width, Largest(known, IdOf("{arch}.ssm.inner_size")));
  const std::uint64_t groups = Times(Largest(known, IdOf("{arch}.ssm.group_count")),
                                     Times(Largest(known, IdOf("{arch}.ssm.state_size")),
                                           Largest(known, IdOf("{arch}.ssm.conv_kernel"))));
  most = std::max(most, Times(8, groups));
  for (const KeyId id : {IdOf("{arch}.ssm.state_size"), IdOf("{arch}.ssm.conv_kernel"),
                         IdOf("{arch}.token_shift_count"), IdOf("{arch}.wkv.head_size"),
                         IdOf("{arch}.shortconv.l_cache")}) {
    most = std::max(most, Times(4, Times(inner, Largest(known, id))));
  }
  const std::uint64_t linear = Largest(known, IdOf("{arch}.kda.head_dim"));
  const std::uint64_t taps = Largest(known, IdOf("{arch}.ssm.conv_kernel"));
  most = std::max(most, Times(Times(4, heads), Times(linear, std::max(linear, Times(3, taps)))));
  constexpr KeyId kLayers = IdOf("{arch}.block_count");
  if (Times(most, Largest(known, kLayers)) > kMuch) known.Drop(kLayers);
}

// KeepDivisors: a few architectures divide by their heads even if the file does not state them.
// Repair cannot add that key, so it drops the architecture.
void KeepDivisors(KnownEntries& known, const ArchitectureInfo* info) {
  if (info == nullptr || !DividesByHeads(info->name)) return;
  const Entry* const heads = known.Find(IdOf("{arch}.attention.head_count"));
  const bool single = heads != nullptr && !Is(*heads, ValueType::kArray);
  if (!single) known.Drop(IdOf("general.architecture"));
}

// IsReadOn returns whether llama.cpp reads the other hyper-parameters: it requires these first.
bool IsReadOn(const KnownEntries& known) {
  constexpr std::array kFirst = {IdOf("{arch}.context_length"), IdOf("{arch}.embedding_length"),
                                 IdOf("{arch}.block_count")};
  return std::ranges::all_of(kFirst, [&](KeyId id) { return NumberAt(known, id).has_value(); });
}

// KeepSoundExperts: llama.cpp asserts that a model with experts uses some, and that it has the
// experts it uses (load_hparams in src/llama-model.cpp). Groups of experts are dropped.
void KeepSoundExperts(KnownEntries& known) {
  constexpr KeyId kCount = IdOf("{arch}.expert_count");
  constexpr KeyId kUsed = IdOf("{arch}.expert_used_count");
  const auto count = NumberAt(known, kCount);
  const Entry* const entry = known.Find(kUsed);
  const auto used = entry != nullptr ? MostUsed(*entry) : std::optional<std::uint64_t>(0);
  const std::uint64_t some = count.value_or(0);
  const bool sound = used && *used <= some && (*used > 0 || some == 0);
  if (count && entry != nullptr && !sound) known.Drop(kUsed);
  if (!IsReadOn(known)) return;
  if (!sound) known.Drop(kCount);
  if (!sound) known.Drop(kUsed);
  for (const KeyId group :
       {IdOf("{arch}.expert_group_count"), IdOf("{arch}.expert_group_used_count")}) {
    if (NumberAt(known, group).value_or(1) != 0) known.Drop(group);
  }
}

// KeepSoundNextLayers: they must be fewer than the layers; the other layers read the text.
void KeepSoundNextLayers(KnownEntries& known) {
  constexpr KeyId kNext = IdOf("{arch}.nextn_predict_layers");
  const auto layers = NumberAt(known, IdOf("{arch}.block_count"));
  const auto next = NumberAt(known, kNext);
  if (IsReadOn(known) && next && *next >= layers.value_or(0)) known.Drop(kNext);
}

// IsSoundRole: norms, biases and states must be F32. Other tensors must have a type with a kernel
// for products.
bool IsSoundRole(const Tensor& tensor) {
  constexpr std::array kFloats = {"norm",   "ssm_",  "conv",  "bias",
                                  "rope_f", "scale", "sinks", "time_mix"};
  if (tensor.type == static_cast<std::uint32_t>(TensorType::kF32)) return true;
  const auto in_name = [&](std::string_view part) {
    return tensor.name.find(part) != std::string_view::npos;
  };
  // NVFP4 with a scale and a bias may crash the loader, so drop all of these.
  if (TensorType{tensor.type} == TensorType::kNVFP4 && in_name(".ffn_")) return false;
  return std::ranges::none_of(kFloats, in_name) && RunsInMatrices(TensorType{tensor.type});
}

// IsEmptyMatrix: without a stated width, it is 0, and this matrix may have that width.
bool IsEmptyMatrix(const Tensor& tensor) {
  const auto dims = std::span(tensor.dims).first(tensor.dimension_count);
  return std::ranges::find(dims, 0U) != dims.end() &&
         tensor.name.find(".ffn_") != std::string_view::npos;
}

// HasPlainHeads: keys and values have one width, the number of key-value heads divides the number
// of heads, and an even part of a head is rotated. Otherwise the shapes of a llama do not fit
// together.
bool HasPlainHeads(const KnownEntries& known) {
  const auto heads = NumberAt(known, IdOf("{arch}.attention.head_count"));
  const auto width = NumberAt(known, IdOf("{arch}.embedding_length"));
  if (heads.value_or(0) == 0 || !width) return false;
  // The loader would not read a number of another type.
  const auto number_or = [&](KeyId id, std::uint64_t absent) {
    return known.Find(id) == nullptr ? std::optional(absent) : NumberAt(known, id);
  };
  const auto sharing = number_or(IdOf("{arch}.attention.head_count_kv"), *heads);
  const auto keys = number_or(IdOf("{arch}.attention.key_length"), *width / *heads);
  const auto values = number_or(IdOf("{arch}.attention.value_length"), *width / *heads);
  if (sharing.value_or(0) == 0 || *heads % *sharing != 0 || !keys || keys != values) return false;
  return number_or(IdOf("{arch}.rope.dimension_count"), *keys).value_or(1) % 2 == 0;
}

// IsVouchedFor: a whole llama must satisfy the other conditions of llama.cpp: equal layers, plain
// heads, and feed-forward networks with a width. Other architectures have more conditions, listed
// in src/format/contracts.
bool IsVouchedFor(const KnownEntries& known, const ArchitectureInfo& info) {
  if (info.name == "test") return true;  // unknown to loaders
  if (info.name != "llama" || known.Find(IdOf("{arch}.embedding_length_out")) != nullptr)
    return false;
  if (!HasPlainHeads(known)) return false;
  const auto width = NumberAt(known, IdOf("{arch}.feed_forward_length"));
  if (width == std::uint64_t{0}) return false;
  if (!width && std::ranges::any_of(known.draft().tensors, IsEmptyMatrix)) return false;
  constexpr std::array kSame = {IdOf("{arch}.attention.head_count_kv"),
                                IdOf("{arch}.expert_used_count")};
  const auto differs = [&](KeyId id) {
    const Entry* const entry = known.Find(id);
    return entry != nullptr && Is(*entry, ValueType::kArray);
  };
  return std::ranges::none_of(kSame, differs);
}

// KeepKnownChoices drops values that this release of llama.cpp does not know and aborts on.
void KeepKnownChoices(KnownEntries& known) {
  constexpr std::uint64_t kMost = 4;  // for both: LLAMA_POOLING_TYPE_RANK, the last gating function
  constexpr std::uint64_t kNone = 0xFFFF'FFFF;
  for (const KeyId id : {IdOf("{arch}.pooling_type"), IdOf("{arch}.expert_gating_func")}) {
    const Entry* const entry = known.Find(id);
    if (entry == nullptr) continue;
    const auto number = NumberAt(known, id);
    if (!number || (*number > kMost && *number != kNone)) known.Drop(id);
  }
  constexpr std::array<std::string_view, 4> kScalings = {"none", "linear", "yarn", "longrope"};
  const Entry* const scaling = known.Find(IdOf("{arch}.rope.scaling.type"));
  if (scaling == nullptr) return;
  const std::string_view word = TextOf(*scaling).value_or("");
  if (std::ranges::find(kScalings, word) == kScalings.end()) {
    known.Drop(IdOf("{arch}.rope.scaling.type"));
  }
}

// KeepUnrun makes llama.cpp refuse a model that might crash it: it drops a key that the loader
// requires first.
void KeepUnrun(KnownEntries& known, const ArchitectureInfo& info) {
  if (!IsReadOn(known)) return;
  KeepKnownChoices(known);
  if (!IsVouchedFor(known, info) || !std::ranges::all_of(known.draft().tensors, IsSoundRole)) {
    known.Drop(IdOf("{arch}.context_length"));
  }
  for (const KeyId epsilon : {IdOf("{arch}.attention.layer_norm_epsilon"),
                              IdOf("{arch}.attention.layer_norm_rms_epsilon")}) {
    const Entry* const entry = known.Find(epsilon);
    if (entry == nullptr || !Is(*entry, ValueType::kF32)) continue;
    if (!(Load<float>(entry->value, ByteOrder::kLittle) >= 0)) known.Drop(epsilon);
  }
}

}  // namespace

bool DividesByHeads(std::string_view architecture) {
  constexpr std::array<std::string_view, 4> kDividing = {"phimoe", "olmo2", "gemma2", "gemma3"};
  return std::ranges::find(kDividing, architecture) != kDividing.end();
}

void KeepSoundHyperParameters(KnownEntries& known, const ArchitectureInfo* info) {
  // All other functions compare such numbers.
  if (!known.describes_layers()) return KeepDivisors(known, info);
  DropIfZero(known, IdOf("{arch}.embedding_length"));
  KeepModestMemory(known);
  if (info != nullptr && info->attention) KeepSoundHeads(known, *info);
  if (info != nullptr) KeepSoundDivisors(known, *info);
  KeepSoundLayers(known);
  KeepSoundExperts(known);
  KeepSoundNextLayers(known);
  KeepDivisors(known, info);
  if (info != nullptr) KeepUnrun(known, *info);
}

}  // namespace ggufgate::mutate
