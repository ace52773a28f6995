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

// RowRange are the rows from `first` up to `end`.
struct RowRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

// TensorFloats decodes one tensor of a file into floats, a chunk at a time: memory does not grow
// with the tensor. It views the document and the source.
class TensorFloats {
 public:
  // Find looks a tensor up and makes sure that all its data lie in the file. The document has been
  // judged, but nothing is taken on trust.
  [[nodiscard]] static absl::StatusOr<TensorFloats> Find(const Document& document,
                                                         const ByteSource& source,
                                                         std::string_view name);
  // Of is the same for a tensor of that document.
  [[nodiscard]] static absl::StatusOr<TensorFloats> Of(const Document& document,
                                                       const ByteSource& source,
                                                       const TensorInfo& info);

  [[nodiscard]] const TensorInfo& info() const { return *tensor_; }
  [[nodiscard]] const TensorTypeInfo& type() const { return *type_; }
  // The slowest dimension first, as NumPy has it.
  [[nodiscard]] std::vector<std::uint64_t> Shape() const;
  [[nodiscard]] std::uint64_t row_elements() const { return row_elements_; }
  [[nodiscard]] std::uint64_t row_count() const { return row_count_; }

  // Chunk is some floats, of which the first is number `first` of the rows asked for.
  struct Chunk {
    std::uint64_t first = 0;
    std::span<const float> floats;
    std::size_t worker = 0;  // below the number of jobs
  };
  static constexpr std::size_t kChunkElements = std::size_t{1} << 18;

  // Receivers are given every chunk: `at_once` by several threads at a time, `in_turn` after that,
  // in order and by one thread at a time. An error ends the work.
  struct Receivers {
    std::function<absl::Status(const Chunk&)> at_once;
    std::function<absl::Status(const Chunk&)> in_turn;
  };

  // Decode decodes rows with `jobs` threads, or as many as have room (ThreadTeam), each with a
  // buffer of 1 MiB for floats and up to 2 MiB for blocks. `rows` lie within row_count().
  [[nodiscard]] absl::Status Decode(RowRange rows, unsigned jobs, const Receivers& receivers) const;

 private:
  class Work;

  TensorFloats() = default;

  const ByteSource* source_ = nullptr;
  const TensorInfo* tensor_ = nullptr;
  const TensorTypeInfo* type_ = nullptr;
  ByteOrder order_ = ByteOrder::kLittle;
  std::uint64_t begin_ = 0;  // of the data, in the file
  std::uint64_t row_elements_ = 0;
  std::uint64_t row_count_ = 0;
};

}  // namespace ggufgate
