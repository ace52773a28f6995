// Tensor directory: name, dimensions, type and offset of each tensor. A record only has to be
// complete; rules check the numbers.

#include "parse/reader.h"

namespace ggufgate::internal {

bool Reader::ReadTensors() {
  const std::uint64_t begin = cursor_.offset();
  for (std::uint64_t i = 0; i < document_.tensor_count; ++i) {
    place_ = {.section = Place::Section::kTensor, .index = i};
    if (!ReadTensor()) {
      Expect(begin, i, document_.tensor_count);
      return false;
    }
  }
  return true;
}

bool Reader::ReadTensor() {
  TensorInfo tensor;
  tensor.begin = cursor_.offset();
  Bytes name;
  if (!ReadString(name, "tensor name length", "tensor name")) return false;
  tensor.name = AsText(name);
  place_.name = tensor.name;

  const ByteRange count_at{cursor_.offset(), 4};
  if (!cursor_.Read(tensor.dimension_count, "dimension count")) return StopAtShortfall();
  if (tensor.dimension_count > kReadDimensions) {
    return Fail(FaultKind::kDimensionCount, count_at, "dimension count", tensor.dimension_count,
                kReadDimensions);
  }
  for (std::uint64_t& dim : std::span(tensor.dims).first(tensor.dimension_count)) {
    if (!cursor_.Read(dim, "dimension")) return StopAtShortfall();
  }
  if (!cursor_.Read(tensor.type_id, "tensor type") ||
      !cursor_.Read(tensor.offset, "tensor offset")) {
    return StopAtShortfall();
  }
  document_.tensors.push_back(tensor);
  document_.directory_end = cursor_.offset();
  return true;
}

}  // namespace ggufgate::internal
