#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

namespace ggufgate {

// ProgressText is a line like "1.2 GB of 4.1 GB, 29 %, 1.1 GB/s, 3 s left". `total` may be 0 when
// it is not known; then share and time left are left out, as they are before there is a rate.
[[nodiscard]] std::string ProgressText(std::uint64_t done, std::uint64_t total,
                                       std::chrono::nanoseconds elapsed);

// FilesText is the same of files: "1,234 of 20,000 files, 6 %, 12 s left".
[[nodiscard]] std::string FilesText(std::uint64_t done, std::uint64_t total,
                                    std::chrono::nanoseconds elapsed);

// BarAround puts a bar in front of such a line and the name of a file behind it, as far as they
// have room on a terminal of `columns`, of which the last stays free. `name` is escaped; of one
// that is too long the end is kept.
[[nodiscard]] std::string BarAround(std::string_view text, std::uint64_t done, std::uint64_t total,
                                    std::string_view name, std::size_t columns);

// ProgressLine shows on a terminal how much is done: a line that is written over, and wiped out in
// the end.
class ProgressLine {
 public:
  // Totals are what there is to do. `bytes` is 0 where it is not known.
  struct Totals {
    std::uint64_t bytes = 0;
    std::uint64_t files = 0;
  };

  // `out` outlives the line and is a terminal of so many columns. Between the making and the first
  // drawing, and between any two, there is at least `pause`.
  ProgressLine(Totals totals, std::size_t columns, std::ostream& out,
               std::chrono::nanoseconds pause = std::chrono::milliseconds(100));
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { Hide(); }

  // CountFiles shows files done from now on, and not bytes: where no data are read, a file is as
  // much work as another.
  void CountFiles() { counts_files_ = true; }

  // Add counts bytes as done and draws when it is time to. From any thread.
  void Add(std::uint64_t bytes);

  // NextFile names the file that is waited for, and counts those before it as done.
  void NextFile(std::uint64_t files_done, std::string_view name);

  // Hide wipes the line out; it is not drawn again while the lock is held.
  std::unique_lock<std::mutex> Hide();

  // WipeWhenKilled sees that nothing is left on standard error when a signal ends this process.
  // Signals that are ignored stay so; one that somebody handles is handled by them as well.
  static void WipeWhenKilled();

 private:
  using Clock = std::chrono::steady_clock;

  void DrawWhenTime();
  [[nodiscard]] std::string Line(std::chrono::nanoseconds elapsed) const;

  const Totals totals_;
  const std::size_t columns_;
  std::ostream& out_;
  const Clock::duration pause_;
  const Clock::time_point begin_;
  std::atomic<std::uint64_t> bytes_ = 0;
  bool counts_files_ = false;

  std::mutex mutex_;  // guards what follows, and the stream
  std::uint64_t files_ = 0;
  std::string name_;
  Clock::time_point drawn_;
  bool shown_ = false;
};

}  // namespace ggufgate
