#include "gate/remote/remote_source.h"

#include <algorithm>
#include <cerrno>

#include "bytes/byte_range.h"

namespace ggufgate {

absl::StatusOr<std::unique_ptr<RemoteSource>> RemoteSource::Open(RemoteFile& file) {
  absl::StatusOr<std::vector<std::uint8_t>> front = file.Open(kFirstBytes);
  if (!front.ok()) return front.status();
  return std::unique_ptr<RemoteSource>(new RemoteSource(file, *std::move(front)));
}

ReadOutcome RemoteSource::ReadAt(std::uint64_t offset, MutableBytes out) const {
  const std::scoped_lock lock(mutex_);
  if (!ByteRange{.begin = offset, .size = out.size()}.FitsIn(size())) {
    return {.kind = ReadOutcome::Kind::kShrunk};
  }
  constexpr ReadOutcome kFailed = {.kind = ReadOutcome::Kind::kFailed, .error_number = EIO};
  if (offset <= front_.size()) {
    const std::uint64_t end = offset + out.size();
    if (!ExtendFront(end)) return kFailed;
    std::ranges::copy(Bytes(front_).subspan(offset, out.size()), out.begin());
    return {};
  }
  return ReadElsewhere(offset, out) ? ReadOutcome{} : kFailed;
}

bool RemoteSource::ExtendFront(std::uint64_t end) const {
  const std::size_t had = front_.size();
  if (end <= had) return true;
  front_.resize(end);
  if (file_.Read(had, MutableBytes(front_).subspan(had)).ok()) return true;
  front_.resize(had);
  return false;
}

const RemoteSource::Piece* RemoteSource::PieceWith(std::uint64_t offset) const {
  const auto found = std::ranges::find_if(pieces_, [offset](const Piece& piece) {
    return piece.begin <= offset && offset - piece.begin < piece.bytes.size();
  });
  return found == pieces_.end() ? nullptr : &*found;
}

bool RemoteSource::ReadElsewhere(std::uint64_t offset, MutableBytes out) const {
  while (!out.empty()) {
    const Piece* piece = PieceWith(offset);
    if (piece == nullptr) {
      too_many_pieces_ = pieces_.size() == kMostPieces;
      if (too_many_pieces_) return false;
      const std::uint64_t wanted = std::max<std::uint64_t>(out.size(), kPieceBytes);
      Piece read{.begin = offset, .bytes = {}};
      read.bytes.resize(std::min(wanted, size() - offset));
      if (!file_.Read(offset, read.bytes).ok()) return false;
      pieces_.push_back(std::move(read));
      piece = &pieces_.back();
    }
    const Bytes held = Bytes(piece->bytes).subspan(offset - piece->begin);
    const std::size_t size = std::min(held.size(), out.size());
    std::ranges::copy(held.first(size), out.begin());
    out = out.subspan(size);
    offset += size;
  }
  return true;
}

}  // namespace ggufgate
