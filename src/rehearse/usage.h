#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace ggufgate {

// ProcessUsage is memory and threads of another process, as the system reports them.
struct ProcessUsage {
  // Resident, swapped out, and tables of pages; without files in memory, whose pages may be mapped
  // many times (BytesHeldBy).
  std::uint64_t memory_bytes = 0;
  std::uint64_t threads = 0;
};

// UsageOf asks /proc; nullopt when the process is gone or the answer is not understood.
[[nodiscard]] std::optional<ProcessUsage> UsageOf(pid_t process);

// CpuSecondsOf is the processor time of all threads of a process; nullopt when it is gone.
[[nodiscard]] std::optional<double> CpuSecondsOf(pid_t process);

// BytesHeldBy is the memory that the pages of a file in memory take.
[[nodiscard]] std::uint64_t BytesHeldBy(int descriptor);

}  // namespace ggufgate
