// Rules about the part that a tensor plays in the graph of its architecture: the types that run
// there, and tensors that the loader can do without and the graph cannot. The lines of the
// contract:
//
//   role ROLE NAME…        the types that run; "*" stands for a number
//   used NAME|NAME… NAME   one of the first must be there in every layer that has the second

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "check/contract/conditions.h"
#include "check/hyper_parameters.h"
#include "check/sink.h"
#include "format/contract.h"
#include "format/tensor_type.h"

namespace ggufgate {
namespace {

// Role is what a kernel asks of the type of a tensor.
struct Role {
  std::string_view word;
  std::string_view runs;  // for people
  bool (*takes)(TensorType type);
};

// Integers, F64 and the two types that exist for products alone have no kernel of their own in
// ggml-cpu.c (type_traits_cpu): the graph calls through a null pointer.
bool HasKernel(TensorType type) {
  using enum TensorType;
  constexpr std::array kWithout = {kI8, kI16, kI32, kI64, kF64, kQ8_1, kQ8_K};
  return std::ranges::find(kWithout, type) == kWithout.end();
}

constexpr std::array kRoles = {
    Role{"kernel", "F32, F16, BF16 or a quantised type other than Q8_1 and Q8_K", HasKernel},
    // im2col() of ggml-cpu/ops.cpp has these two.
    Role{"convolution", "F32 or F16",
         [](TensorType type) { return type == TensorType::kF32 || type == TensorType::kF16; }},
    Role{"float", "F32", [](TensorType type) { return type == TensorType::kF32; }},
    // Read as floats whatever the type says: the same size is all that is asked.
    Role{"word", "F32",
         [](TensorType type) { return type == TensorType::kF32 || type == TensorType::kI32; }},
};

struct NamedRole {
  std::string_view pattern;
  const Role* role;
};

std::vector<NamedRole> RolesOf(const Contract& contract) {
  std::vector<NamedRole> roles;
  for (const ContractLine& line : ContractLines(contract)) {
    if (line.word != "role") continue;
    std::string_view fields = line.fields;
    const auto role = std::ranges::find(kRoles, TakeField(fields), &Role::word);
    while (!fields.empty()) roles.push_back({TakeField(fields), &*role});
  }
  std::ranges::sort(roles, {}, &NamedRole::pattern);
  return roles;
}

const Role* RoleOf(const std::vector<NamedRole>& roles, std::string_view pattern) {
  const auto found = std::ranges::lower_bound(roles, pattern, {}, &NamedRole::pattern);
  return found != roles.end() && found->pattern == pattern ? found->role : nullptr;
}

const Contract* ContractOf(const Context& context) {
  if (!IsWhole(context.document) || !IsJudgedByContract(context)) return nullptr;
  const Contract* contract = FindContract(context.parameters.architecture());
  return contract != nullptr && HasMostTensors(context, *contract) ? contract : nullptr;
}

// LayerName is a pattern of a contract with `number` for its "*".
std::string LayerName(std::string_view pattern, std::string_view number) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return std::string(pattern);
  return std::string(pattern.substr(0, star)) + std::string(number) +
         std::string(pattern.substr(star + 1));
}

// NumberIn is what stands for the "*" of a pattern in a name; nothing where the name is not of the
// pattern.
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

using Names = std::unordered_set<std::string_view>;

bool HasOneOf(const Names& names, std::string_view patterns, std::string_view number) {
  while (!patterns.empty()) {
    if (names.contains(LayerName(TakeField(patterns, '|'), number))) return true;
  }
  return false;
}

}  // namespace

void CheckTensorRole(const Context& context, Sink& sink) {
  const Contract* contract = ContractOf(context);
  if (contract == nullptr) return;
  const std::vector<NamedRole> roles = RolesOf(*contract);
  constexpr std::size_t kMostNames = 4096;
  std::unordered_map<SplitName, const Role*, SplitNameHash> known;
  for (const TensorInfo& tensor : context.document.tensors) {
    const TensorTypeInfo* type = FindTensorType(tensor.type_id);
    if (type == nullptr || tensor.type_id == static_cast<std::uint32_t>(TensorType::kF32)) continue;
    if (known.size() == kMostNames) break;  // no architecture has nearly as many
    const auto [place, is_new] = known.try_emplace(SplitOf(tensor.name), nullptr);
    if (is_new) place->second = RoleOf(roles, PatternOf(tensor.name));
    const Role* role = place->second;
    if (role == nullptr || role->takes(static_cast<TensorType>(tensor.type_id))) continue;
    sink.Add({.where = tensor.TypeRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = TextFact(type->name),
              .allowed = TextFact(role->runs)});
  }
}

void CheckTensorEmpty(const Context& context, Sink& sink) {
  // Where the width is not 0 the loader refuses the tensor's shape.
  if (context.parameters.Unsigned("feed_forward_length") != std::uint64_t{0}) return;
  if (ContractOf(context) == nullptr) return;
  for (const TensorInfo& tensor : context.document.tensors) {
    const auto dims = std::span(tensor.dims).first(tensor.dimension_count);
    const auto empty = std::ranges::find(dims, 0U);
    if (empty == dims.end() || tensor.name.find(".ffn_") == std::string_view::npos) continue;
    const auto number = static_cast<std::size_t>(empty - dims.begin());
    sink.Add({.where = tensor.DimensionRange(number),
              .subject = TensorSubject(context.document, tensor),
              .observed = std::uint64_t{0},
              .allowed = std::uint64_t{1},
              .other = std::uint64_t{number}});
  }
}

void CheckTensorUsed(const Context& context, Sink& sink) {
  const Contract* contract = ContractOf(context);
  if (contract == nullptr) return;
  Names names;
  for (const ContractLine& line : ContractLines(*contract)) {
    if (line.word != "used") continue;
    const std::vector<TensorInfo>& tensors = context.document.tensors;
    if (names.empty()) {
      for (const TensorInfo& tensor : tensors) names.insert(tensor.name);
    }
    std::string_view fields = line.fields;
    const std::string_view wanted = TakeField(fields);
    for (const TensorInfo& tensor : tensors) {
      const std::optional<std::string_view> number = NumberIn(tensor.name, fields);
      if (!number || HasOneOf(names, wanted, *number)) continue;
      std::string_view first = wanted;
      sink.Add({.where = tensor.NameRange(),
                .subject = TensorSubject(context.document, tensor),
                .observed = TextFact(LayerName(TakeField(first, '|'), *number))});
    }
  }
}

}  // namespace ggufgate
