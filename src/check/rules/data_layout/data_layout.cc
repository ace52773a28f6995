// Rules about the offsets of tensor data.

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "bytes/checked.h"
#include "check/rules/rule_functions.h"

namespace ggufgate {

void CheckTensorOffsetAlignment(const Context& context, Sink& sink) {
  if (!context.document.alignment) return;
  const std::uint64_t alignment = *context.document.alignment;
  for (const TensorInfo& tensor : context.document.tensors) {
    if (tensor.offset % alignment == 0) continue;
    sink.Add({.where = tensor.OffsetRange(),
              .subject = TensorSubject(context.document, tensor),
              .observed = tensor.offset,
              .allowed = alignment});
  }
}

void CheckTensorDataBounds(const Context& context, Sink& sink) {
  const Document& document = context.document;
  if (!document.data_begin) return;
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const TensorInfo& tensor = document.tensors.at(i);
    const Extent& extent = context.extents.at(i);
    if (!extent.bytes) continue;  // an impossible size, which another rule reports
    const std::optional<ByteRange> range = DataRange(document, tensor, extent);
    if (range && range->FitsIn(document.file_size)) continue;
    sink.Add({.where = tensor.OffsetRange(),
              .subject = TensorSubject(document, tensor),
              .observed = range ? range->End() : tensor.offset,
              .allowed = range ? document.file_size : *document.data_begin,
              .wording = range ? TensorDataBoundsWording::kPastTheFile
                               : TensorDataBoundsWording::kPastAnyFile});
  }
}

void CheckTensorOverlap(const Context& context, Sink& sink) {
  struct Placed {
    ByteRange range;
    std::size_t index;
  };
  const Document& document = context.document;
  std::vector<Placed> placed;
  placed.reserve(document.tensors.size());
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const auto range = DataRange(document, document.tensors.at(i), context.extents.at(i));
    if (range && range->size > 0) placed.push_back({*range, i});
  }
  const auto place = [](const Placed& p) { return std::tuple(p.range.begin, p.index); };
  // In nearly every file the tensors are in order.
  if (!std::ranges::is_sorted(placed, {}, place)) std::ranges::sort(placed, {}, place);

  const Placed* furthest = nullptr;  // of the tensors before, the one with the greatest end
  for (const Placed& current : placed) {
    if (furthest != nullptr && current.range.begin < furthest->range.End()) {
      const TensorInfo& tensor = document.tensors.at(current.index);
      sink.Add({.where = tensor.OffsetRange(),
                .subject = TensorSubject(document, tensor),
                .observed = current.range.begin,
                .allowed = furthest->range.End(),
                .other = TextFact(document.tensors.at(furthest->index).name)});
    }
    if (furthest == nullptr || current.range.End() > furthest->range.End()) furthest = &current;
  }
}

namespace {

// TernaryLayoutOf: bitnet.cpp stores its type TL2 under the number of MXFP4. A tensor has 5 bytes
// for 24 elements, then 32 bytes for its scale.
Cause TernaryLayoutOf(const TensorInfo& before, std::uint64_t room, std::uint64_t alignment) {
  constexpr std::uint64_t kBytes = 5;
  constexpr std::uint64_t kElements = 24;
  constexpr std::uint64_t kScale = 32;
  if (before.type_id != static_cast<std::uint32_t>(TensorType::kMXFP4)) return {};
  std::optional<std::uint64_t> bytes = kBytes;
  for (const std::uint64_t dim : before.dims) {
    if (bytes) bytes = CheckedMul(*bytes, dim);
  }
  if (bytes) bytes = CheckedAdd(*bytes / kElements, kScale);
  if (!bytes || CheckedAlignUp(*bytes, alignment) != room) return {};
  return {
      .kind = Cause::Kind::kForkLayout, .a = kBytes, .b = kElements, .other = "bitnet.cpp (TL2)"};
}

// ForkLayoutOf recognises the most common innocent cause of a wrong offset. The tensor before has a
// type number for which a fork uses another block layout, and the distance between the offsets fits
// that layout.
Cause ForkLayoutOf(const TensorInfo& before, std::uint64_t room, std::uint64_t alignment) {
  const ForkLayout* fork = FindForkLayout(before.type_id);
  if (fork == nullptr || before.dims.front() % fork->block_elements != 0) return {};
  std::optional<std::uint64_t> bytes =
      CheckedMul(before.dims.front() / fork->block_elements, fork->block_bytes);
  for (const std::uint64_t dim : std::span(before.dims).subspan(1)) {
    if (bytes) bytes = CheckedMul(*bytes, dim);
  }
  if (!bytes || CheckedAlignUp(*bytes, alignment) != room) return {};
  constexpr std::uint64_t kEnough = 8;  // with fewer units, padding makes too many layouts fit
  if (room / alignment < kEnough) return {};
  return {.kind = Cause::Kind::kForkLayout,
          .a = fork->block_bytes,
          .b = fork->block_elements,
          .other = std::string(fork->fork)};
}

}  // namespace

// Two offsets are right: the sum of all sizes before, or the end of the tensor before, if that one
// was already out of place. So one wrong offset is one finding, not one for every tensor after it.
void CheckTensorOrder(const Context& context, Sink& sink) {
  const Document& document = context.document;
  if (!document.alignment) return;
  std::optional<std::uint64_t> sum = 0;         // padded sizes of all tensors before
  std::optional<std::uint64_t> after_last = 0;  // padded end of the tensor before
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const TensorInfo& tensor = document.tensors.at(i);
    if (sum && tensor.offset != *sum && tensor.offset != after_last) {
      Cause cause;
      if (i > 0 && tensor.offset > document.tensors.at(i - 1).offset) {
        const TensorInfo& before = document.tensors.at(i - 1);
        const std::uint64_t room = tensor.offset - before.offset;
        cause = ForkLayoutOf(before, room, *document.alignment);
        if (!cause) cause = TernaryLayoutOf(before, room, *document.alignment);
      }
      sink.Add({.where = tensor.OffsetRange(),
                .subject = TensorSubject(document, tensor),
                .observed = tensor.offset,
                .allowed = *sum,
                .cause = cause});
    }
    const std::optional<std::uint64_t> padded = context.extents.at(i).padded;
    if (!padded) return;  // the places of the tensors after it are unknown
    sum = CheckedAdd(*sum, *padded);
    after_last = CheckedAdd(tensor.offset, *padded);
    if (!sum) return;
  }
}

}  // namespace ggufgate
