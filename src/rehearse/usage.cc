#include "rehearse/usage.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <string_view>

#include "bytes/checked.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {
namespace {

// NumberAfter parses "NAME:   123 kB". It returns 0 if no line has that name.
std::uint64_t NumberAfter(std::string_view name, std::string_view text) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return 0;
  const std::size_t begin = text.find_first_of("0123456789", at);
  if (begin == std::string_view::npos) return 0;
  std::uint64_t number = 0;
  for (const char digit : text.substr(begin)) {
    if (digit < '0' || digit > '9') break;
    const auto value = static_cast<std::uint64_t>(digit - '0');
    number = CheckedAdd(CheckedMul(number, 10).value_or(0), value).value_or(0);
  }
  return number;
}

std::uint64_t BytesOf(std::uint64_t kibibytes) {
  return CheckedMul(kibibytes, std::uint64_t{1024}).value_or(~std::uint64_t{0});
}

}  // namespace

std::optional<ProcessUsage> UsageOf(pid_t process) {
  const std::string path = "/proc/" + std::to_string(process) + "/status";
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return std::nullopt;
  std::array<char, 4096> text{};
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  if (size <= 0) return std::nullopt;
  const std::string_view status(text.data(), static_cast<std::size_t>(size));
  std::uint64_t kibibytes = 0;
  for (const std::string_view name : {"\nRssAnon:", "\nVmSwap:", "\nVmPTE:"}) {
    kibibytes = CheckedAdd(kibibytes, NumberAfter(name, status)).value_or(kibibytes);
  }
  return ProcessUsage{.memory_bytes = BytesOf(kibibytes),
                      .mapped_bytes = BytesOf(NumberAfter("\nRssFile:", status)),
                      .threads = NumberAfter("\nThreads:", status)};
}

std::optional<double> CpuSecondsOf(pid_t process) {
  clockid_t clock = 0;
  timespec time = {};
  if (::clock_getcpuclockid(process, &clock) != 0) return std::nullopt;
  if (::clock_gettime(clock, &time) != 0) return std::nullopt;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::uint64_t BytesHeldBy(int descriptor) {
  struct stat facts = {};
  if (::fstat(descriptor, &facts) != 0 || facts.st_blocks < 0) return 0;
  constexpr std::uint64_t kBlock = 512;
  return CheckedMul(static_cast<std::uint64_t>(facts.st_blocks), kBlock).value_or(0);
}

}  // namespace ggufgate
