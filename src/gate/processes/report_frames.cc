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

// In front of the bytes: kind and length.
constexpr std::size_t kHeadBytes = 1 + sizeof(std::uint64_t);
using Head = std::array<std::uint8_t, kHeadBytes>;

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

}  // namespace

absl::Status SendFrame(int descriptor, FrameKind kind, Bytes bytes) {
  Head head = {static_cast<std::uint8_t>(kind)};
  Store(std::uint64_t{bytes.size()}, ByteOrder::kLittle, MutableBytes(head).subspan(1));
  if (absl::Status sent = Send(descriptor, head); !sent.ok()) return sent;
  return Send(descriptor, bytes);
}

absl::StatusOr<std::optional<Frame>> ReceiveFrame(int descriptor,
                                                  const std::function<absl::Status()>& wait) {
  Head head = {};
  const absl::StatusOr<std::size_t> come = Receive(descriptor, head, wait);
  if (!come.ok()) return come.status();
  if (*come == 0) return std::nullopt;
  if (*come < head.size() || head.front() >= kKinds) return Broken();
  const auto size = Load<std::uint64_t>(Bytes(head).subspan(1), ByteOrder::kLittle);
  if (size > kMostReportBytes) return absl::ResourceExhaustedError("a report is too long");

  constexpr std::uint64_t kStep = std::uint64_t{1} << 16;
  Frame frame{.kind = static_cast<FrameKind>(head.front()), .bytes = {}};
  while (frame.bytes.size() < size) {
    const std::size_t before = frame.bytes.size();
    const std::uint64_t step = std::min(std::max<std::uint64_t>(kStep, before), size - before);
    frame.bytes.resize(before + step);
    const absl::StatusOr<std::size_t> more =
        Receive(descriptor, MutableBytes(frame.bytes).subspan(before), wait);
    if (!more.ok()) return more.status();
    if (*more < step) return Broken();
  }
  return frame;
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
