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

// ProgressText returns a line like "1.2 GB of 4.1 GB, 29 %, 1.1 GB/s, 3 s left". `total` 0 means
// unknown: then the percentage and the time left are missing, as they are before the rate is known.
[[nodiscard]] std::string ProgressText(std::uint64_t done, std::uint64_t total,
                                       std::chrono::nanoseconds elapsed);

// FilesText does the same for files: "1,234 of 20,000 files, 6 %, 12 s left".
[[nodiscard]] std::string FilesText(std::uint64_t done, std::uint64_t total,
                                    std::chrono::nanoseconds elapsed);

// BarAround adds a bar before such a line and the name of a file after it, if a terminal of
// `columns` has room. The last column stays free. `name` is escaped. A name that is too long is cut
// at its beginning.
[[nodiscard]] std::string BarAround(std::string_view text, std::uint64_t done, std::uint64_t total,
                                    std::string_view name, std::size_t columns);

// ProgressLine shows progress in one line of a terminal. It overwrites the line, and erases it at
// the end.
class ProgressLine {
 public:
  // Totals is the total amount of work. `bytes` is 0 if unknown.
  struct Totals {
    std::uint64_t bytes = 0;
    std::uint64_t files = 0;
  };

  // `out` must outlive the line, and is a terminal with `columns` columns. The first drawing comes
  // at least `pause` after the construction; so does each later drawing after the one before.
  ProgressLine(Totals totals, std::size_t columns, std::ostream& out,
               std::chrono::nanoseconds pause = std::chrono::milliseconds(100));
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { Hide(); }

  // CountFiles switches from bytes to files. If no data are read, all files take about the same
  // time.
  void CountFiles() { counts_files_ = true; }

  // Add counts bytes as done, and draws if `pause` has passed. Any thread may call it.
  void Add(std::uint64_t bytes);

  // NextFile sets the name of the current file, and counts those before it as done.
  void NextFile(std::uint64_t files_done, std::string_view name);

  // Hide erases the line. It is not drawn again while the lock is held.
  std::unique_lock<std::mutex> Hide();

  // WipeWhenKilled erases the line on standard error if a signal ends this process. Ignored signals
  // stay ignored. Earlier handlers run afterwards.
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

  std::mutex mutex_;  // guards the members below, and the stream
  std::uint64_t files_ = 0;
  std::string name_;
  Clock::time_point drawn_;
  bool shown_ = false;
};

}  // namespace ggufgate
