#pragma once

#include <sys/types.h>

namespace ggufgate {

// TidyEnd sees, while it lives, that a signal which ends this process ends a child first, that has
// something to put in order (a line on a terminal), and that the child is gone when this process
// is: a shell would print its prompt else, and the child wipe it out. A child that takes longer
// than half a second is killed.
//
// Signals that are ignored stay so; one that somebody handles is handled by them afterwards. At
// most one lives at a time, and the child is this process's and not waited for before it is
// destroyed.
class TidyEnd {
 public:
  explicit TidyEnd(pid_t child);
  TidyEnd(const TidyEnd&) = delete;
  TidyEnd& operator=(const TidyEnd&) = delete;
  ~TidyEnd();
};

}  // namespace ggufgate
