#pragma once

#include "cli/check/options.h"
#include "cli/command_line.h"
#include "gate/find_files.h"
#include "stores/model_store.h"

namespace ggufgate {

// CheckFiles checks the files in `read` in confined processes, prints the report and returns the
// exit code. `told` has the same files with the names for the report. Blobs of `stores` are
// reported under the names of their models.
[[nodiscard]] int CheckFiles(const FoundFiles& read, const FoundFiles& told,
                             const CheckOptions& options, const Streams& streams,
                             const ModelStores& stores = {});

}  // namespace ggufgate
