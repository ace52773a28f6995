#include "rehearse/rehearse.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "bytes/bytes.h"
#include "bytes/checked.h"
#include "rehearse/conclusion.h"
#include "rehearse/driver_record.h"
#include "rehearse/driver_record_reader.h"
#include "rehearse/recent_output.h"
#include "rehearse/stand_in.h"
#include "rehearse/usage.h"

namespace ggufgate {
namespace {

using Clock = std::chrono::steady_clock;

// Interval between two checks of the driver. Meanwhile it may exceed its limits.
constexpr int kLookMilliseconds = 10;
constexpr std::size_t kMostAtOnce = std::size_t{64} << 10;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Watch checks a driver until it has ended.
class Watch {
 public:
  // `files` are the driver's files in memory. The filter prevents it from making others.
  Watch(DriverProcess& driver, std::vector<int> files, const RehearsalLimits& limits)
      : driver_(driver), files_(std::move(files)), limits_(limits), reader_(driver.nonce()) {}

  Rehearsal ToTheEnd(LoaderKind kind) {
    end_.kind = kind;
    while (!HasEnded()) {
      Hear();
      Look();
      if (end_.killed_for != KilledFor::kNothing) break;
    }
    if (end_.killed_for != KilledFor::kNothing) driver_.Kill();
    const double seconds = SecondsSince(begin_);
    end_.status = driver_.Wait();
    // No process is left to write more, and a pipe holds little.
    for (int left = 64; left > 0 && Hear(); --left) {
    }
    Rehearsal rehearsal = Conclude(end_, reader_, words_);
    rehearsal.seconds = seconds;
    rehearsal.cpu_seconds = cpu_seconds_;
    rehearsal.peak_bytes = peak_;
    return rehearsal;
  }

 private:
  // HasEnded waits a short time for an event. The process remains a zombie, so the system still
  // reports its usage.
  bool HasEnded() {
    std::array<pollfd, 3> waits = {
        {{.fd = driver_.end(), .events = POLLIN, .revents = 0},
         {.fd = report_is_open_ ? driver_.report() : -1, .events = POLLIN, .revents = 0},
         {.fd = words_are_open_ ? driver_.words() : -1, .events = POLLIN, .revents = 0}}};
    const int ready = ::poll(waits.data(), waits.size(), kLookMilliseconds);
    return ready > 0 && (waits.front().revents & (POLLIN | POLLHUP | POLLERR)) != 0;
  }

  // Hear reads once from both pipes. It returns false if there was nothing to read.
  bool Hear() {
    const Bytes said = ReadFrom(driver_.report(), report_is_open_);
    reader_.Add(said);
    const bool some = !said.empty();
    const Bytes words = ReadFrom(driver_.words(), words_are_open_);
    words_.Add(AsText(words));
    return some || !words.empty();
  }

  Bytes ReadFrom(int pipe, bool& open) {
    if (!open) return {};
    const ssize_t got = ::read(pipe, buffer_.data(), buffer_.size());
    if (got == 0) open = false;
    if (got <= 0) return {};
    return Bytes(buffer_).first(static_cast<std::size_t>(got));
  }

  void Look() {
    const std::optional<ProcessUsage> usage = UsageOf(driver_.process());
    if (usage) {
      // Their pages are allocated when they are read.
      std::uint64_t memory = usage->memory_bytes;
      const auto add = [&memory](std::uint64_t bytes) {
        memory = CheckedAdd(memory, bytes).value_or(~std::uint64_t{0});
      };
      if (limits_.counts_mapped_files) add(usage->mapped_bytes);
      for (const int file : files_) add(BytesHeldBy(file));
      peak_ = std::max(peak_, memory);
      if (memory > limits_.memory_bytes) end_.killed_for = KilledFor::kMemory;
      if (usage->threads > limits_.threads) end_.killed_for = KilledFor::kThreads;
    }
    cpu_seconds_ = std::max(cpu_seconds_, CpuSecondsOf(driver_.process()).value_or(0));
    const bool late = SecondsSince(begin_) > 4 * limits_.cpu_seconds + 10;
    if (late || cpu_seconds_ > limits_.cpu_seconds) end_.killed_for = KilledFor::kTime;
  }

  DriverProcess& driver_;
  std::vector<int> files_;
  RehearsalLimits limits_;
  Clock::time_point begin_ = Clock::now();
  DriverRecordReader reader_;
  RecentOutput words_;
  DriverEnd end_;
  bool report_is_open_ = true;
  bool words_are_open_ = true;
  double cpu_seconds_ = 0;
  std::uint64_t peak_ = 0;
  std::array<std::uint8_t, kMostAtOnce> buffer_{};
};

}  // namespace

Rehearsal Rehearse(DriverCall call, std::span<const Descriptor> stand_ins,
                   const RehearsalLimits& limits) {
  if (call.adapters > kMostAdaptersRehearsed) {
    return NotRehearsed("there are " + std::to_string(call.adapters) + " adapters; at most " +
                        std::to_string(kMostAdaptersRehearsed) + " are rehearsed");
  }
  const std::size_t shards = stand_ins.size() - std::min(stand_ins.size(), call.adapters);
  if (shards == 0 || shards > kMostShardsRehearsed) {
    return NotRehearsed("the model has " + std::to_string(shards) + " shards; at most " +
                        std::to_string(kMostShardsRehearsed) + " are rehearsed");
  }
  // If this process is stopped, the system still enforces the limit.
  call.cpu_seconds = static_cast<std::uint64_t>(std::ceil(limits.cpu_seconds)) + 2;
  const absl::StatusOr<Descriptor> zeros = MakeZeros(kZeroBytes);
  if (!zeros.ok()) return NotRehearsed(std::string(zeros.status().message()));
  absl::StatusOr<DriverProcess> driver = DriverProcess::Start(call, stand_ins, *zeros);
  if (!driver.ok()) return NotRehearsed(std::string(driver.status().message()));
  std::vector<int> files = {zeros->get()};
  if (limits.counts_mapped_files) {
    for (const Descriptor& stand_in : stand_ins) files.push_back(stand_in.get());
  }
  Watch watch(*driver, std::move(files), limits);
  return watch.ToTheEnd(call.command.empty() ? LoaderKind::kLibrary : LoaderKind::kCommand);
}

}  // namespace ggufgate
