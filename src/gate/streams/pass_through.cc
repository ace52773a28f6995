#include "gate/streams/pass_through.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace ggufgate {

void PassThrough::Take(Bytes bytes) { kept_.insert(kept_.end(), bytes.begin(), bytes.end()); }

bool PassThrough::Settle() {
  if (stopped_ || error_number_ != 0) return false;
  return kept_.size() <= kHeldBack || Write(kept_.size() - kHeldBack);
}

bool PassThrough::Finish() {
  if (stopped_ || error_number_ != 0) return false;
  return Write(kept_.size());
}

bool PassThrough::Write(std::size_t size) {
  Bytes left = Bytes(kept_).first(size);
  while (!left.empty()) {
    const ssize_t put = ::write(descriptor_, left.data(), left.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno == EAGAIN) {  // another process made the descriptor non-blocking
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    if (put < 0) {
      error_number_ = errno;
      return false;
    }
    left = left.subspan(static_cast<std::size_t>(put));
  }
  kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(size));
  return true;
}

}  // namespace ggufgate
