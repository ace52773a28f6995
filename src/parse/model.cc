#include "parse/model.h"

#include <algorithm>

#include "bytes/checked.h"
#include "parse/extent.h"

namespace ggufgate {

Encoder& Encoder::PutBytes(Bytes bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return *this;
}

Encoder& Encoder::PutString(std::string_view text) {
  return Put(std::uint64_t{text.size()}).PutBytes(AsBytes(text));
}

Encoder& Encoder::PutZeros(std::uint64_t count) {
  bytes_.resize(bytes_.size() + count);
  return *this;
}

Model Model::Minimal() {
  Model model;
  model.Set(kArchitectureKey, "test");
  model.Add("weight", TensorType::kF32, {8});
  return model;
}

Model& Model::Set(std::string_view key, bool value) {
  return SetRaw(key, ValueType::kBool, {static_cast<std::uint8_t>(value)});
}

Model& Model::Set(std::string_view key, std::string_view text) {
  return SetRaw(key, ValueType::kString, Encoder(byte_order).PutString(text).Take());
}

Model& Model::Set(std::string_view key, const std::vector<std::string>& strings) {
  Encoder payload(byte_order);
  payload.Put(static_cast<std::uint32_t>(ValueType::kString)).Put(std::uint64_t{strings.size()});
  for (const std::string& text : strings) payload.PutString(text);
  return SetRaw(key, ValueType::kArray, payload.Take());
}

Model& Model::SetRaw(std::string_view key, ValueType type, std::vector<std::uint8_t> payload) {
  auto entry = std::ranges::find(metadata, key, &Entry::key);
  if (entry == metadata.end()) {
    metadata.push_back({.key = std::string(key)});
    entry = metadata.end() - 1;
  }
  entry->type = static_cast<std::uint32_t>(type);
  entry->payload = std::move(payload);
  return *this;
}

Model::Tensor& Model::Add(std::string_view name, TensorType type, std::vector<std::uint64_t> dims) {
  Tensor tensor{.name = std::string(name),
                .dims = std::move(dims),
                .type_id = static_cast<std::uint32_t>(type)};
  TensorInfo info{.name = tensor.name, .type_id = tensor.type_id};
  std::ranges::copy(tensor.dims, info.dims.begin());
  tensor.data.resize(ExtentOf(info, 1).bytes.value_or(0));
  tensors.push_back(std::move(tensor));
  LayOut();
  return tensors.back();
}

void Model::LayOut() {
  std::uint64_t offset = 0;
  for (Tensor& tensor : tensors) {
    tensor.offset = offset;
    offset = CheckedAlignUp(offset + tensor.data.size(), alignment).value_or(offset);
  }
}

Model ModelOf(const Document& document, Bytes file) {
  Model model;
  model.version = document.version;
  model.byte_order = document.byte_order;
  model.alignment = document.alignment.value_or(kDefaultAlignment);
  const auto copy = [](Bytes bytes) {
    return std::vector<std::uint8_t>(bytes.begin(), bytes.end());
  };
  for (const MetadataEntry& entry : document.metadata) {
    model.metadata.push_back({.key = std::string(entry.key),
                              .type = static_cast<std::uint32_t>(entry.type),
                              .payload = copy(document.BytesAt(entry.ValueRange()))});
  }
  std::uint64_t end = document.data_begin.value_or(document.directory_end);
  for (const TensorInfo& tensor : document.tensors) {
    const std::span<const std::uint64_t> dims = tensor.Dimensions();
    model.tensors.push_back({.name = std::string(tensor.name),
                             .dims = {dims.begin(), dims.end()},
                             .type_id = tensor.type_id,
                             .offset = tensor.offset});
    const auto range = DataRange(document, tensor, ExtentOf(tensor, model.alignment));
    if (!range || !range->FitsIn(file.size())) continue;
    model.tensors.back().data = copy(file.subspan(range->begin, range->size));
    end = std::max(end, range->End());
  }
  // Write() pads to the end of the last tensor or not at all, and only if there is a tensor.
  // Padding that it would not write again is kept as bytes.
  const std::uint64_t padded = CheckedAlignUp(end, model.alignment).value_or(end);
  model.pad_last_tensor = !model.tensors.empty() && file.size() >= padded;
  const std::uint64_t written = model.pad_last_tensor ? padded : end;
  if (file.size() > written) model.trailing = copy(file.subspan(written));
  return model;
}

}  // namespace ggufgate
