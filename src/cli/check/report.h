#pragma once

#include <string>
#include <vector>

#include "check/policy.h"
#include "cli/command_line.h"
#include "gate/find_files.h"
#include "gate/processes/worker_processes.h"
#include "report/reporter.h"
#include "report/terminal/progress.h"
#include "stores/model_store.h"
#include "stores/named_digests.h"

namespace ggufgate {

class Rehearsals;

// CheckReport tells how to print the results.
struct CheckReport {
  std::vector<std::string> paths;  // as given
  std::string format;
  ReportStyle style;
  bool summary = false;         // counts by rule, without single files
  bool into_file = false;       // not to standard output
  bool second_opinion = false;  // each report comes with an opinion
  // Each file whose name is its digest has been hashed.
  bool digests = false;
  bool digests_wanted = false;       // at least one digest must be compared
  Rehearsals* rehearsals = nullptr;  // nullptr: the files are not rehearsed
};

// KnownByName holds facts about files that follow from their names, before they are read.
struct KnownByName {
  const ModelStores& stores;
  const NamedDigests& named;
};

// PrintFound prints reports as they arrive, and returns the exit code. It runs confined and reads
// no byte of the files. Files from known.stores.first_file on are reported as models of stores.
// `progress` may be null.
[[nodiscard]] int PrintFound(const FoundFiles& found, const KnownByName& known,
                             const CheckReport& how, const Policy& policy, ProgressLine* progress,
                             const FrameSource& reports, const FrameSource& opinions,
                             const Streams& streams);

}  // namespace ggufgate
