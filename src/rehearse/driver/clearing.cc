#include "rehearse/driver/clearing.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "bytes/checked.h"

namespace ggufgate::driver {
namespace {

// Lines reads a file of /proc. It allocates nothing, because it runs inside memset().
class Lines {
 public:
  explicit Lines(const char* path) : file_(::open(path, O_RDONLY | O_CLOEXEC)) {}
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  ~Lines() {
    if (file_ >= 0) ::close(file_);
  }

  // Next returns the first characters of the next line, enough for everything before a path.
  std::optional<std::string_view> Next() {
    std::size_t size = 0;
    while (used_ < filled_ || Fill()) {
      const char next = buffer_.at(used_++);
      if (next == '\n') return std::string_view(line_.data(), size);
      if (size < line_.size()) line_.at(size++) = next;
    }
    return std::nullopt;
  }

 private:
  bool Fill() {
    const ssize_t got = file_ < 0 ? -1 : ::read(file_, buffer_.data(), buffer_.size());
    used_ = 0;
    filled_ = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    return filled_ > 0;
  }

  int file_;
  std::array<char, 4096> buffer_{};
  std::array<char, 100> line_{};
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
};

struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool clearable = false;
};

// The field before the next space, which is removed from `line`.
std::string_view Field(std::string_view& line) {
  const std::size_t end = line.find(' ');
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return field;
}

// A line is "7f00-7f10 rw-p 00000000 00:00 0  PATH": proc_pid_maps(5).
std::optional<Mapping> Parse(std::string_view line) {
  Mapping mapping;
  const std::string_view range = Field(line);
  const std::string_view rights = Field(line);
  Field(line);  // offset
  Field(line);  // device
  const std::string_view inode = Field(line);
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view begin = range.substr(0, dash);
  const std::string_view end = range.substr(dash + 1);
  if (std::from_chars(begin.begin(), begin.end(), mapping.begin, 16).ec != std::errc() ||
      std::from_chars(end.begin(), end.end(), mapping.end, 16).ec != std::errc()) {
    return std::nullopt;
  }
  mapping.clearable = rights == "rw-p" && inode == "0";
  return mapping;
}

// The mappings are in the order of their addresses.
bool IsClearable(std::uintptr_t begin, std::uintptr_t end) {
  Lines lines("/proc/self/maps");
  while (const std::optional<std::string_view> line = lines.Next()) {
    const std::optional<Mapping> mapping = Parse(*line);
    if (!mapping) return false;
    if (mapping->end <= begin) continue;
    if (mapping->begin > begin || !mapping->clearable) return false;
    begin = mapping->end;
    if (begin >= end) return true;
  }
  return false;
}

}  // namespace

Pages GiveBack(std::uintptr_t begin, std::size_t size) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::optional<std::uint64_t> first = CheckedAlignUp(begin, page);
  const std::optional<std::uint64_t> end = CheckedAdd(begin, size);
  if (!first || !end || *first >= *end - *end % page) return {};
  const Pages pages{.begin = *first, .end = *end - *end % page};
  const int kept = errno;
  // NOLINTBEGIN(performance-no-int-to-ptr): inside a block that the caller has
  const bool done =
      IsClearable(pages.begin, pages.end) &&
      ::madvise(reinterpret_cast<void*>(pages.begin), pages.size(), MADV_DONTNEED) == 0;
  // NOLINTEND(performance-no-int-to-ptr)
  errno = kept;
  return done ? pages : Pages{};
}

bool IsZero(std::uintptr_t begin, std::size_t size) {
  static constexpr std::array<std::uint8_t, kCopied> kZeros{};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): inside a block that the caller has
  return std::memcmp(reinterpret_cast<const void*>(begin), kZeros.data(), size) == 0;
}

}  // namespace ggufgate::driver
