#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "gate/remote/remote_file.h"

namespace ggufgate {

// RemoteSource reads a file on a server by ranges. It keeps the front, and pieces of the rest. The
// rules read padding at many places in the file, and each piece takes a request.
class RemoteSource final : public ByteSource {
 public:
  // Bytes read at the start. They hold most headers of models without a vocabulary, and the bytes
  // that the witness reads first.
  static constexpr std::uint64_t kFirstBytes = std::uint64_t{512} << 10;
  static constexpr std::uint64_t kPieceBytes = std::uint64_t{64} << 10;
  static constexpr std::size_t kMostPieces = 64;

  // `file` must outlive it; its problem() tells why a read failed.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<RemoteSource>> Open(RemoteFile& file);

  [[nodiscard]] std::uint64_t size() const override { return file_.facts().size; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;
  [[nodiscard]] bool far_away() const override { return true; }

  // True if a read was refused because it needed more than the allowed number of pieces.
  [[nodiscard]] bool too_many_pieces() const { return too_many_pieces_; }

 private:
  struct Piece {
    std::uint64_t begin;
    std::vector<std::uint8_t> bytes;
  };

  RemoteSource(RemoteFile& file, std::vector<std::uint8_t> front)
      : file_(file), front_(std::move(front)) {}
  [[nodiscard]] bool ExtendFront(std::uint64_t end) const;
  [[nodiscard]] bool ReadElsewhere(std::uint64_t offset, MutableBytes out) const;
  [[nodiscard]] const Piece* PieceWith(std::uint64_t offset) const;

  RemoteFile& file_;
  mutable std::mutex mutex_;  // guards the members below, and the file
  mutable std::vector<std::uint8_t> front_;
  mutable std::vector<Piece> pieces_;
  mutable bool too_many_pieces_ = false;
};

}  // namespace ggufgate
