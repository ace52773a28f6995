#pragma once

// Work done in forked processes that may die of it: what all who ask loaders of others share.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace ggufgate::oracles {

// Fail throws what errno says.
[[noreturn]] void Fail(const char* what);

// MemoryFile is a file that is never on a disk.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  [[nodiscard]] int descriptor() const { return descriptor_; }
  // End is the end of what it holds, at most `most` bytes.
  [[nodiscard]] std::string End(std::size_t most) const;

 private:
  int descriptor_;
};

// Rewrite replaces what a file holds.
void Rewrite(int descriptor, std::span<const std::uint8_t> bytes);

// SharedMemory gives memory, all zeros, that parent and children see alike. It is never given back.
[[nodiscard]] void* SharedMemory(std::size_t bytes);

// ForkedChild is a process in a group of its own that does some work and ends. It dies with its
// parent, and whatever it has started dies with it.
class ForkedChild {
 public:
  // `work` is done in the child. Where it throws, a caller of a C API would have died of it too.
  explicit ForkedChild(const std::function<void()>& work);
  ForkedChild(const ForkedChild&) = delete;
  ForkedChild& operator=(const ForkedChild&) = delete;
  ~ForkedChild() { Kill(); }

  [[nodiscard]] pid_t process() const { return process_; }
  [[nodiscard]] bool lives() const { return process_ > 0; }  // false once it was waited for
  // Wait waits until it ends, and gives its status, as waitpid() does.
  int Wait();
  void Kill();

 private:
  pid_t process_ = -1;
};

// ConfineStreams is for a child: it reads nothing, what it says goes to `errors`, it leaves no core
// and writes no large files.
void ConfineStreams(int errors);

// ConfineMemory bounds the address space of a child, but under a sanitizer, whose own is terabytes.
void ConfineMemory(std::uint64_t bytes);

}  // namespace ggufgate::oracles
