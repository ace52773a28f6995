#pragma once

// The standard library's mutexes. Without threads, as in WebAssembly, the library lacks them; then
// these are replacements without effect.

#include <mutex>

namespace ggufgate {

#if defined(__wasi__) && !defined(_REENTRANT)

class ScanMutex {};

class ScanLock {
 public:
  explicit ScanLock(ScanMutex& /*mutex*/) {}
  ScanLock(const ScanLock&) = delete;
  ScanLock& operator=(const ScanLock&) = delete;
  ~ScanLock() {}  // so that an unused lock causes no warning
  void unlock() {}
};

#else

using ScanMutex = std::mutex;
using ScanLock = std::unique_lock<std::mutex>;

#endif

}  // namespace ggufgate
