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

// FrameKind tells what a frame contains. Processes of one run send each other frames through a
// pipe, in order.
enum class FrameKind : std::uint8_t {
  kReport,    // the report of the next file, as WriteReport() encodes it
  kLoss,      // the next file has no report: the reason, as text
  kProgress,  // bytes of files done since the last frame, as a little-endian 64-bit number
  kCpuLimit,  // seconds of processor time allowed per file, encoded like kProgress
};

// The header of a frame: kind and length.
inline constexpr std::size_t kFrameHeadBytes = 1 + sizeof(std::uint64_t);

struct Frame {
  FrameKind kind = FrameKind::kReport;
  std::vector<std::uint8_t> bytes;
};

// SendFrame writes a whole frame, even if the pipe takes only a few bytes at a time. It returns an
// error if the receiver is gone. The caller must ignore SIGPIPE.
[[nodiscard]] absl::Status SendFrame(int descriptor, FrameKind kind, Bytes bytes);

// ReceiveFrame waits for the next frame. It returns nullopt at the end of the pipe. It returns an
// error for an incomplete frame, an unknown kind, or a length above kMostReportBytes; it does not
// read the bytes of such a frame. Memory grows with the bytes received. It calls `wait` before each
// read; an error of `wait` stops it.
[[nodiscard]] absl::StatusOr<std::optional<Frame>> ReceiveFrame(
    int descriptor, const std::function<absl::Status()>& wait = {});

// AppendFrame appends a frame to `out`.
void AppendFrame(FrameKind kind, Bytes bytes, std::vector<std::uint8_t>& out);

// FrameReader does the same as ReceiveFrame for a non-blocking pipe. It keeps the bytes of an
// incomplete frame until the rest comes.
class FrameReader {
 public:
  struct Taken {
    std::optional<Frame> frame;  // the next frame, if it is complete
    bool ended = false;          // the pipe ended between two frames
  };
  // TakeFrom reads the available bytes, up to the end of a frame. Its errors are those of
  // ReceiveFrame.
  [[nodiscard]] absl::StatusOr<Taken> TakeFrom(int descriptor);

 private:
  [[nodiscard]] MutableBytes Wanted();

  std::array<std::uint8_t, kFrameHeadBytes> head_{};
  std::size_t come_ = 0;  // bytes received of the head and of the frame
  std::uint64_t size_ = 0;
  Frame frame_;
};

// FrameOfNumber encodes a number for a frame. NumberIn decodes it, and returns nullopt if the frame
// is not a number.
[[nodiscard]] std::vector<std::uint8_t> FrameOfNumber(std::uint64_t number);
[[nodiscard]] std::optional<std::uint64_t> NumberIn(const Frame& frame);

}  // namespace ggufgate
