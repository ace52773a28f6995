#pragma once

// Work in forked processes that may crash: common code for calling third-party loaders.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace ggufgate::oracles {

// Fail throws an exception for errno.
[[noreturn]] void Fail(const char* what);

// MemoryFile is a file in memory.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  [[nodiscard]] int descriptor() const { return descriptor_; }
  // End returns the last part of its contents, at most `most` bytes.
  [[nodiscard]] std::string End(std::size_t most) const;

 private:
  int descriptor_;
};

// Rewrite replaces the contents of a file.
void Rewrite(int descriptor, std::span<const std::uint8_t> bytes);

// SharedMemory returns zeroed memory that parent and children share. It is never freed.
[[nodiscard]] void* SharedMemory(std::size_t bytes);

// ForkedChild is a process in a separate group that does some work and ends. It is killed with its
// parent, together with all processes that it has started.
class ForkedChild {
 public:
  // The child calls `work`. An exception aborts it, because it would abort a caller of a C API,
  // too.
  explicit ForkedChild(const std::function<void()>& work);
  ForkedChild(const ForkedChild&) = delete;
  ForkedChild& operator=(const ForkedChild&) = delete;
  ~ForkedChild() { Kill(); }

  [[nodiscard]] pid_t process() const { return process_; }
  [[nodiscard]] bool lives() const { return process_ > 0; }  // false after it was reaped
  // Wait waits until it ends, and returns the status of waitpid().
  int Wait();
  void Kill();

 private:
  pid_t process_ = -1;
};

// ConfineStreams is called in a child. Afterwards the child has no input, its output goes to
// `errors`, and it can write neither core dumps nor large files.
void ConfineStreams(int errors);

// ConfineMemory limits the address space of a child, except under a sanitizer, which uses
// terabytes.
void ConfineMemory(std::uint64_t bytes);

}  // namespace ggufgate::oracles
