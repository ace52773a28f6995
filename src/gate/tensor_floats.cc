#include "gate/tensor_floats.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>

#include "absl/strings/str_format.h"
#include "dequantize/dequantize.h"
#include "gate/reading/read_document.h"
#include "gate/threads/thread_team.h"

namespace ggufgate {

absl::StatusOr<TensorFloats> TensorFloats::Find(const Document& document, const ByteSource& source,
                                                std::string_view name) {
  const auto found = std::ranges::find(document.tensors, name, &TensorInfo::name);
  if (found == document.tensors.end()) return absl::NotFoundError("there is no such tensor");
  return Of(document, source, *found);
}

absl::StatusOr<TensorFloats> TensorFloats::Of(const Document& document, const ByteSource& source,
                                              const TensorInfo& info) {
  const Extent extent = ExtentOf(info, 1);
  const std::optional<ByteRange> data = DataRange(document, info, extent);
  if (extent.type == nullptr || !extent.elements || !extent.whole_blocks || !data ||
      !data->FitsIn(source.size())) {
    return absl::DataLossError("part of its data is not in the file");
  }
  TensorFloats tensor;
  tensor.source_ = &source;
  tensor.tensor_ = &info;
  tensor.type_ = extent.type;
  tensor.order_ = document.byte_order;
  tensor.begin_ = data->begin;
  tensor.row_elements_ = info.dims.front();
  tensor.row_count_ = tensor.row_elements_ == 0 ? 0 : *extent.elements / tensor.row_elements_;
  return tensor;
}

std::vector<std::uint64_t> TensorFloats::Shape() const {
  const auto dims = tensor_->Dimensions();
  return {dims.rbegin(), dims.rend()};
}

// Work is the state of one call of Decode(). Threads take chunks by number. A thread that has
// decoded its chunk waits for the earlier chunks, so there are at most as many waiting chunks as
// threads.
class TensorFloats::Work {
 public:
  Work(const TensorFloats& tensor, RowRange rows, const Receivers& receivers)
      : tensor_(tensor),
        receivers_(receivers),
        first_(rows.first * tensor.row_elements_),
        count_((rows.end - rows.first) * tensor.row_elements_) {}

  [[nodiscard]] std::uint64_t Chunks() const {
    return count_ / kChunkElements + (count_ % kChunkElements != 0 ? 1 : 0);
  }

  void Run(std::size_t worker) try {
    const TensorTypeInfo& type = *tensor_.type_;
    const std::uint64_t most = std::min<std::uint64_t>(kChunkElements, count_);
    std::vector<float> floats(most);
    std::vector<std::uint8_t> blocks(most / type.block_elements * type.block_bytes);
    for (std::uint64_t chunk = drawn_++; chunk < Chunks(); chunk = drawn_++) {
      const std::uint64_t from = chunk * kChunkElements;
      const auto some = std::span(floats).first(std::min<std::uint64_t>(most, count_ - from));
      const MutableBytes bytes =
          std::span(blocks).first(some.size() / type.block_elements * type.block_bytes);
      const Chunk decoded{.first = from, .floats = some, .worker = worker};
      absl::Status status = Read(from, bytes, some);
      if (status.ok()) status = receivers_.at_once(decoded);
      if (!InTurn(chunk, decoded, std::move(status))) return;
    }
  } catch (const std::bad_alloc&) {
    Stop(absl::ResourceExhaustedError("out of memory"));
  }

  [[nodiscard]] absl::Status status() const { return status_; }

 private:
  // `from` is a multiple of the block size: rows and chunks consist of whole blocks.
  absl::Status Read(std::uint64_t from, MutableBytes bytes, std::span<float> floats) const {
    const TensorTypeInfo& type = *tensor_.type_;
    const std::uint64_t at = (first_ + from) / type.block_elements * type.block_bytes;
    const ReadOutcome outcome = tensor_.source_->ReadAt(tensor_.begin_ + at, bytes);
    if (!outcome.complete()) return StatusOf(outcome);
    const Dequantized result = Dequantize(type.type, bytes, floats, tensor_.order_);
    if (result == Dequantized::kDone) return absl::OkStatus();
    return absl::InternalError(absl::StrFormat("%s", WordsFor(result)));
  }

  // InTurn waits until all earlier chunks are done. It returns false if the work has stopped.
  bool InTurn(std::uint64_t chunk, const Chunk& decoded, absl::Status status) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return done_ == chunk || !status_.ok(); });
    if (!status_.ok()) return false;
    status_ = status.ok() ? receivers_.in_turn(decoded) : std::move(status);
    ++done_;
    turn_.notify_all();
    return status_.ok();
  }

  void Stop(absl::Status status) {
    const std::lock_guard lock(mutex_);
    status_.Update(status);
    turn_.notify_all();
  }

  const TensorFloats& tensor_;
  const Receivers& receivers_;
  const std::uint64_t first_;  // index of the first element in the tensor
  const std::uint64_t count_;
  std::atomic<std::uint64_t> drawn_ = 0;
  std::mutex mutex_;
  std::condition_variable turn_;
  std::uint64_t done_ = 0;
  absl::Status status_;
};

absl::Status TensorFloats::Decode(RowRange rows, unsigned jobs, const Receivers& receivers) const {
  Work work(*this, rows, receivers);
  ThreadTeam team(std::min<std::uint64_t>(jobs, work.Chunks()));
  team.Run([&work](std::size_t worker) { work.Run(worker); });
  return work.status();
}

}  // namespace ggufgate
