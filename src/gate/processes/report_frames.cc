#include "gate/processes/report_frames.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "bytes/byte_order.h"
#include "gate/processes/report_wire.h"

namespace ggufgate {
namespace {

using Head = std::array<std::uint8_t, kFrameHeadBytes>;

constexpr std::uint8_t kKinds = 4;

absl::Status Send(int descriptor, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(descriptor, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return absl::ErrnoToStatus(errno, "cannot send a report");
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return absl::OkStatus();
}

// Receive fills `room` and returns how many bytes came before the end of the pipe.
absl::StatusOr<std::size_t> Receive(int descriptor, MutableBytes room,
                                    const std::function<absl::Status()>& wait) {
  std::size_t come = 0;
  while (come < room.size()) {
    if (wait) {
      if (absl::Status ready = wait(); !ready.ok()) return ready;
    }
    const MutableBytes rest = room.subspan(come);
    const ssize_t got = ::read(descriptor, rest.data(), rest.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return absl::ErrnoToStatus(errno, "cannot receive a report");
    if (got == 0) break;
    come += static_cast<std::size_t>(got);
  }
  return come;
}

absl::Status Broken() { return absl::DataLossError("a report was cut off"); }

Head HeadOf(FrameKind kind, std::uint64_t size) {
  Head head = {static_cast<std::uint8_t>(kind)};
  Store(size, ByteOrder::kLittle, MutableBytes(head).subspan(1));
  return head;
}

// SizeIn returns the number of bytes that follow a head.
absl::StatusOr<std::uint64_t> SizeIn(const Head& head) {
  if (head.front() >= kKinds) return Broken();
  const auto size = Load<std::uint64_t>(Bytes(head).subspan(1), ByteOrder::kLittle);
  if (size > kMostReportBytes) return absl::ResourceExhaustedError("a report is too long");
  return size;
}

// NextStep returns how many more bytes to make room for, after `before` of `size` bytes have come.
// So memory grows with the bytes received.
std::size_t NextStep(std::size_t before, std::uint64_t size) {
  constexpr std::uint64_t kStep = std::uint64_t{1} << 16;
  return std::min(std::max<std::uint64_t>(kStep, before), size - before);
}

}  // namespace

void AppendFrame(FrameKind kind, Bytes bytes, std::vector<std::uint8_t>& out) {
  const Head head = HeadOf(kind, bytes.size());
  out.reserve(out.size() + head.size() + bytes.size());
  out.insert(out.end(), head.begin(), head.end());
  out.insert(out.end(), bytes.begin(), bytes.end());
}

absl::Status SendFrame(int descriptor, FrameKind kind, Bytes bytes) {
  const Head head = HeadOf(kind, bytes.size());
  if (absl::Status sent = Send(descriptor, head); !sent.ok()) return sent;
  return Send(descriptor, bytes);
}

absl::StatusOr<std::optional<Frame>> ReceiveFrame(int descriptor,
                                                  const std::function<absl::Status()>& wait) {
  Head head = {};
  const absl::StatusOr<std::size_t> come = Receive(descriptor, head, wait);
  if (!come.ok()) return come.status();
  if (*come == 0) return std::nullopt;
  if (*come < head.size()) return Broken();
  const absl::StatusOr<std::uint64_t> size = SizeIn(head);
  if (!size.ok()) return size.status();

  Frame frame{.kind = static_cast<FrameKind>(head.front()), .bytes = {}};
  while (frame.bytes.size() < *size) {
    const std::size_t before = frame.bytes.size();
    const std::size_t step = NextStep(before, *size);
    frame.bytes.resize(before + step);
    const absl::StatusOr<std::size_t> more =
        Receive(descriptor, MutableBytes(frame.bytes).subspan(before), wait);
    if (!more.ok()) return more.status();
    if (*more < step) return Broken();
  }
  return frame;
}

// Wanted returns the buffer for the next bytes.
MutableBytes FrameReader::Wanted() {
  if (come_ < head_.size()) return MutableBytes(head_).subspan(come_);
  const std::size_t before = come_ - head_.size();
  if (before == frame_.bytes.size()) frame_.bytes.resize(before + NextStep(before, size_));
  return MutableBytes(frame_.bytes).subspan(before);
}

absl::StatusOr<FrameReader::Taken> FrameReader::TakeFrom(int descriptor) {
  while (true) {
    const MutableBytes room = Wanted();
    const ssize_t got = ::read(descriptor, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return Taken();
    if (got < 0) return absl::ErrnoToStatus(errno, "cannot receive a report");
    if (got == 0 && come_ > 0) return Broken();
    if (got == 0) return Taken{.frame = std::nullopt, .ended = true};
    come_ += static_cast<std::size_t>(got);
    if (come_ == head_.size()) {
      const absl::StatusOr<std::uint64_t> size = SizeIn(head_);
      if (!size.ok()) return size.status();
      size_ = *size;
      frame_ = {.kind = static_cast<FrameKind>(head_.front()), .bytes = {}};
    }
    if (come_ < head_.size() || come_ - head_.size() < size_) continue;
    come_ = 0;
    return Taken{.frame = std::move(frame_)};
  }
}

std::vector<std::uint8_t> FrameOfNumber(std::uint64_t number) {
  std::vector<std::uint8_t> bytes(sizeof(number));
  Store(number, ByteOrder::kLittle, MutableBytes(bytes));
  return bytes;
}

std::optional<std::uint64_t> NumberIn(const Frame& frame) {
  if (frame.bytes.size() != sizeof(std::uint64_t)) return std::nullopt;
  return Load<std::uint64_t>(frame.bytes, ByteOrder::kLittle);
}

}  // namespace ggufgate
