#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "mutate/file/draft.h"
#include "mutate/file/placement.h"
#include "mutate/memory/copy_bytes.h"

namespace ggufgate::mutate {

// Writer fills a buffer from the front. After the first field that does not fit, it writes nothing
// more, and fits() is false.
class Writer {
 public:
  Writer(MutableBytes out, Encoding encoding)
      : room_(out.size()), rest_(out), encoding_(encoding) {}

  template <Scalar T>
  Writer& Put(T value) {
    if (Room(sizeof(T))) {
      Store(value, encoding_.order, rest_);
      rest_ = rest_.subspan(sizeof(T));
    }
    return *this;
  }
  // PutWord writes a count, length or dimension: 8 bytes, or the lower 4 in version 1.
  Writer& PutWord(std::uint64_t value) {
    return encoding_.word == 8 ? Put(value) : Put(static_cast<std::uint32_t>(value));
  }
  Writer& PutBytes(Bytes bytes) {
    if (!bytes.empty() && Room(bytes.size())) {
      CopyBytes(bytes, rest_);
      rest_ = rest_.subspan(bytes.size());
    }
    return *this;
  }
  Writer& PutString(std::string_view text) { return PutWord(text.size()).PutBytes(AsBytes(text)); }
  Writer& Fill(std::uint64_t count, std::uint8_t byte) {
    if (Room(count)) {
      std::ranges::fill(rest_.first(count), byte);
      rest_ = rest_.subspan(count);
    }
    return *this;
  }

  // Take returns `size` bytes for the caller to fill; fewer if they do not fit.
  [[nodiscard]] [[gnu::always_inline]] MutableBytes Take(std::uint64_t size) {
    if (!Room(size)) return {};
    const MutableBytes taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

  [[nodiscard]] Encoding encoding() const { return encoding_; }
  [[nodiscard]] std::size_t at() const { return room_ - rest_.size(); }
  [[nodiscard]] bool fits() const { return fits_; }

 private:
  bool Room(std::uint64_t size) {
    fits_ = fits_ && size <= rest_.size();
    return fits_;
  }

  std::size_t room_;
  MutableBytes rest_;  // the part after the written bytes
  Encoding encoding_;
  bool fits_ = true;
};

// PutEntry and PutTensor write one record. In the usual encoding they check the room only once.
[[gnu::always_inline]] inline void PutEntry(Writer& writer, const Entry& entry) {
  if (writer.encoding() != Encoding{}) {
    writer.PutString(entry.key).Put(entry.type).PutBytes(entry.value);
    return;
  }
  const std::uint64_t size = SizeOf(entry);
  const MutableBytes out = writer.Take(size);
  if (out.size() != size) return;
  Store(std::uint64_t{entry.key.size()}, ByteOrder::kLittle, out);
  CopyBytes(AsBytes(entry.key), out.subspan(8));
  const MutableBytes behind = out.subspan(8 + entry.key.size());
  Store(entry.type, ByteOrder::kLittle, behind);
  CopyBytes(entry.value, behind.subspan(4));
}
inline void PutTensor(Writer& writer, const Tensor& tensor) {
  const std::size_t count = std::min<std::size_t>(tensor.dimension_count, kReadDimensions);
  const auto dims = std::span(tensor.dims).first(count);
  // A lie may claim more dimensions than are written.
  if (writer.encoding() != Encoding{} || count != tensor.dimension_count) {
    writer.PutString(tensor.name).Put(tensor.dimension_count);
    for (const std::uint64_t dimension : dims) writer.PutWord(dimension);
    writer.Put(tensor.type).Put(tensor.offset);
    return;
  }
  const std::uint64_t size = SizeOf(tensor);
  const MutableBytes out = writer.Take(size);
  if (out.size() != size) return;
  Store(std::uint64_t{tensor.name.size()}, ByteOrder::kLittle, out);
  CopyBytes(AsBytes(tensor.name), out.subspan(8));
  MutableBytes behind = out.subspan(8 + tensor.name.size());
  Store(tensor.dimension_count, ByteOrder::kLittle, behind);
  behind = behind.subspan(4);
  for (const std::uint64_t dimension : dims) {
    Store(dimension, ByteOrder::kLittle, behind);
    behind = behind.subspan(8);
  }
  Store(tensor.type, ByteOrder::kLittle, behind);
  Store(tensor.offset, ByteOrder::kLittle, behind.subspan(4));
}

// Tail has the bytes after the records for WriteAsItStands. Its first part begins at a multiple of
// the alignment, or directly if the alignment is 0.
struct Tail {
  Bytes first = {};
  Bytes second = {};
  std::uint64_t alignment = 0;
};

// WriteAsItStands writes the header with its claimed counts, the pieces and a tail. It returns the
// size; nullopt if `out` is too small.
[[nodiscard]] std::optional<std::size_t> WriteAsItStands(const Draft& draft, const Tail& tail,
                                                         MutableBytes out);

// WriteRepaired writes the header with the actual counts, the entries, the tensors, and their data
// in order, each padded with zeros to draft.alignment. It writes fields of records unchanged,
// including offsets. It returns false if `out` is too small; `placement` is invalid then.
[[nodiscard]] bool WriteRepaired(const Draft& draft, MutableBytes out, Placement& placement);

}  // namespace ggufgate::mutate
