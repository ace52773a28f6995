#pragma once

#include <sys/types.h>

namespace ggufgate {

// SignalForwarding handles the signals that end this process while a child still has to tidy up,
// for example clear a line on a terminal. The signal first goes to the child, and this process ends
// after the child. Otherwise the shell could print its prompt and the child could erase it. A child
// that takes longer than half a second is killed.
//
// Ignored signals stay ignored. Earlier handlers run afterwards. At most one object exists at a
// time. The child must be a child of this process, and must not be waited for before the object is
// destroyed.
class SignalForwarding {
 public:
  explicit SignalForwarding(pid_t child);
  SignalForwarding(const SignalForwarding&) = delete;
  SignalForwarding& operator=(const SignalForwarding&) = delete;
  ~SignalForwarding();
};

}  // namespace ggufgate
