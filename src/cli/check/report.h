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

// CheckReport is how what was found is told.
struct CheckReport {
  std::vector<std::string> paths;  // as given
  std::string format;
  ReportStyle style;
  bool summary = false;         // by rule, and nothing of single files
  bool into_file = false;       // and not on standard output
  bool second_opinion = false;  // there is an opinion for each report
  bool digests = false;         // there is a digest of each file that is named by one
  bool digests_wanted = false;  // and at least one must be compared
};

// KnownByName are facts about files that their names give, before anybody reads them.
struct KnownByName {
  const ModelStores& stores;
  const NamedDigests& named;
};

// PrintFound reports what was found, as it comes, and gives the exit code. Runs confined, and sees
// no byte of a file. Those from known.stores.first_file on are reported as models of stores.
// `progress` may be null.
[[nodiscard]] int PrintFound(const FoundFiles& found, const KnownByName& known,
                             const CheckReport& how, const Policy& policy, ProgressLine* progress,
                             const FrameSource& reports, const FrameSource& opinions,
                             const Streams& streams);

}  // namespace ggufgate
