// Rules about the offsets of tensor data.

#include "check/rules/data_layout/data_layout.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
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

namespace {

// BytesOfTernary: bitnet.cpp has its TL2 under the number of MXFP4. A tensor has 5 bytes for 24
// elements, and 32 behind them for its scale.
constexpr std::uint64_t kTernaryBytes = 5;
constexpr std::uint64_t kTernaryElements = 24;
std::optional<std::uint64_t> BytesOfTernary(const TensorInfo& tensor) {
  constexpr std::uint64_t kScale = 32;
  if (tensor.type_id != IdOf(TensorType::kMXFP4)) return std::nullopt;
  std::optional<std::uint64_t> bytes = kTernaryBytes;
  for (const std::uint64_t dim : tensor.dims) {
    if (bytes) bytes = CheckedMul(*bytes, dim);
  }
  return bytes ? CheckedAdd(*bytes / kTernaryElements, kScale) : std::nullopt;
}

// BytesInFork is the size of a tensor in the block layout that a fork gives to its type.
std::optional<std::uint64_t> BytesInFork(const TensorInfo& tensor) {
  const ForkLayout* fork = FindForkLayout(tensor.type_id);
  if (fork == nullptr) return BytesOfTernary(tensor);
  if (tensor.dims.front() % fork->block_elements != 0) return std::nullopt;
  std::optional<std::uint64_t> bytes =
      CheckedMul(tensor.dims.front() / fork->block_elements, fork->block_bytes);
  for (const std::uint64_t dim : std::span(tensor.dims).subspan(1)) {
    if (bytes) bytes = CheckedMul(*bytes, dim);
  }
  return bytes;
}

// CauseInFork recognises the most frequent honest cause of a wrong offset: a fork gives the type
// number of the tensor before another layout, and the room between the offsets fits it.
Cause CauseInFork(const TensorInfo& before, std::uint64_t room, std::uint64_t alignment) {
  const std::optional<std::uint64_t> bytes = BytesInFork(before);
  if (!bytes || CheckedAlignUp(*bytes, alignment) != room) return {};
  constexpr std::uint64_t kEnough = 8;  // in less room padding makes many a layout fit
  if (room / alignment < kEnough) return {};
  const ForkLayout* fork = FindForkLayout(before.type_id);
  if (fork == nullptr) {
    return {.kind = Cause::Kind::kForkLayout,
            .a = kTernaryBytes,
            .b = kTernaryElements,
            .other = "bitnet.cpp (TL2)"};
  }
  return {.kind = Cause::Kind::kForkLayout,
          .a = fork->block_bytes,
          .b = fork->block_elements,
          .other = std::string(fork->fork)};
}

// Rows tells how the tensors of a file lie: each where the one before ends.
struct Rows {
  bool of_ggml = false;  // with the sizes of ggml
  bool of_fork = false;  // with those of a fork, and not with those of ggml
};

// InRow is true where each offset is the sum of the sizes before it.
template <typename SizeOf>
bool InRow(const Document& document, SizeOf size_of) {
  std::optional<std::uint64_t> sum = 0;
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    if (!sum || document.tensors[i].offset != *sum) return false;
    const std::optional<std::uint64_t> bytes = size_of(i);
    const auto padded = bytes ? CheckedAlignUp(*bytes, *document.alignment) : std::nullopt;
    sum = padded ? CheckedAdd(*sum, *padded) : std::nullopt;
  }
  return !document.tensors.empty();
}

Rows FindRows(const Context& context) {
  const Document& document = context.document;
  if (!document.alignment) return {};
  const auto in_ggml = [&](std::size_t i) { return context.extents.at(i).bytes; };
  const auto in_fork = [&](std::size_t i) {
    const std::optional<std::uint64_t> bytes = BytesInFork(document.tensors[i]);
    return bytes ? bytes : in_ggml(i);
  };
  const bool of_ggml = InRow(document, in_ggml);
  return {.of_ggml = of_ggml, .of_fork = !of_ggml && InRow(document, in_fork)};
}

const Rows& RowsOf(const Context& context) {
  return context.cache.Get<Rows>([&] { return FindRows(context); });
}

// Listing lists the findings of a rule; where one cause explains all of them, the first, and counts
// the rest. Where the policy has exceptions, each may be one, and all are listed.
class Listing {
 public:
  Listing(const Context& context, bool one_cause, Sink& sink)
      : first_only_(one_cause && context.policy.suppressions.empty()), sink_(sink) {}
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;
  ~Listing() { sink_.CountMore(more_, {}); }

  void Add(Sink::Report report) {
    if (first_only_ && listed_) {
      ++more_;
      return;
    }
    listed_ = true;
    sink_.Add(std::move(report));
  }

 private:
  bool first_only_;
  bool listed_ = false;
  std::uint64_t more_ = 0;
  Sink& sink_;
};

}  // namespace

bool IsInForkLayout(const Context& context) { return RowsOf(context).of_fork; }

void CheckTensorDataBounds(const Context& context, Sink& sink) {
  const Document& document = context.document;
  if (!document.data_begin) return;
  // Of a truncated file each tensor behind the end is the same fault.
  const Rows& rows = RowsOf(context);
  Listing listing(context, rows.of_ggml || rows.of_fork, sink);
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const TensorInfo& tensor = document.tensors.at(i);
    const Extent& extent = context.extents.at(i);
    if (!extent.bytes) continue;  // an impossible size, which another rule reports
    const std::optional<ByteRange> range = DataRange(document, tensor, extent);
    if (range && range->FitsIn(document.file_size)) continue;
    listing.Add({.where = tensor.OffsetRange(),
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

  Listing listing(context, RowsOf(context).of_fork, sink);
  const Placed* furthest = nullptr;  // of the tensors before, the one with the greatest end
  for (const Placed& current : placed) {
    if (furthest != nullptr && current.range.begin < furthest->range.End()) {
      const TensorInfo& tensor = document.tensors.at(current.index);
      listing.Add({.where = tensor.OffsetRange(),
                   .subject = TensorSubject(document, tensor),
                   .observed = current.range.begin,
                   .allowed = furthest->range.End(),
                   .other = TextFact(document.tensors.at(furthest->index).name)});
    }
    if (furthest == nullptr || current.range.End() > furthest->range.End()) furthest = &current;
  }
}

// Two offsets are right: the sum of all sizes before, or the end of the tensor before, if that one
// was already out of place. So one wrong offset is one finding, not one for every tensor after it.
void CheckTensorOrder(const Context& context, Sink& sink) {
  const Document& document = context.document;
  if (!document.alignment) return;
  Listing listing(context, RowsOf(context).of_fork, sink);
  std::optional<std::uint64_t> sum = 0;         // padded sizes of all tensors before
  std::optional<std::uint64_t> after_last = 0;  // padded end of the tensor before
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const TensorInfo& tensor = document.tensors.at(i);
    if (sum && tensor.offset != *sum && tensor.offset != after_last) {
      Cause cause;
      if (i > 0 && tensor.offset > document.tensors.at(i - 1).offset) {
        const TensorInfo& before = document.tensors.at(i - 1);
        const std::uint64_t room = tensor.offset - before.offset;
        cause = CauseInFork(before, room, *document.alignment);
      }
      listing.Add({.where = tensor.OffsetRange(),
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
