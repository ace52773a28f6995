#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/bytes.h"

namespace ggufgate {

// Frames are what processes of one run send each other through a pipe, in order.
enum class FrameKind : std::uint8_t {
  kReport,    // of the next file; bytes of WriteReport()
  kLoss,      // no report of the next file came: why, as text
  kProgress,  // bytes of files done since the last, as one little-endian number of 64 bits
  kCpuLimit,  // seconds of processor time that a file may take, as such a number
};

// In front of the bytes of a frame: kind and length.
inline constexpr std::size_t kFrameHeadBytes = 1 + sizeof(std::uint64_t);

struct Frame {
  FrameKind kind = FrameKind::kReport;
  std::vector<std::uint8_t> bytes;
};

// SendFrame writes a frame whole, however little the pipe takes at a time. An error when nobody
// reads any more: the caller has SIGPIPE ignored.
[[nodiscard]] absl::Status SendFrame(int descriptor, FrameKind kind, Bytes bytes);

// ReceiveFrame waits for the next frame; nullopt at the end of the pipe. An error for half a frame,
// an unknown kind, and more bytes than kMostReportBytes, which are not waited for. Memory grows
// with the bytes that have come. `wait` is called before each read, and ends it by an error.
[[nodiscard]] absl::StatusOr<std::optional<Frame>> ReceiveFrame(
    int descriptor, const std::function<absl::Status()>& wait = {});

// AppendFrame writes a frame behind what `out` holds.
void AppendFrame(FrameKind kind, Bytes bytes, std::vector<std::uint8_t>& out);

// FrameReader is ReceiveFrame for a pipe whose reads do not wait: what has come of a frame stays
// in it until the rest comes.
class FrameReader {
 public:
  struct Taken {
    std::optional<Frame> frame;  // the next one, if it is whole
    bool ended = false;          // the pipe has, between two frames
  };
  // TakeFrom reads what there is, up to the end of a frame. Errors are those of ReceiveFrame.
  [[nodiscard]] absl::StatusOr<Taken> TakeFrom(int descriptor);

 private:
  [[nodiscard]] MutableBytes Wanted();

  std::array<std::uint8_t, kFrameHeadBytes> head_{};
  std::size_t come_ = 0;  // bytes of the head, and of the frame
  std::uint64_t size_ = 0;
  Frame frame_;
};

// Numbers that frames hold. Nothing when these bytes are no number.
[[nodiscard]] std::vector<std::uint8_t> FrameOfNumber(std::uint64_t number);
[[nodiscard]] std::optional<std::uint64_t> NumberIn(const Frame& frame);

}  // namespace ggufgate
