#include "report/terminal/progress.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "absl/strings/str_cat.h"
#include "report/table.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

// Back to the first column, and erase to the end of the line (ECMA-48, EL).
constexpr std::string_view kWipe = "\r\x1b[K";

int PercentOf(std::uint64_t done, std::uint64_t total) {
  constexpr double kPercent = 100;
  return static_cast<int>(static_cast<double>(std::min(done, total)) / static_cast<double>(total) *
                          kPercent);
}

// TimeLeft returns ", 3 s left", or nothing if the rate is unknown.
std::string TimeLeft(std::uint64_t done, std::uint64_t total, double seconds) {
  const double rate = static_cast<double>(done) / seconds;
  const double left = static_cast<double>(total - std::min(done, total)) / rate;
  // Forecasts of more than a year are useless.
  constexpr double kLongest = 365.0 * 24 * 3600;
  return left > kLongest ? "" : absl::StrCat(", ", static_cast<std::uint64_t>(left), " s left");
}

// EndOf returns the last `columns` characters of a name, or all of it. "…" replaces the missing
// part.
std::string EndOf(std::string_view name, std::size_t columns) {
  std::size_t width = DisplayWidth(name);
  if (width <= columns) return std::string(name);
  while (!name.empty() && width + 1 > columns) {
    name.remove_prefix(1);
    width = DisplayWidth(name);
  }
  // Removes the rest of a character that was cut.
  while (!name.empty() && DisplayWidth(name.substr(0, 1)) == 0) name.remove_prefix(1);
  return absl::StrCat("…", std::string(name));
}

// --- erasing the line after a signal -------------------------------------------------------------

constexpr std::array kEndingSignals = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

volatile std::sig_atomic_t on_screen = 0;
std::array<struct sigaction, kEndingSignals.size()> handled_before{};

void WipeAndDie(int signal) {
  const int error = errno;
  if (on_screen != 0) {
    [[maybe_unused]] const ssize_t put = ::write(STDERR_FILENO, kWipe.data(), kWipe.size());
  }
  for (std::size_t i = 0; i < kEndingSignals.size(); ++i) {
    if (kEndingSignals.at(i) == signal) ::sigaction(signal, &handled_before.at(i), nullptr);
  }
  errno = error;
  ::raise(signal);
}

}  // namespace

std::string ProgressText(std::uint64_t done, std::uint64_t total,
                         std::chrono::nanoseconds elapsed) {
  std::string text = HumanBytes(done);
  const bool known = total > 0;
  if (known) {
    done = std::min(done, total);
    absl::StrAppend(&text, " of ", HumanBytes(total), ", ", PercentOf(done, total), " %");
  }
  const double seconds = std::chrono::duration<double>(elapsed).count();
  if (done == 0 || seconds <= 0) return text;
  const double rate = static_cast<double>(done) / seconds;
  absl::StrAppend(&text, ", ", HumanBytes(static_cast<std::uint64_t>(rate)), "/s");
  return known ? text + TimeLeft(done, total, seconds) : text;
}

std::string FilesText(std::uint64_t done, std::uint64_t total, std::chrono::nanoseconds elapsed) {
  std::string text = absl::StrCat(Grouped(done), " of ", Grouped(total), " files");
  if (total > 0) absl::StrAppend(&text, ", ", PercentOf(done, total), " %");
  const double seconds = std::chrono::duration<double>(elapsed).count();
  return done == 0 || seconds <= 0 ? text : text + TimeLeft(done, total, seconds);
}

std::string BarAround(std::string_view text, std::uint64_t done, std::uint64_t total,
                      std::string_view name, std::size_t columns) {
  constexpr std::size_t kBar = 20;
  constexpr std::size_t kRoomForBar = 72;  // narrower terminals need the room for text
  constexpr std::size_t kLeastOfAName = 12;
  const std::size_t room = columns - std::min<std::size_t>(columns, 1);
  std::string line;
  if (total > 0 && columns >= kRoomForBar) {
    const double share = static_cast<double>(std::min(done, total)) / static_cast<double>(total);
    const auto full = static_cast<std::size_t>(share * kBar);
    line = "[" + std::string(full, '#') + std::string(kBar - full, '-') + "] ";
  }
  line += text;
  const std::size_t used = DisplayWidth(line) + 2;
  if (!name.empty() && used + kLeastOfAName <= room) {
    absl::StrAppend(&line, "  ", EndOf(name, room - used));
  }
  return line.size() > room && DisplayWidth(line) > room ? line.substr(0, room) : line;
}

ProgressLine::ProgressLine(Totals totals, std::size_t columns, std::ostream& out,
                           std::chrono::nanoseconds pause)
    : totals_(totals),
      columns_(columns),
      out_(out),
      pause_(pause),
      begin_(Clock::now()),
      drawn_(begin_) {}

std::string ProgressLine::Line(std::chrono::nanoseconds elapsed) const {
  const std::uint64_t done = counts_files_ ? files_ : bytes_.load();
  const std::uint64_t total = counts_files_ ? totals_.files : totals_.bytes;
  return BarAround(
      counts_files_ ? FilesText(done, total, elapsed) : ProgressText(done, total, elapsed), done,
      total, name_, columns_);
}

// The caller must hold the lock.
void ProgressLine::DrawWhenTime() {
  const Clock::time_point now = Clock::now();
  if (now - drawn_ < pause_) return;
  drawn_ = now;
  shown_ = true;
  on_screen = 1;
  out_ << kWipe << Line(now - begin_) << std::flush;
}

void ProgressLine::Add(std::uint64_t bytes) {
  bytes_ += bytes;
  const std::unique_lock lock(mutex_, std::try_to_lock);  // skipped while another thread draws
  if (lock) DrawWhenTime();
}

void ProgressLine::NextFile(std::uint64_t files_done, std::string_view name) {
  const std::scoped_lock lock(mutex_);
  files_ = files_done;
  name_ = EscapeText(name);
  if (counts_files_) DrawWhenTime();
}

std::unique_lock<std::mutex> ProgressLine::Hide() {
  std::unique_lock lock(mutex_);
  if (shown_) out_ << kWipe << std::flush;
  shown_ = false;
  on_screen = 0;
  return lock;
}

void ProgressLine::WipeWhenKilled() {
  for (std::size_t i = 0; i < kEndingSignals.size(); ++i) {
    struct sigaction action = {};
    if (::sigaction(kEndingSignals.at(i), nullptr, &action) != 0) continue;
    if (action.sa_handler == SIG_IGN || action.sa_handler == WipeAndDie) continue;
    handled_before.at(i) = action;
    action = {};
    action.sa_handler = WipeAndDie;
    // Blocks all signals until the line is erased: Ctrl-C comes from the terminal and again from
    // the parent (signal_forwarding.h).
    ::sigfillset(&action.sa_mask);
    ::sigaction(kEndingSignals.at(i), &action, nullptr);
  }
}

}  // namespace ggufgate
