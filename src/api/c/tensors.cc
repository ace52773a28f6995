// Tensors of the C interface.

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "api/c/guarded.h"
#include "api/c/handles.h"
#include "dequantize/dequantize.h"
#include "parse/extent.h"

using namespace ggufgate;

namespace {

static_assert(GGUFGATE_MOST_DIMENSIONS == kReadDimensions);

const TensorInfo* TensorAt(const ggufgate_file* file, std::uint64_t index) {
  const auto& tensors = file->doc().tensors;
  return index < tensors.size() ? &tensors[index] : nullptr;
}

// Data describes the data of a tensor, which are completely in the file.
struct Data {
  const TensorTypeInfo* type;
  ByteRange range;
  std::uint64_t elements;
};

// DataOf checks the numbers again, because a rejected file may have been opened.
std::optional<Data> DataOf(const ggufgate_file& file, const TensorInfo& tensor) {
  const Extent extent = ExtentOf(tensor, 1);
  const std::optional<ByteRange> range = DataRange(file.doc(), tensor, extent);
  if (extent.type == nullptr || !extent.elements || !extent.whole_blocks || !range ||
      !range->FitsIn(file.source().size())) {
    return std::nullopt;
  }
  return Data{extent.type, *range, *extent.elements};
}

// WithData passes the data of a tensor to `work`.
template <typename Work>
ggufgate_status WithData(const ggufgate_file* file, std::uint64_t tensor, const Work& work) {
  if (file == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  const TensorInfo* info = TensorAt(file, tensor);
  if (info == nullptr) return GGUFGATE_STATUS_OUT_OF_RANGE;
  return api::Guarded([&]() -> ggufgate_status {
    const std::optional<Data> data = DataOf(*file, *info);
    if (!data) return GGUFGATE_STATUS_NOT_ACCEPTED;
    return work(*data);
  });
}

// Decode decodes elements from `first` on, in chunks of whole blocks.
ggufgate_status Decode(const ggufgate_file& file, const Data& data, std::uint64_t first,
                       std::span<float> floats) {
  constexpr std::uint64_t kChunkElements = std::uint64_t{1} << 15;
  const TensorTypeInfo& type = *data.type;
  std::vector<std::uint8_t> blocks;
  while (!floats.empty()) {
    // At most a chunk, which ends at the end of a block.
    const std::uint64_t some =
        std::min<std::uint64_t>(floats.size(), kChunkElements - first % type.block_elements);
    const std::uint64_t first_block = first / type.block_elements;
    const std::uint64_t last_block = (first + some - 1) / type.block_elements;
    blocks.resize((last_block - first_block + 1) * type.block_bytes);
    const std::uint64_t at = data.range.begin + first_block * type.block_bytes;
    if (!file.source().ReadAt(at, blocks).complete()) return GGUFGATE_STATUS_IO;
    const Dequantized done =
        DequantizeElements(type.type, blocks, first - first_block * type.block_elements,
                           floats.first(some), file.doc().byte_order);
    if (done != Dequantized::kDone) return GGUFGATE_STATUS_INTERNAL;
    first += some;
    floats = floats.subspan(some);
  }
  return GGUFGATE_STATUS_OK;
}

}  // namespace

ggufgate_status ggufgate_file_tensor(const ggufgate_file* file, uint64_t index,
                                     ggufgate_tensor* tensor) noexcept {
  if (file == nullptr || !api::HasRoomFor(tensor)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  const TensorInfo* info = TensorAt(file, index);
  if (info == nullptr) return GGUFGATE_STATUS_OUT_OF_RANGE;
  const TensorTypeInfo* type = FindTensorType(info->type_id);
  const std::optional<Data> data = DataOf(*file, *info);
  ggufgate_tensor out = {};
  out.size = tensor->size;
  out.name = info->name.data();
  out.name_size = info->name.size();
  out.type = info->type_id;
  out.type_name = type != nullptr ? type->name.data() : "";  // a literal, which ends with a NUL
  out.block_elements = type != nullptr ? type->block_elements : 0;
  out.block_bytes = type != nullptr ? type->block_bytes : 0;
  out.dimension_count = info->dimension_count;
  std::ranges::copy(info->dims, std::span(out.dimensions).begin());
  if (data) {
    out.offset = data->range.begin;
    out.bytes = data->range.size;
    out.elements = data->elements;
    out.readable = 1;
  }
  *tensor = out;
  return GGUFGATE_STATUS_OK;
}

ggufgate_status ggufgate_file_find_tensor(const ggufgate_file* file, const char* name,
                                          size_t name_size, uint64_t* index) noexcept {
  if (file == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return api::FindName(file->tensors, name, name_size, index);
}

ggufgate_status ggufgate_tensor_view(const ggufgate_file* file, uint64_t tensor, const void** bytes,
                                     size_t* size) noexcept {
  if (bytes == nullptr || size == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return WithData(file, tensor, [&](const Data& data) -> ggufgate_status {
    if (file->memory.empty()) return GGUFGATE_STATUS_UNSUPPORTED;
    const Bytes view = file->memory.subspan(data.range.begin, data.range.size);
    *bytes = view.data();
    *size = view.size();
    return GGUFGATE_STATUS_OK;
  });
}

ggufgate_status ggufgate_tensor_read(const ggufgate_file* file, uint64_t tensor, uint64_t offset,
                                     void* bytes, size_t size) noexcept {
  if (!api::IsMemory(bytes, size)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return WithData(file, tensor, [&](const Data& data) -> ggufgate_status {
    if (!ByteRange{.begin = offset, .size = size}.FitsIn(data.range.size)) {
      return GGUFGATE_STATUS_OUT_OF_RANGE;
    }
    const MutableBytes out = api::SpanOf(static_cast<std::uint8_t*>(bytes), size);
    return file->source().ReadAt(data.range.begin + offset, out).complete() ? GGUFGATE_STATUS_OK
                                                                            : GGUFGATE_STATUS_IO;
  });
}

ggufgate_status ggufgate_tensor_floats(const ggufgate_file* file, uint64_t tensor, uint64_t first,
                                       float* floats, size_t count) noexcept {
  if (!api::IsMemory(floats, count)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return WithData(file, tensor, [&](const Data& data) -> ggufgate_status {
    if (!ByteRange{.begin = first, .size = count}.FitsIn(data.elements)) {
      return GGUFGATE_STATUS_OUT_OF_RANGE;
    }
    return Decode(*file, data, first, api::SpanOf(floats, count));
  });
}
