#include "tests/support/reference/models.h"

#include <algorithm>
#include <string>

#include "format/value_type.h"

namespace ggufgate::testing {
namespace {

void PutBytes(Encoder& out, Random& random, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) out.Put(static_cast<std::uint8_t>(random.Any()));
}

void PutElement(Encoder& out, Random& random, ValueType type) {
  if (type == ValueType::kString) {
    const std::uint64_t length = random.Below(40);
    PutBytes(out.Put(length), random, length);
  } else {
    PutBytes(out, random, InfoOf(type).scalar_bytes);
  }
}

// RandomType draws a value type; an array only with `arrays`.
ValueType RandomType(Random& random, bool arrays) {
  while (true) {
    const auto type = static_cast<ValueType>(random.Below(13));
    if (arrays || type != ValueType::kArray) return type;
  }
}

void AddKey(Model& model, Random& random, std::size_t number) {
  const ValueType type = RandomType(random, /*arrays=*/true);
  Encoder payload(model.byte_order);
  if (type == ValueType::kArray) {
    const ValueType element = RandomType(random, /*arrays=*/false);
    const std::uint64_t count = random.Below(30);
    payload.Put(static_cast<std::uint32_t>(element)).Put(count);
    for (std::uint64_t i = 0; i < count; ++i) PutElement(payload, random, element);
  } else {
    PutElement(payload, random, type);
  }
  model.SetRaw("my_key_" + std::to_string(number), type, payload.Take());
}

void AddTensor(Model& model, Random& random, std::size_t number) {
  const std::span<const TensorTypeInfo> types = AllTensorTypes();
  const TensorTypeInfo& type = random.One(types);
  std::vector<std::uint64_t> dims{type.block_elements * (1 + random.Below(2))};
  if (type.block_elements == 1) dims.front() = 1 + random.Below(48);
  const std::uint64_t more = random.Below(kMaximumDimensions);
  for (std::uint64_t i = 0; i < more; ++i) dims.push_back(1 + random.Below(3));
  model.Add("my_tensor_" + std::to_string(number), type.type, std::move(dims));
}

}  // namespace

Model RandomModel(std::uint64_t seed, std::size_t keys, std::size_t tensors,
                  std::uint64_t alignment) {
  Random random(seed);
  Model model;
  model.alignment = alignment;
  for (std::size_t i = 0; i < keys; ++i) AddKey(model, random, i);
  if (alignment != kDefaultAlignment) {
    model.Set(kAlignmentKey, static_cast<std::uint32_t>(alignment));
  }
  for (std::size_t i = 0; i < tensors; ++i) AddTensor(model, random, i);
  for (Model::Tensor& tensor : model.tensors) {
    std::ranges::generate(tensor.data, [&] { return static_cast<std::uint8_t>(random.Any()); });
  }
  return model;
}

}  // namespace ggufgate::testing
