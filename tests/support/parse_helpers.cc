#include "tests/support/parse_helpers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace ggufgate::testing {

Parsed ParseWhole(File file, const Limits& limits) {
  ParseResult result = Parse(file, file.size(), limits);
  EXPECT_FALSE(result.NeedsMore()) << "the whole file is there";
  return {std::move(file), std::move(result.document)};
}

Parsed ParseWhole(const Model& model, const Limits& limits) {
  return ParseWhole(Write(model), limits);
}

Parsed ParseSound(const Model& model, const Limits& limits) {
  Parsed parsed = ParseWhole(model, limits);
  EXPECT_FALSE(parsed.document.fault) << LineOf(parsed.document.fault.value_or(Fault{}));
  return parsed;
}

std::string LineOf(const Fault& fault) {
  static constexpr std::array<const char*, 4> kSections = {"file", "header", "metadata", "tensor"};
  std::string line = "fault " + std::to_string(static_cast<int>(fault.kind));
  line += " at " + std::to_string(fault.where.begin) + "+" + std::to_string(fault.where.size);
  line += std::string(": ") + fault.field + " of ";
  line += kSections.at(static_cast<std::size_t>(fault.place.section));
  line += " " + std::to_string(fault.place.index) + " '" + std::string(fault.place.name) + "'";
  if (fault.place.element != Place::kNoElement) {
    line += "[" + std::to_string(fault.place.element) + "]";
  }
  line += " is " + std::to_string(fault.observed) + ", at most " + std::to_string(fault.allowed);
  return line + (fault.by_limit ? " by limit" : " by the file");
}

std::string FaultOf(Bytes file, const Limits& limits) {
  const Parsed parsed = ParseWhole(File(file.begin(), file.end()), limits);
  return parsed.document.fault ? LineOf(*parsed.document.fault) : "no fault";
}

std::string FaultOf(const Model& model, const Limits& limits) {
  return FaultOf(Write(model), limits);
}

Encoder HeaderOf(std::uint64_t tensors, std::uint64_t keys, ByteOrder order) {
  Encoder out(order);
  out.PutBytes(AsBytes(kMagic)).Put(std::uint32_t{3}).Put(tensors).Put(keys);
  return out;
}

File PrefixOf(const File& file, std::size_t size) {
  return {file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)};
}

std::vector<std::uint8_t> NestedPayload(std::uint64_t depth, ByteOrder order) {
  Encoder payload(order);
  for (std::uint64_t i = 1; i < depth; ++i)
    payload.Put(IdOf(ValueType::kArray)).Put(std::uint64_t{1});
  payload.Put(IdOf(ValueType::kU8)).Put(std::uint64_t{1}).Put(std::uint8_t{7});
  return payload.Take();
}

Model EveryValue(std::uint32_t version, ByteOrder order) {
  Model model;
  model.version = version;
  model.byte_order = order;
  model.Set(kArchitectureKey, "test");
  const auto put = [&]<typename T>(const std::string& word, T value) {
    model.Set("scalar." + word, value);
    model.Set("array." + word, std::vector<T>{value, T{0}, value});
    model.Set("empty." + word, std::vector<T>{});
  };
  put("u8", std::uint8_t{0xA1});
  put("i8", std::int8_t{-2});
  put("u16", std::uint16_t{0xA1B2});
  put("i16", std::int16_t{-3});
  put("u32", std::uint32_t{0xA1B2'C3D4});
  put("i32", std::int32_t{-4});
  put("f32", 1.5F);
  put("u64", std::uint64_t{0xA1B2'C3D4'E5F6'0718});
  put("i64", std::int64_t{-5});
  put("f64", -2.5);
  model.Set("scalar.bool", true);
  model.SetRaw("array.bool", ValueType::kArray,
               Encoder(order).Put(IdOf(ValueType::kBool)).Put(std::uint64_t{2}).PutZeros(2).Take());
  model.Set("scalar.string", "text");
  model.Set("empty.string", "");
  model.Set("array.string", std::vector<std::string>{"one", "", "three"});
  model.Set("long.strings", std::vector<std::string>{std::string(200, 'x'), std::string(128, 'y'),
                                                     std::string(127, 'z')});
  model.SetRaw("nested", ValueType::kArray, NestedPayload(3, order));
  return model;
}

void FillData(Model& model) {
  std::uint8_t next = 1;
  for (Model::Tensor& tensor : model.tensors) {
    for (std::uint8_t& byte : tensor.data) byte = next = static_cast<std::uint8_t>(next % 251 + 1);
  }
}

namespace {

Model AllTensors() {
  Model model;
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    model.Add(info.name, info.type, {std::uint64_t{2} * info.block_elements, 3});
  }
  return model;
}

Model Aligned(std::uint32_t alignment) {
  Model model = Model::Minimal();
  model.Set(kAlignmentKey, alignment);
  model.alignment = alignment;
  model.Add("second", TensorType::kI8, {5});
  model.Add("third", TensorType::kF16, {3, 3});
  return model;
}

Model EveryDimensionCount() {
  Model model;
  model.Add("scalar", TensorType::kF32, {});
  model.Add("row", TensorType::kF32, {5});
  model.Add("matrix", TensorType::kI8, {3, 5});
  model.Add("cube", TensorType::kI16, {3, 5, 7});
  model.Add("four", TensorType::kI8, {2, 3, 4, 5});
  model.Add("empty", TensorType::kF32, {0});
  model.Add("last", TensorType::kI8, {1});
  return model;
}

}  // namespace

std::vector<NamedModel> SoundModels() {
  std::vector<NamedModel> models = {
      {"minimal", Model::Minimal()},
      {"nothing at all", Model{}},
      {"all values, v3", EveryValue(3, ByteOrder::kLittle)},
      {"all values, v2", EveryValue(2, ByteOrder::kLittle)},
      {"all values, big-endian", EveryValue(3, ByteOrder::kBig)},
      {"all tensor types", AllTensors()},
      {"every number of dimensions", EveryDimensionCount()},
  };
  for (std::uint32_t alignment = 8; alignment <= 4096; alignment *= 2) {
    models.push_back({"alignment " + std::to_string(alignment), Aligned(alignment)});
  }
  NamedModel big{"tensors, big-endian", {}};
  big.model.byte_order = ByteOrder::kBig;
  big.model.Set(kArchitectureKey, "test").Add("weight", TensorType::kQ4_0, {64, 2});
  models.push_back(std::move(big));

  NamedModel bare{"last tensor not padded", Aligned(64)};
  bare.model.pad_last_tensor = false;
  models.push_back(std::move(bare));

  NamedModel version_two{"tensors, v2", Aligned(32)};
  version_two.model.version = 2;
  models.push_back(std::move(version_two));
  for (NamedModel& named : models) FillData(named.model);
  return models;
}

}  // namespace ggufgate::testing
