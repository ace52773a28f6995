#pragma once

#include <string>

#include "remote/fetch_config.h"

namespace ggufgate {

// Serve answers requests until no process can send more. Sockets arrive through `control`, one for
// each checking thread at a time. It runs confined.
void Serve(const FetchConfig& config, int control);

}  // namespace ggufgate
