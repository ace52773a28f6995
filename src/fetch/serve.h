#pragma once

#include <string>

#include "remote/fetch_config.h"

namespace ggufgate {

// Serve answers judges until nobody can send any more: `control` is a socket through which sockets
// come, one for each judge at a time. Runs confined.
void Serve(const FetchConfig& config, int control);

}  // namespace ggufgate
