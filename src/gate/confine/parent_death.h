#pragma once

#include <sys/types.h>

namespace ggufgate {

// EndWithParent has the kernel kill this process when its parent ends. Call it right after `parent`
// has forked this process. It returns false if the system refuses. If the parent has already ended,
// no signal would come, so the function exits the process.
[[nodiscard]] bool EndWithParent(pid_t parent);

}  // namespace ggufgate
