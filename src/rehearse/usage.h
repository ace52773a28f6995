#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace ggufgate {

// ProcessUsage holds memory and threads of another process, according to the system.
struct ProcessUsage {
  // Anonymous memory, resident or swapped, and page tables. It excludes files in memory, whose
  // pages may be mapped many times (BytesHeldBy).
  std::uint64_t memory_bytes = 0;
  std::uint64_t mapped_bytes = 0;  // resident pages of mapped files
  std::uint64_t threads = 0;
};

// UsageOf reads /proc. It returns nullopt if the process is gone or the text cannot be parsed.
[[nodiscard]] std::optional<ProcessUsage> UsageOf(pid_t process);

// CpuSecondsOf returns the processor time of all threads of a process, or nullopt if the process is
// gone.
[[nodiscard]] std::optional<double> CpuSecondsOf(pid_t process);

// BytesHeldBy returns the memory of the pages of a file in memory.
[[nodiscard]] std::uint64_t BytesHeldBy(int descriptor);

}  // namespace ggufgate
