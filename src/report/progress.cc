#include "report/progress.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

// Back to the first column, and erase to the end of the line (ECMA-48, EL).
constexpr std::string_view kWipe = "\r\x1b[K";

}  // namespace

std::string ProgressText(std::uint64_t done, std::uint64_t total,
                         std::chrono::nanoseconds elapsed) {
  std::string text = HumanBytes(done);
  const bool known = total > 0;
  if (known) {
    done = std::min(done, total);
    constexpr double kPercent = 100;
    const double share = static_cast<double>(done) / static_cast<double>(total);
    absl::StrAppend(&text, " of ", HumanBytes(total), ", ", static_cast<int>(share * kPercent),
                    " %");
  }
  const double seconds = std::chrono::duration<double>(elapsed).count();
  if (done == 0 || seconds <= 0) return text;
  const double rate = static_cast<double>(done) / seconds;
  absl::StrAppend(&text, ", ", HumanBytes(static_cast<std::uint64_t>(rate)), "/s");
  if (!known) return text;
  const double left = static_cast<double>(total - done) / rate;
  // Longer than a year is no forecast.
  constexpr double kLongest = 365.0 * 24 * 3600;
  if (left > kLongest) return text;
  return absl::StrCat(text, ", ", static_cast<std::uint64_t>(left), " s left");
}

ProgressLine::ProgressLine(std::uint64_t total, std::ostream& out, std::chrono::nanoseconds pause)
    : total_(total), out_(out), pause_(pause), begin_(Clock::now()), drawn_(begin_) {}

void ProgressLine::Add(std::uint64_t bytes) {
  const std::uint64_t done = done_ += bytes;
  const Clock::time_point now = Clock::now();
  const std::unique_lock lock(mutex_, std::try_to_lock);  // somebody else draws: good enough
  if (!lock || now - drawn_ < pause_) return;
  drawn_ = now;
  shown_ = true;
  out_ << kWipe << ProgressText(done, total_, now - begin_) << std::flush;
}

std::unique_lock<std::mutex> ProgressLine::Hide() {
  std::unique_lock lock(mutex_);
  if (shown_) out_ << kWipe << std::flush;
  shown_ = false;
  return lock;
}

}  // namespace ggufgate
