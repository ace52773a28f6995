#pragma once

// The standard library's mutexes, or, where it has none because there are no threads, as in
// WebAssembly, what takes their places and does nothing.

#include <mutex>

namespace ggufgate {

#if defined(__wasi__) && !defined(_REENTRANT)

class ScanMutex {};

class ScanLock {
 public:
  explicit ScanLock(ScanMutex& /*mutex*/) {}
  ScanLock(const ScanLock&) = delete;
  ScanLock& operator=(const ScanLock&) = delete;
  ~ScanLock() {}  // so that one that is only held is no unused variable
  void unlock() {}
};

#else

using ScanMutex = std::mutex;
using ScanLock = std::unique_lock<std::mutex>;

#endif

}  // namespace ggufgate
