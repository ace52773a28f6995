#pragma once

#include "cli/check/options.h"
#include "cli/command_line.h"
#include "gate/find_files.h"
#include "stores/model_store.h"

namespace ggufgate {

// CheckFiles judges `read` in processes that can do nothing else, reports on `told`, the same files
// by the names that people know them by, and gives the exit code. Those that are blobs of `stores`
// are told of by the names of the models they belong to.
[[nodiscard]] int CheckFiles(const FoundFiles& read, const FoundFiles& told,
                             const CheckOptions& options, const Streams& streams,
                             const ModelStores& stores = {});

}  // namespace ggufgate
