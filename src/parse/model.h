#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_order.h"
#include "format/tensors/layout.h"
#include "format/tensors/tensor_type.h"
#include "format/value_type.h"
#include "parse/document.h"

namespace ggufgate {

// Encoder appends numbers and strings in one byte order, as in a file.
class Encoder {
 public:
  explicit Encoder(ByteOrder order) : order_(order) {}

  template <Scalar T>
  Encoder& Put(T value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    Store(value, order_, MutableBytes(bytes_).subspan(at));
    return *this;
  }
  Encoder& PutBytes(Bytes bytes);
  Encoder& PutString(std::string_view text);  // length and characters
  Encoder& PutZeros(std::uint64_t count);

  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] std::vector<std::uint8_t> Take() { return std::move(bytes_); }

 private:
  ByteOrder order_;
  std::vector<std::uint8_t> bytes_;
};

// Model is a GGUF file split into parts for editing; Write() joins them again. It owns its bytes.
//
// Write() writes every field unchanged, valid or not. LayOut() gives tensors the offsets of a valid
// file.
struct Model {
  struct Entry {
    std::string key;
    std::uint32_t type = 0;                  // as in the file, maybe unknown
    std::vector<std::uint8_t> payload = {};  // everything after the type, in byte_order
    std::optional<std::uint64_t> claimed_key_length = {};
  };
  struct Tensor {
    std::string name;
    std::vector<std::uint64_t> dims;  // dims[0] is the row length
    std::uint32_t type_id = 0;
    std::uint64_t offset = 0;  // written unchanged; the data are where LayOut() puts them
    std::vector<std::uint8_t> data = {};
    std::optional<std::uint64_t> claimed_name_length = {};
    std::optional<std::uint32_t> claimed_dimension_count = {};
  };

  std::string magic{kMagic};
  std::uint32_t version = 3;
  ByteOrder byte_order = ByteOrder::kLittle;
  std::optional<std::uint64_t> claimed_tensor_count;
  std::optional<std::uint64_t> claimed_metadata_count;
  std::vector<Entry> metadata;
  std::vector<Tensor> tensors;
  std::uint64_t alignment = kDefaultAlignment;  // padding of Write(); Set() the key separately
  std::uint8_t padding_byte = 0;
  bool pad_last_tensor = true;
  std::vector<std::uint8_t> trailing;

  // Minimal returns a small model with one key and one F32 tensor of 8 values.
  static Model Minimal();

  // Set appends a key, or replaces the value of the first entry with that key. The type follows
  // from the C++ type; bool is a GGUF bool. Payloads are encoded in the current byte_order.
  template <Scalar T>
  Model& Set(std::string_view key, T value) {
    return SetRaw(key, TypeFor<T>(), Encoder(byte_order).Put(value).Take());
  }
  Model& Set(std::string_view key, bool value);
  Model& Set(std::string_view key, std::string_view text);
  Model& Set(std::string_view key, const char* text) { return Set(key, std::string_view(text)); }
  Model& Set(std::string_view key, const std::vector<std::string>& strings);
  template <Scalar T>
  Model& Set(std::string_view key, const std::vector<T>& values) {
    Encoder payload(byte_order);
    payload.Put(static_cast<std::uint32_t>(TypeFor<T>())).Put(std::uint64_t{values.size()});
    for (const T value : values) payload.Put(value);
    return SetRaw(key, ValueType::kArray, payload.Take());
  }
  Model& SetRaw(std::string_view key, ValueType type, std::vector<std::uint8_t> payload);

  // Add appends a tensor with zero data of the right size, and lays out the model again. The
  // dimensions must be valid: Add does not check them.
  Tensor& Add(std::string_view name, TensorType type, std::vector<std::uint64_t> dims);

  // LayOut sets each tensor's offset to the sum of the padded data sizes before it.
  void LayOut();

  template <Scalar T>
  static constexpr ValueType TypeFor();
};

// Write encodes the model. The size of the result is proportional to that of the model.
[[nodiscard]] std::vector<std::uint8_t> Write(const Model& model);

// ModelOf splits a parsed file into parts. `file` is the whole file, and the document must have no
// fault. If the layout is as the reference loader requires, with zero padding, Write(ModelOf(…))
// returns the same bytes.
[[nodiscard]] Model ModelOf(const Document& document, Bytes file);

template <Scalar T>
constexpr ValueType Model::TypeFor() {
  if constexpr (std::is_same_v<T, float>) return ValueType::kF32;
  if constexpr (std::is_same_v<T, double>) return ValueType::kF64;
  if constexpr (std::is_integral_v<T>) {
    constexpr bool kSigned = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return kSigned ? ValueType::kI8 : ValueType::kU8;
    if constexpr (sizeof(T) == 2) return kSigned ? ValueType::kI16 : ValueType::kU16;
    if constexpr (sizeof(T) == 4) return kSigned ? ValueType::kI32 : ValueType::kU32;
    if constexpr (sizeof(T) == 8) return kSigned ? ValueType::kI64 : ValueType::kU64;
  }
}

}  // namespace ggufgate
