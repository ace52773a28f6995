// The exports that decode tensor data. JavaScript asks for the range of some elements, copies those
// bytes into the module's buffer, and has them decoded.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "api/wasm/module.h"
#include "dequantize/dequantize.h"
#include "parse/extent.h"

using namespace ggufgate;
using module::Current;

namespace {

// Elements of one tensor, and the whole blocks that hold them.
struct Request {
  const TensorTypeInfo* type = nullptr;
  ByteRange where;          // file range of the blocks
  std::uint64_t first = 0;  // index of the first element within those blocks
  std::vector<std::uint8_t> blocks = {};
  std::vector<float> floats = {};
};

Request& Asked() {
  static Request request;
  return request;
}

// RequestFor checks the numbers again, because a rejected file may be displayed, too.
std::optional<Request> RequestFor(const Document& document, std::uint32_t tensor,
                                  std::uint64_t first, std::uint32_t count) {
  if (tensor >= document.tensors.size() || count == 0) return std::nullopt;
  const TensorInfo& info = document.tensors[tensor];
  const Extent extent = ExtentOf(info, 1);
  const std::optional<ByteRange> data = DataRange(document, info, extent);
  if (extent.type == nullptr || !extent.elements || !extent.whole_blocks || !data ||
      !data->FitsIn(document.file_size)) {
    return std::nullopt;
  }
  if (first >= *extent.elements || count > *extent.elements - first) return std::nullopt;
  const std::uint64_t first_block = first / extent.type->block_elements;
  const std::uint64_t last_block = (first + count - 1) / extent.type->block_elements;
  Request request{.type = extent.type,
                  .where = {data->begin + first_block * extent.type->block_bytes,
                            (last_block - first_block + 1) * extent.type->block_bytes},
                  .first = first - first_block * extent.type->block_elements};
  request.blocks.resize(request.where.size);
  request.floats.resize(count);
  return request;
}

}  // namespace

// gate_floats_begin returns 1 if all these elements are in the file, else 0.
GGUFGATE_EXPORT(std::int32_t, gate_floats_begin, std::uint32_t tensor, std::uint64_t first,
                std::uint32_t count) {
  std::optional<Request> request = RequestFor(Current().judging->document(), tensor, first, count);
  if (!request) return 0;
  Asked() = *std::move(request);
  return 1;
}
GGUFGATE_EXPORT(std::uint64_t, gate_floats_offset) { return Asked().where.begin; }
GGUFGATE_EXPORT(std::uint32_t, gate_floats_size) {
  return static_cast<std::uint32_t>(Asked().where.size);
}
GGUFGATE_EXPORT(std::uint8_t*, gate_floats_room) { return Asked().blocks.data(); }

// gate_floats_decode decodes the contents of the buffer, bit for bit like ggml. It returns nullptr
// if that is impossible.
GGUFGATE_EXPORT(const float*, gate_floats_decode) {
  Request& asked = Asked();
  const Dequantized done =
      DequantizeElements(asked.type->type, asked.blocks, asked.first, asked.floats,
                         Current().judging->document().byte_order);
  return done == Dequantized::kDone ? asked.floats.data() : nullptr;
}
