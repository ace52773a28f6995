#pragma once

// Runs work in forked processes that may crash, for all tests of third-party loaders.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace ggufgate::oracles {

// Fail throws an exception with the message of errno.
[[noreturn]] void Fail(const char* what);

// MemoryFile is a file in memory.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  [[nodiscard]] int descriptor() const { return descriptor_; }
  // End returns the end of its contents, at most `most` bytes.
  [[nodiscard]] std::string End(std::size_t most) const;

 private:
  int descriptor_;
};

// Rewrite replaces the contents of a file.
void Rewrite(int descriptor, std::span<const std::uint8_t> bytes);

// SharedMemory returns zeroed memory that parent and children share. It is never freed.
[[nodiscard]] void* SharedMemory(std::size_t bytes);

// ForkedChild is a process in a separate process group that does some work. If the parent ends, the
// child and all processes that it started are killed.
class ForkedChild {
 public:
  // The child runs `work`. An exception from `work` crashes the child, like a caller of a C API.
  explicit ForkedChild(const std::function<void()>& work);
  ForkedChild(const ForkedChild&) = delete;
  ForkedChild& operator=(const ForkedChild&) = delete;
  ~ForkedChild() { Kill(); }

  [[nodiscard]] pid_t process() const { return process_; }
  [[nodiscard]] bool lives() const { return process_ > 0; }  // false after Wait()
  // Wait waits for the end of the child, and returns its status as waitpid() does.
  int Wait();
  void Kill();

 private:
  pid_t process_ = -1;
};

// ConfineStreams is called in a child. Afterwards the child reads no input, writes its output to
// `errors`, and writes no core and no large files.
void ConfineStreams(int errors);

// ConfineMemory limits the address space of a child, except under a sanitizer, which reserves
// terabytes.
void ConfineMemory(std::uint64_t bytes);

}  // namespace ggufgate::oracles
