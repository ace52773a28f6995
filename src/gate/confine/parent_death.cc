#include "gate/confine/parent_death.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

namespace ggufgate {

bool EndWithParent(pid_t parent) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
  // This query comes after prctl(), so the death of the parent cannot be missed. No process waits
  // for this exit code.
  if (::getppid() != parent) ::_exit(1);
  return true;
}

}  // namespace ggufgate
