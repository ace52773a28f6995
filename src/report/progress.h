#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>

namespace ggufgate {

// ProgressText is a line like "1.2 GB of 4.1 GB, 29 %, 1.1 GB/s, 3 s left". `total` may be 0 when
// it is not known; then share and time left are left out, as they are before there is a rate.
[[nodiscard]] std::string ProgressText(std::uint64_t done, std::uint64_t total,
                                       std::chrono::nanoseconds elapsed);

// ProgressLine shows on a terminal how much is done: a line that is written over, and wiped out in
// the end.
class ProgressLine {
 public:
  // `out` outlives the line and is a terminal; `total` is in bytes. Between the making and the
  // first drawing, and between any two, there is at least `pause`.
  ProgressLine(std::uint64_t total, std::ostream& out,
               std::chrono::nanoseconds pause = std::chrono::milliseconds(100));
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { Hide(); }

  // Add counts bytes as done and draws when it is time to. From any thread.
  void Add(std::uint64_t bytes);

  // Hide wipes the line out; it is not drawn again while the lock is held.
  std::unique_lock<std::mutex> Hide();

 private:
  using Clock = std::chrono::steady_clock;

  const std::uint64_t total_;
  std::ostream& out_;
  const Clock::duration pause_;
  const Clock::time_point begin_;
  std::atomic<std::uint64_t> done_ = 0;

  std::mutex mutex_;  // guards what follows, and the stream
  Clock::time_point drawn_;
  bool shown_ = false;
};

}  // namespace ggufgate
