#pragma once

// Rehearsals during a check (`check --rehearse`): a loader runs each file that the rules accept.

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "check/policy.h"
#include "cli/check/remote_options.h"
#include "cli/rehearse/rehearsing.h"
#include "gate/file_report.h"
#include "gate/reading/descriptor.h"
#include "rehearse/outcome.h"

namespace ggufgate {

// WithOutcome adds the outcome of a rehearsal to the report of an accepted file. A crash or a
// refusal is a finding. If the loader was not run, the file is undecided.
[[nodiscard]] FileReport WithOutcome(FileReport report, const Rehearsal& rehearsal,
                                     const Policy& policy);

// Rehearsals is a process that rehearses files on request. The printer knows when a file is
// accepted, but it is confined and cannot start a loader. So it asks this process, which takes
// nothing from it except the number of a file.
class Rehearsals {
 public:
  // Start starts the process. It must be called while this process has one thread. `files` are the
  // files of the check.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<Rehearsals>> Start(
      std::vector<std::string> files, const RemoteOptions& remote, FoundLoader loader);
  Rehearsals(const Rehearsals&) = delete;
  Rehearsals& operator=(const Rehearsals&) = delete;
  ~Rehearsals();  // ends the process

  // The descriptors that the printer needs.
  [[nodiscard]] std::vector<int> descriptors() const { return {ask_.get(), answers_.get()}; }

  // AfterRehearsal rehearses an accepted file, and returns its report with the outcome. Of a set of
  // shards, only the first is rehearsed, with all the others. It returns other reports unchanged.
  [[nodiscard]] FileReport AfterRehearsal(FileReport report, const Policy& policy) const;

 private:
  Rehearsals(std::vector<std::string> files, FoundLoader loader);

  [[nodiscard]] Rehearsal Ask(std::size_t file) const;

  std::vector<std::string> files_;
  std::set<std::string> names_;                           // the same files
  std::unordered_map<std::string, std::size_t> numbers_;  // by path
  FoundLoader loader_;
  Descriptor ask_;
  Descriptor answers_;
  pid_t process_ = -1;
};

}  // namespace ggufgate
