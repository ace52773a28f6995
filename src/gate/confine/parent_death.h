#pragma once

#include <sys/types.h>

namespace ggufgate {

// EndWithParent has this process, a child just forked by `parent`, be killed when that ends; false
// when the system refuses. A parent that has ended already would never be told of: then this
// process ends here.
[[nodiscard]] bool EndWithParent(pid_t parent);

}  // namespace ggufgate
