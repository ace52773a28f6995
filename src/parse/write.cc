#include "bytes/checked.h"
#include "parse/model.h"

namespace ggufgate {
namespace {

// Writer encodes a model field by field. It also writes version 1, with 32-bit counts and lengths,
// so that tests have a file to reject.
class Writer {
 public:
  explicit Writer(const Model& model) : model_(model), out_(model.byte_order) {}

  std::vector<std::uint8_t> Run() {
    Header();
    for (const Model::Entry& entry : model_.metadata) Metadata(entry);
    for (const Model::Tensor& tensor : model_.tensors) TensorInfo(tensor);
    Data();
    out_.PutBytes(model_.trailing);
    return out_.Take();
  }

 private:
  void Count(std::uint64_t value) {
    if (model_.version == 1) {
      out_.Put(static_cast<std::uint32_t>(value));
    } else {
      out_.Put(value);
    }
  }

  void Text(std::string_view text, std::optional<std::uint64_t> claimed_length) {
    Count(claimed_length.value_or(text.size()));
    out_.PutBytes(AsBytes(text));
  }

  void Header() {
    out_.PutBytes(AsBytes(model_.magic)).Put(model_.version);
    Count(model_.claimed_tensor_count.value_or(model_.tensors.size()));
    Count(model_.claimed_metadata_count.value_or(model_.metadata.size()));
  }

  void Metadata(const Model::Entry& entry) {
    Text(entry.key, entry.claimed_key_length);
    out_.Put(entry.type).PutBytes(entry.payload);
  }

  void TensorInfo(const Model::Tensor& tensor) {
    Text(tensor.name, tensor.claimed_name_length);
    out_.Put(
        tensor.claimed_dimension_count.value_or(static_cast<std::uint32_t>(tensor.dims.size())));
    for (const std::uint64_t dim : tensor.dims) Count(dim);
    out_.Put(tensor.type_id).Put(tensor.offset);
  }

  void Data() {
    if (model_.tensors.empty()) return;
    Pad();
    for (const Model::Tensor& tensor : model_.tensors) {
      out_.PutBytes(tensor.data);
      if (&tensor != &model_.tensors.back() || model_.pad_last_tensor) Pad();
    }
  }

  void Pad() {
    const auto end = CheckedAlignUp(out_.size(), model_.alignment).value_or(out_.size());
    while (out_.size() < end) out_.Put(model_.padding_byte);
  }

  const Model& model_;
  Encoder out_;
};

}  // namespace

std::vector<std::uint8_t> Write(const Model& model) { return Writer(model).Run(); }

}  // namespace ggufgate
