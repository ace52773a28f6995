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

// Encoder appends numbers and strings in one byte order, as they stand in a file.
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

// Model is a GGUF file taken apart for editing; Write() puts it together. It owns its bytes.
//
// Every field is written as it stands: a model is as honest or as broken as its maker wants.
// LayOut() gives tensors the offsets of a sound file.
struct Model {
  struct Entry {
    std::string key;
    std::uint32_t type = 0;                  // as in the file, known or not
    std::vector<std::uint8_t> payload = {};  // all that follows the type, already in byte_order
    std::optional<std::uint64_t> claimed_key_length = {};
  };
  struct Tensor {
    std::string name;
    std::vector<std::uint64_t> dims;  // dims[0] is the row length
    std::uint32_t type_id = 0;
    std::uint64_t offset = 0;  // as written; the data stand where LayOut() would put them
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
  std::uint64_t alignment = kDefaultAlignment;  // what Write() pads to; Set() the key yourself
  std::uint8_t padding_byte = 0;
  bool pad_last_tensor = true;
  std::vector<std::uint8_t> trailing;

  // Minimal is the smallest model with something of everything: one key, one F32 tensor of 8
  // values.
  static Model Minimal();

  // Set appends a key, or replaces the value of the first entry with that key. The type follows the
  // C++ type; bool is a GGUF bool. Payloads are encoded in the byte_order of the moment.
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

  // Add appends a tensor with zero data of the right size, and lays the model out anew. The
  // dimensions must be sound: this makes models, it does not check them.
  Tensor& Add(std::string_view name, TensorType type, std::vector<std::uint64_t> dims);

  // LayOut sets each tensor's offset: the running sum of the padded data sizes before it.
  void LayOut();

  template <Scalar T>
  static constexpr ValueType TypeFor();
};

// Write puts the model together. The length of the result is bounded by what the model holds.
[[nodiscard]] std::vector<std::uint8_t> Write(const Model& model);

// ModelOf takes a parsed file apart; `file` is the whole of it, and the document has no fault.
// For a file laid out as the reference loader demands, with zero padding, Write(ModelOf(…)) gives
// the same bytes again.
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
