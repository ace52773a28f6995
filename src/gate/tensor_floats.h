#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "parse/document.h"
#include "parse/extent.h"

namespace ggufgate {

// RowRange is the range of rows from `first` up to `end`.
struct RowRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

// TensorFloats decodes one tensor of a file into floats, a chunk at a time, so memory does not grow
// with the tensor. It views the document and the source.
class TensorFloats {
 public:
  // Find looks a tensor up and makes sure that all its data are in the file. It repeats these
  // checks even though the document was checked before.
  [[nodiscard]] static absl::StatusOr<TensorFloats> Find(const Document& document,
                                                         const ByteSource& source,
                                                         std::string_view name);
  // Of does the same for a given tensor of that document.
  [[nodiscard]] static absl::StatusOr<TensorFloats> Of(const Document& document,
                                                       const ByteSource& source,
                                                       const TensorInfo& info);

  [[nodiscard]] const TensorInfo& info() const { return *tensor_; }
  [[nodiscard]] const TensorTypeInfo& type() const { return *type_; }
  // The dimensions in the order of NumPy: the slowest first.
  [[nodiscard]] std::vector<std::uint64_t> Shape() const;
  [[nodiscard]] std::uint64_t row_elements() const { return row_elements_; }
  [[nodiscard]] std::uint64_t row_count() const { return row_count_; }

  // Chunk holds some floats. The first one is number `first` of the requested rows.
  struct Chunk {
    std::uint64_t first = 0;
    std::span<const float> floats;
    std::size_t worker = 0;  // less than the number of jobs
  };
  static constexpr std::size_t kChunkElements = std::size_t{1} << 18;

  // Receivers get every chunk twice. `at_once` may be called by several threads at a time. After
  // that, `in_turn` is called in order, by one thread at a time. An error stops the work.
  struct Receivers {
    std::function<absl::Status(const Chunk&)> at_once;
    std::function<absl::Status(const Chunk&)> in_turn;
  };

  // Decode decodes rows with up to `jobs` threads (ThreadTeam). Each thread has a buffer of 1 MiB
  // for floats and one of up to 2 MiB for blocks. `rows` must be within row_count().
  [[nodiscard]] absl::Status Decode(RowRange rows, unsigned jobs, const Receivers& receivers) const;

 private:
  class Work;

  TensorFloats() = default;

  const ByteSource* source_ = nullptr;
  const TensorInfo* tensor_ = nullptr;
  const TensorTypeInfo* type_ = nullptr;
  ByteOrder order_ = ByteOrder::kLittle;
  std::uint64_t begin_ = 0;  // file offset of the data
  std::uint64_t row_elements_ = 0;
  std::uint64_t row_count_ = 0;
};

}  // namespace ggufgate
